/** Why a composed reading cannot be what is meant: it asks nothing, leaves a word without its role, or returns something else. */
import type { Condition } from '../../../records/query/spec.ts'
import { canHaveOthers, type FieldMeaning, isField, type Meaning } from '../meaning.ts'
import { contradictsItself, queriesOf } from '../normal.ts'
import type { Mark } from './blocks.ts'
import { isLight } from './cover.ts'
import type { Parts } from './parts.ts'

/**
 * "is there Acme" and "how many Acme" ask nothing, groups of a field that has one value are one group, and "the
 * commission of Marko on the Acme renewal" does not ask who sells it, if Marko does.
 */
export function isVoid(meaning: Meaning): boolean {
  return queriesOf(meaning).some(({ entity, where, measure, group_by = [] }) => {
    // probabilities do not add up
    if (measure?.kind === 'sum' && measure.field === 'probability') return true
    if (!where) return false
    const parts = 'and' in where ? where.and : [where]
    // "people at firms with an open deal": it is said of the firms
    const text = JSON.stringify(where)
    if (entity === 'contact' && text.includes(AT_COMPANY) && text !== AT_COMPANY) return true
    const isQuery = meaning.kind === 'query'
    const isNamed = (part: Condition) => isField(part) && part.field === 'id'
    // "how many elephants" does not count the deal that is called Elephant corridor, and "which schools belong to the
    // Southern Diocese" does not list the diocese
    if (parts.every(isNamed) && isQuery && asksNothing(meaning)) return true
    // nor is it asked how many a record is that is named
    const isOne = (part: Condition) => isNamed(part) && isField(part) && [part.value].flat().length === 1
    if (meaning.kind === 'query' && returnedBy(meaning) === 'number' && parts.some(isOne)) return true
    const show = isQuery && parts.some(isNamed) ? meaning.show : undefined
    const shown = [...group_by, ...(show ? [show] : [])]
    const isSaid = parts.some(
      part => isField(part) && (part.op ?? 'eq') === 'eq' && shown.some(({ field }) => field === part.field),
    )
    return isSaid || isSaidTwice(parts) || contradictsItself(where)
  })
}

const AT_COMPANY = '{"some":"companies"}'

/** It is asked whether there are such records, for their number or for a list of them, and nothing of them. */
const asksNothing = ({ query, show, last, isYesNo }: Extract<Meaning, { kind: 'query' }>): boolean =>
  isYesNo === true || (!show && !last && ['list', 'count'].includes(query.measure?.kind ?? 'list'))

/** "won, won or lost", "lost, in stage Lead": one of the words has another role. */
function isSaidTwice(parts: readonly Condition[]): boolean {
  const fields = parts.flatMap(part => {
    const names = new Set(('or' in part ? part.or : [part]).map(choiceOf))
    const [name] = names
    return names.size === 1 && name !== undefined ? [name] : []
  })
  return new Set(fields).size < fields.length
}

/** The field of which a condition chooses a value; a deal that has ended is in a stage that says so. */
function choiceOf(part: Condition): string | undefined {
  if (!isField(part) || canHaveOthers(part)) return undefined
  const { field, op = 'eq', value } = part
  const isChoice = op === 'in' || (op === 'eq' && typeof value === 'string')
  const isEnded = field === 'status' && (value === 'won' || value === 'lost')
  return isChoice ? (isEnded ? 'stage.name' : field) : undefined
}

// ---- words with a role of their own

const IN_ORDER = /"order":|"kind":"(?:compare|win rate)"|"last":|"birthday_day"/
const BESIDE = /"kind":"(?:compare|win rate|share)"|"op":"(?:gt|lt)e?","value":-?\d/
/** "more won than lost this year" compares more than the dates of this year. */
const COMPARED = /"kind":"(?:compare|win rate|share)"|"op":"(?:gt|lt)e?","value":-?\d|"birthday|"order":/

/** What deals that are not decided yet would bring. */
const OPEN_SUM =
  /^(?=.*"entity":"deal")(?=.*"kind":"sum")(?=.*(?:"status","op":"eq","value":"open"|"stage\.name"))/

/** What the query of a reading contains that uses the word. */
const USED_BY: Partial<Record<Mark, RegExp>> = {
  average: /"kind":"avg"/,
  median: /"kind":"median"/,
  share: /"kind":"(?:share|win rate)"/,
  'win rate': /"kind":"win rate"/,
  most: IN_ORDER,
  least: IN_ORDER,
  next: IN_ORDER,
  last: IN_ORDER,
  // "the difference between the largest and the second largest" is neither of them
  difference: BESIDE,
  larger: COMPARED,
  smaller: COMPARED,
  // "where have we only lost deals" asks for places or companies, not for the owners of the deals
  where: /"(?:city|country|location)"|"entity":"company"/,
  colleagues: /"some":"contacts"/,
  // "both won and lost deals" are not deals of which each is one or the other
  both: /^(?!.*"field":"status","op":"in")/,
  'written no': /"value":false/,
  'a year': /"annual_revenue"/,
  would: OPEN_SUM,
  supposed: OPEN_SUM,
  'supposed won': OPEN_SUM,
  passed: /"op":"lte?"|"is_overdue"/,
  ahead: /"op":"gte?"/,
}

