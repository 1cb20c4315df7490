/** Which kind of record a question is about. */
import { isNumeric, type Kind } from '../fields/index.ts'
import { isColleague } from './colleagues.ts'
import { speaksOfDeals } from './deal-words.ts'
import type { Mention } from './mentions.ts'
import { NOUNS } from './nouns.ts'
import { bounded, leftOver, type Reading, says } from './reading.ts'
import { asksForTitle } from './titles.ts'

/** The kind of record that is asked for: the first that is named, or the one that what is named belongs to. */
export function kindOf(reading: Reading): Kind | undefined {
  if (RANKED.test(reading.text) || speaksOfDeals(reading)) return 'deal'
  const first = countedNoun(reading)
  const dimension =
    /(?<= )(?:which|what|who) (stages?|owners?|industr(?:y|ies)|cit(?:y|ies)|countr(?:y|ies)|(?:sales )?reps?|compan(?:y|ies)|pipeline) (?:has|have|holds?|contains?|owns?)(?= )/.exec(
      reading.text,
    )
  if (dimension && !/compan/.test(dimension[1]!)) {
    const later = firstNoun(reading.text.slice(dimension.index + dimension[0].length - 1))
    if (later) return later
  }
  // "how much have we won with Dutch companies": money comes of deals
  if (first === 'company' && /^ how much (?:\S+ ){0,4}(?:won|lost) /.test(reading.text)) return 'deal'
  if (first === 'company' && (WORKING.test(reading.text) || asksForOwner(reading)))
    return WORKING.test(reading.text) ? 'contact' : 'deal'
  const [flag] = reading.flags
  // "who do we know at companies in Norway"
  const isThere =
    /^ whom? (?:\S+ )*(?:at|from|in|of|for) (?:\S+ ){0,3}(?:compan|account|organi|business|firm)/
  if (first === 'company' && isThere.test(reading.text)) return 'contact'
  const has = first && haver(reading)
  if (has) return has
  if (first) return (first === 'deal' && haver(reading, BEST)) || first
  if (flag) return flag.kind
  const isStaged = reading.mentions.some(({ values }) => values.some(({ field }) => field === 'stage_id'))
  // "which customers are in negotiation"
  const staged = isStaged ? haver(reading, BEING) : undefined
  if (staged) return staged
  // "customers we lost": not deals
  const parted = haver(reading, WON)
  if (parted) return parted
  const figure = figureOf(reading)
  if (figure) return figure
  const record = reading.mentions.find(mention => mention.records)?.records
  if (!record && says(reading, /employees|headcounts?/)) return 'company'
  const fieldOf = (kind: Kind) => reading.vocabulary.fields[kind].some(field => says(reading, field.said))
  const isTimed = reading.span !== undefined || says(reading, EACH)
  if (isTimed && says(reading, /expected(?: to close)?|closings?|closes?/)) return 'deal'
  if (says(reading, /birthdays?/)) return 'contact'
  if (record && ((reading.span && says(reading, /happened|happening/)) || says(reading, /planned|scheduled/)))
    return 'activity'
  if (record?.kind === 'deal' && says(reading, /open|closed|overdue|late|signed/)) return 'deal'
  if (says(reading, /overdue|past due/)) return 'activity'
  if (
    says(
      reading,
      /win rate|won|lost|win|wins|lose|losing|pipeline|stages?|bookings|open (?:amounts?|volume)|amounts? open/,
    )
  )
    return 'deal'
  if (says(reading, /due|to do|agenda|calendar|plate|schedule[d]?|upcoming/) && !record) return 'activity'
  const valued = commonKinds(reading.mentions)
  if (says(reading, /who|whom|whose|anyone|anybody|everyone|everybody/)) {
    if (record && record.kind !== 'contact' && says(reading, OWNING))
      // a company has no owner: those of its deals look after it
      return record.kind === 'company' ? 'deal' : record.kind
    // "who is Priya" asks for the colleague, not for her contacts
    if (reading.mentions.some(isColleague)) return undefined
    // customers may be companies alone
    if (record?.kind !== 'contact')
      return record || valued.length === 0 || valued.includes('contact') ? 'contact' : valued[0]
  }
  if (record && (fieldOf(record.kind) || says(reading, /where|based|located/))) return record.kind
  // "directors at customers"
  if (valued[0] === 'company' && !asksForEach(reading) && asksForTitle(reading)) return 'contact'
  if (valued[0]) return valued[0]
  if (isAgenda(reading)) return 'activity'
  return kindOfWords(reading, record?.kind)
}

const OWNING =
  /owns?|owner|responsible|look(?:s|ing)? after|in charge|tak(?:es?|ing) care|manag(?:es?|ing)|handl(?:es?|ing)|assigned|assignee/
/** "champions who work at Dutch companies" */
const WORKING =
  / (?:work(?:s|ing)?|employed) (?:at|for|in) (?:\S+ ){0,2}(?:compan(?:y|ies)|accounts?|organi[sz]ations?|firms?) /
/** "who looks after the Acme account" */
const asksForOwner = (reading: Reading): boolean =>
  /^ whom? /.test(reading.text) &&
  says(reading, OWNING) &&
  reading.mentions.some(({ records }) => records?.kind === 'company')

const OWNERS =
  '(?:compan(?:y|ies)|acc(?:oun)?ts?|customers?|clients?|organi[sz]ations?|contacts?|persons?|people)'