/**
 * Whether a reading uses every word that has a role of its own: "won so far this quarter" read without its quarter was
 * a sum of all years, and sure.
 */
export function usesAll({ marks, buckets }: Parts, meaning: Meaning): boolean {
  const uses = [...marks].flatMap(mark => USED_BY[mark] ?? [])
  if (buckets.length > 0) uses.push(/"bucket":/)
  if (uses.length === 0) return true
  const text = JSON.stringify(meaning)
  return uses.every(use => use.test(text))
}

// ---- what the question word asks for

/** What a reading returns. */
type Returned =
  | 'yes or no'
  | 'number'
  | 'figure'
  | 'comparison'
  | 'groups'
  | 'date'
  | `field of ${FieldMeaning['type'] | 'place'}`
  | `list of ${string}`

const PLACE = /(?:^|\.)(?:city|country|location)$/

function returnedBy(meaning: Meaning): Returned {
  if (meaning.kind === 'every') return 'yes or no'
  if (meaning.kind === 'win rate' || meaning.kind === 'share') return 'figure'
  if (meaning.kind === 'compare') {
    if (meaning.isYesNo) return 'yes or no'
    // which of two is the larger one is asked with "who", too
    return meaning.sides.some(({ label }) => label) ? 'figure' : 'comparison'
  }
  const { query, show, last, isYesNo, isNumber } = meaning
  if (isYesNo) return 'yes or no'
  if (isNumber) return 'number'
  if (last) return 'date'
  if (show) return PLACE.test(show.field) ? 'field of place' : `field of ${show.type}`
  if (query.group_by) return 'groups'
  if (query.measure && query.measure.kind !== 'list')
    return query.measure.kind === 'count' ? 'number' : 'figure'
  return `list of ${query.entity}`
}

const WORDS: readonly [word: RegExp, isExcluded: RegExp][] = [
  [/^whose$/, /^yes/],
  [/^whom?$/, /^(?:yes|number|figure|date|field of (?!text)|list of (?:deal|activity|product|note))/],
  [/^(?:which|what)$/, /^yes/],
  [/^how (?:many|often)$/, /^(?:yes|date|field of (?:date|flag)|list)/],
  [/^how much$/, /^(?:yes|date|field of (?:date|flag)|list of (?:contact|company|activity|note))/],
  [/^when$/, /^(?:yes|number|figure|comparison|field of (?!date)|list of (?:contact|company|product))/],
  [
    /^where$/,
    /^(?:yes|number|figure|comparison|field of (?:date|number|money|flag)|list of (?:contact|deal))/,
  ],
  [
    /^why$/,
    /^(?:yes|number|figure|comparison|date|field of (?!text)|list of (?:contact|company|activity|product))/,
  ],
  [/^(?:is|are|was|were|do|does|did|has|have)$/, /^(?:number|figure|comparison|groups)/],
]
/** "Company number" is not a telephone number, and "the language other than Spanish" not another country. */
const NAMED_OTHERWISE: readonly [said: RegExp, isExcluded: RegExp][] = [
  [
    /\b(?:compan(?:y|ies)|organi[sz]ations?|accounts?|customers?|clients?|orders?|deals?|members?) numbers?\b/,
    /"show":\{[^}]*phone"/,
  ],
  // "how many rental deals alltogether" asks for no sum of them, unless it goes on "and what are they worth"
  [
    /\bhow many (?:(?!(?:of|in|on|at|for|with|per|do|does|did|are|is)\b)\S*[^s\s] ){0,2}(?:deals|opportunities|companies|contacts|activities|calls|meetings|tasks|products)\b(?!.*\b(?:worth|how much|value|money|adds?|sum|total|amount)\b)/,
    /^(?=.*"kind":"(?:sum|avg)").*"kind":"query"/,
  ],
  // "a deal that has not reached negotiation" is not one that nobody has reached
  [/\breached\b/, /"none":"activities".*"stage\.name"|"stage\.name".*"none":"activities"/],
  [/\bwhom? (?:do (?:we|i|you) know|works? (?:at|for|in)|are our contacts)\b/, /^(?!.*"entity":"contact")/],
  [/\bwhere\b.*\bwork\b/, /"show":\{[^}]*job_title/],
  // "who works at Ann Smith's company"
  [/\bwho (?:else )?works?\b/, /"show":\{[^}]*company\.name"/],
  // firms employ people
  [/\bwho (?:else )?employs?\b/, /^(?!.*"entity":"company")/],
  [/\blanguages? (?:other than|besides|but|not|isn t|is not|aren t)\b/, /country"/],
]

/** `said`: the words of a question. Also for what the rules read. */
export function isNamedOtherwise(said: string, meaning: Meaning): boolean {
  const text = JSON.stringify(meaning)
  return NAMED_OTHERWISE.some(([naming, isExcluded]) => naming.test(said) && isExcluded.test(text))
}

const ASKING = /\b(?:whose|whom?|which|what|how (?:many|often|much)|when|where|why)\b/g
/** Words before the question word: "with whom", "in how many". */
const FIRST =
  /^(?:(?:and|so|at|in|on|of|for|from|by|with|to|about|since|until) )*(how (?:many|often|much)|\S+)/

/** What is asked for: the words after "how many", "which" or "what" up to a verb or a preposition, as "m2 of mesh"; also "the biggest size" and "the top seller". */
const ASKED_FOR =
  /\b(?:how many|which|what|(?:big|large|small|high|low|long|short)est|top|best|worst) ((?:(?!(?:are|is|was|were|do|does|did|have|has|had|can|could|will|would|should|must|in|on|at|with|for|from|by|per|to|we|you|they|there|s|who|that|which|what|how)\b)\S+ ?)+)/g

/** "How many casts do we get out of a mould" does not ask for the number of deals: casts are nothing that the reading has. */
export function hasWhatIsAskedFor(words: readonly string[], left: readonly string[]): boolean {
  return [...words.join(' ').matchAll(ASKED_FOR)].every(([, said = '']) => {
    const telling = said
      .trim()
      .split(' ')
      .filter(word => !isLight(word))
    return telling.length === 0 || telling.some(word => !left.includes(word))
  })
}

const OF_ALL =
  /^(?:is|are|was|were|do|does|did|has|have)\b.*(?<!\bat )\b(?:all|every|each|everything|everyone|everybody)\b|\b(?:every one|each one|without exception)$/
const OF_EACH = /"kind":"every"|"every":/
const MONEY_ASKED = /\bhow many (?:euros?|dollars|pounds|francs|kroner|krona|rupees|yen|rand)\b/
/** "lost every deal", "whose deals were all lost": not "people on every deal". */
const ALL_RELATED =
  /(?<!\b(?:in|on|at|for|from|of|by|about|per|behind|across|the) )\b(?:every|each)(?: (?:and every|single|one of|the|our|their|its))* (?:\S+ )?(?:deals?|opportunity|opportunities|call|meeting|task|activity)\b|\b(?:deals|opportunities|calls|meetings|tasks|activities)(?: (?:that|we|ve|have|had|are|were|been|ended up))* all\b/
/** "how much has each of us won": one figure for each, not one of all. */
const EACH = /\bhow (?:much|many)\b.*\beach\b/

/**
 * Whether a reading returns what the question word asks for: "who" is not answered with yes, "how many" not with a list.
 * `parts`: its sentences and clauses. A question that asks for several things is answered with any of them.
 */
export function isAskedFor(parts: readonly string[], meaning: Meaning): boolean {
  const text = JSON.stringify(meaning)
  if (isNamedOtherwise(parts.join(' '), meaning)) return false
  const firsts = parts.map(part => FIRST.exec(part)?.[1] ?? '')
  const asking =
    firsts.find(first => WORDS.some(([word]) => word.test(first))) ??
    parts.join(' ').match(/\bhow (?:many|often|much)\b/)?.[0]
  const others = new Set(parts.flatMap(part => part.match(ASKING) ?? []))
  if (asking !== undefined) others.delete(asking)
  const returned = returnedBy(meaning)
  const isOfEach = OF_EACH.test(text)
  // "is it approved on every open deal" is not whether there is one
  const asksOfAll = parts.some(part => OF_ALL.test(part))
  if (
    asksOfAll &&
    !isOfEach &&
    (returned === 'yes or no' || (others.size === 0 && /^(?:list|field)/.test(returned)))
  )
    return false
  // "firms where every deal was lost" are not those with a lost one
  if (
    !isOfEach &&
    /^list of (?:company|contact)/.test(returned) &&
    parts.some(part => ALL_RELATED.test(part))
  )
    return false
  if (asking === undefined || others.size > 0) return true
  // "how many francs is that" does not count deals
  if (returned === 'number' && parts.some(part => MONEY_ASKED.test(part))) return false
  const isOne = ['number', 'figure', 'comparison'].includes(returned)
  if (isOne && parts.some(part => EACH.test(part)) && !text.includes('"kind":"avg"')) return false
  return !WORDS.some(([word, isExcluded]) => word.test(asking) && isExcluded.test(returned))
}