const EACH_ONE = new RegExp(`(?<= )(?:by|per|each|every)(?: (?:the|our))? ${OWNERS}(?= )`)
const OF_DEALS =
  '(?:pipeline|forecast|won|lost|deals?|opps?|opportunit(?:y|ies)|win rate|amounts? (?:won|lost|open)|(?:revenue|sales|business) (?:won|lost|closed))'
/** "top 3 companies by open pipeline": what is measured are their deals. */
const RANKED = new RegExp(
  ` ${OWNERS} (?:(?:with|that|which|has|have|had) )+(?:the )?(?:most|highest|largest|biggest|lowest|smallest|fewest|least) (?:(?:total|overall|weighted|average|open) )*(?:won|lost|pipeline|open (?:amount|value|volume))(?! deals?) |` +
    ` ${OWNERS} (?:ranked |sorted |ordered )?(?:by|in terms of|according to) (?:(?:the|their|our|total|overall|open|weighted|number|count|amount|value|sum|of) )*${OF_DEALS} `,
)

/** The first noun that is no "per company": of that there is one for each. */
function countedNoun(reading: Reading): Kind | undefined {
  const rest = reading.text.replace(EACH_ONE, '¤')
  if (rest === reading.text) return firstNoun(reading.text)
  return firstNoun(rest) ?? (says({ text: rest }, OF_DEALS_SAID) ? 'deal' : firstNoun(reading.text))
}
const OF_DEALS_SAID = /won|lost|pipeline|amounts?|win rate/

/** "industries where we have more than one customer" */
const asksForEach = ({ text, vocabulary: { fields } }: Reading): boolean =>
  fields.company.some(
    ({ groups, said }) =>
      groups &&
      new RegExp(
        `^ (?:(?:which|what|list|show|the|our) )*(?:${said.source}) (?:where|with|in which|that|do|we|have) `,
      ).test(text),
  )

/** "who ships the most pallets": whoever has such a figure. */
export function figureOf({ text, vocabulary: { fields } }: Reading): Kind | undefined {
  return (Object.keys(fields) as Kind[]).find(kind =>
    fields[kind].some(field => field.key.startsWith('cf.') && isNumeric(field) && says({ text }, field.said)),
  )
}

/** "lowest NPS", "directors at Acme", "CFOs of customers": what only one kind can have. */
function kindOfWords(reading: Reading, named: Kind | undefined): Kind | undefined {
  const { fields } = reading.vocabulary
  const declared = (Object.keys(fields) as Kind[]).find(kind =>
    fields[kind].some(field => field.key.startsWith('cf.') && says(reading, field.said)),
  )
  if (declared) return declared
  const isTitled = reading.mentions.some(({ values }) => values.some(({ field }) => field === 'job_title'))
  const isHead = says(reading, /c[efotim]os?/)
  return isTitled || ((named === 'company' || isHead) && asksForTitle(reading)) ? 'contact' : undefined
}

const EACH =
  /(?:by|per|each|every|for each|for every|in each) (?:day|week|month|quarter|year)|monthly|quarterly/
const BEGIN = '^ (?:(?:how many|which|what|list|show|all|the|our|my|of|are|do|we|have|who) )*¤(?: ¤)?'
const HAVING = new RegExp(
  `${BEGIN} (?:(?:that|who|which|do|does|don t|doesn t) )*(?:with|without|have|has|having|lack|missing) `,
)
const BEST =
  /^ (?:(?:who|what|which|is|are|our|the|top|\d+) )*(?:biggest|largest|top|best|smallest) (?:\d+ )?¤ /
const WON = new RegExp(
  `${BEGIN} (?:(?:that|which|who|did|have|has) )*(?:we|i|¤) (?:(?:have|did|has) )?(?:win|won|lose|lost) `,
)
const BEING = new RegExp(`${BEGIN} (?:(?:that|who|which|do|does|is|are|we|in|at|have|the) )*¤ `)

/** "customers with open deals" are companies, though deals are the first kind that is named. */
function haver(reading: Reading, begins = HAVING): Kind | undefined {
  if (!begins.test(reading.text)) return undefined
  const [first] = [...reading.mentions].sort((a, b) => a.at - b.at)
  if (!first || first.records || isColleague(first)) return undefined
  return commonKinds([first]).find(kind => kind === 'company' || kind === 'contact')
}

function firstNoun(text: string): Kind | undefined {
  const first = NOUNS.map(([kind, pattern]) => ({
    kind,
    at: bounded(pattern).exec(text)?.index ?? Infinity,
  })).sort((a, b) => a.at - b.at)[0]!
  return first.at === Infinity ? undefined : first.kind
}

/** "what's on today", "anything planned for tomorrow": a time and nothing else. */
const isAgenda = (reading: Reading): boolean =>
  reading.span !== undefined &&
  /^ (?:what|anything|is there anything|do i have|what do i have) /.test(reading.text) &&
  !reading.mentions.some(mention => mention.records) &&
  leftOver({ text: reading.text.replace(/ (?:planned|happening|going on) /, ' ') }).length === 0

/** The kinds that have all the values that were named, the likeliest first. */
function commonKinds(mentions: readonly Mention[]): Kind[] {
  const named = mentions.filter(mention => mention.values.length > 0 && !isColleague(mention))
  if (named.length === 0) return []
  return (['contact', 'company', 'deal', 'activity'] as Kind[]).filter(kind =>
    named.every(mention => mention.values.some(known => known.kind === kind)),
  )
}
