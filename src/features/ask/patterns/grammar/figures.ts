/**
 * Figures that the account has declared, by most of the words of their names: "pallets a week" is "Pallets per week",
 * "the lowest NPS" is "NPS score". In the question they become one word, so that nothing else is read into them.
 */
import { lookup } from '../../../../kernel/lookup.ts'
import { isNumeric, type Kind } from '../fields/index.ts'
import { mayName } from './common-words.ts'
import { GRAMMAR } from './question.ts'
import { valueKey } from './value-key.ts'
import type { Vocabulary } from './vocabulary.ts'

const UNIT = '(?:hour|day|week|month|quarter|year)'
const EVERY = `(?:per|an?|each|every) ${UNIT}`
const LINKS = new Set('per of the a an in for and each every no by number count total'.split(' '))
/** What is left out first when such a name is said. */
const GENERIC = new Set(
  'size value count score rate rating level amount volume index quantity figure'.split(' '),
)
const ADVERBS = lookup<string>({
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
})
/** Half a name is one only where a number is asked for. */
const ASKED =
  /(?:most|fewest|least|highest|lowest|largest|biggest|smallest|greatest|how many|how much|number of|average|avg|mean|median|total|combined|overall|sum of|by|without|have no|has no|with no|[\d.,]+k?)(?: (?:of|the|our|their|¤))* $/
const COMPARED =
  /^ (?:of|for|at) ¤|^ (?:by|per|for each) |^ (?:of )?(?:over|above|under|below|between|exceeding|at least|at most|(?:more|less|greater|larger|bigger|smaller|higher|lower|fewer) than|[<>])/
/** What companies do with what is counted: it says no more than that they have it. What we do says more. */
const VERBS =
  '(?:ship(?:s|ped|ping)?|us(?:es?|ed|ing)|consum(?:es?|ed|ing)|r[ua]ns?|running|operat(?:es?|ed|ing)|need(?:s|ed|ing)?|order(?:s|ed|ing)?|buy(?:s|ing)?|bought|mov(?:es?|ed|ing)|handl(?:es?|ed|ing)|process(?:es|ed|ing)?|produc(?:es?|ed|ing)|send(?:s|ing)?|generat(?:es?|ed|ing)|carr(?:y|ies|ied|ying)|transport(?:s|ed|ing)?|spend(?:s|ing)?|stor(?:es?|ed|ing)|report(?:s|ed|ing)?|scor(?:es?|ed|ing))'

/** Of what a customer has so many, so many were sold. */
const SOLD =
  /(?<= )(?:(?:do|did|have|has) (?:we|i) )?(?:have )?(?:sold|sell)(?! (?:to|for|at|in(?! total)|by|since|last|this|deals?)) /

/** When, or to whom, such a figure does not say. */
const SOLD_WHEN = /(?<= )(?:do|did|have|has) (?:we|i) (?:have )?(?:sold|sell) /

interface Figure {
  token: string
  words: string[]
  unit: string | undefined
  /** without links and units */
  significant: string[]
  isOfDeals: boolean
}

export const tokenOf = (name: string): string => wordsOf(name).join('_')

export const wordsOf = (name: string): string[] =>
  valueKey(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
const keyOf = (word: string): string => ADVERBS[word] ?? valueKey(word)

function figuresOf({ fields }: Vocabulary): Figure[] {
  const all = (Object.keys(fields) as Kind[]).flatMap(kind =>
    fields[kind]
      .filter(field => field.key.startsWith('cf.') && isNumeric(field))
      .map(({ label }) => ({ kind, label })),
  )
  return [...Map.groupBy(all, one => one.label)].map(([label, list]) => {
    const isOfDeals = list.some(({ kind }) => kind === 'deal')
    const words = wordsOf(label).map(keyOf)
    const significant = words.filter(word => !LINKS.has(word) && !new RegExp(`^${UNIT}$`).test(word))
    const unit = words.find(word => new RegExp(`^${UNIT}$`).test(word))
    return { token: tokenOf(label), words, unit, significant, isOfDeals }
  })
}

interface Place {
  figure: Figure
  from: number
  to: number
  share: number
}

/** Where in a question a figure is named, from a word of it to a word of it. */
function placesOf(figure: Figure, words: readonly string[]): Place[] {
  const { significant, unit } = figure
  const isOwn = (word: string) => significant.includes(keyOf(word)) || keyOf(word) === unit
  const places: Place[] = []
  for (let from = 0; from < words.length; from++) {
    if (!isOwn(words[from]!)) continue
    let to = from + 1
    for (let at = to; at < words.length && (isOwn(words[at]!) || LINKS.has(words[at]!)); at++)
      if (isOwn(words[at]!)) to = at + 1
    const said = words.slice(from, to).map(keyOf)
    const held = significant.filter(word => said.includes(word))
    const after = ` ${words.slice(to).join(' ')} `
    const isWhole = held.length * 2 > significant.length && (unit === undefined || said.includes(unit))
    if (isEnough(figure, held) && !isOfAnotherTime(after, unit) && (isWhole || isAsked(words, from, after)))
      places.push({ figure, from, to, share: held.length / significant.length })
    from = to - 1
  }
  return places
}

/** "pallets a month" are not those of a week. */
function isOfAnotherTime(after: string, unit: string | undefined): boolean {
  const every = new RegExp(`^ (?:${EVERY}|${Object.keys(ADVERBS).join('|')}) `).exec(after)?.[0]
  return every !== undefined && keyOf(every.trim().split(' ').at(-1)!) !== unit
}

const isAsked = (words: readonly string[], from: number, after: string): boolean =>
  ASKED.test(`${words.slice(0, from).join(' ')} `) || COMPARED.test(after)

/** What was done to them: "installed", "booked". */
const isDone = (word: string): boolean => /.ed$/.test(word)

/** More than half of its words, or the one that it is named for. */
function isEnough({ significant, words }: Figure, held: readonly string[]): boolean {
  if (held.length * 2 > significant.length) return true
  const [only] = held
  if (held.length !== 1 || GRAMMAR.has(only!) || GENERIC.has(only!) || !mayName(only!, new Set()))
    return false
  const rest = significant.filter(word => word !== only)
  const head = words
    .slice(0, words.includes('per') ? words.indexOf('per') : words.length)
    .findLast(word => !isDone(word))
  // "machines" for "Machines installed"
  if (isDone(only!)) return false
  return rest.every(word => GENERIC.has(word) || isDone(word)) || (significant.length === 2 && only === head)
}

/** The question with each figure as one word; as it was where a name could mean two of them. */
export function withFigures(text: string, vocabulary: Vocabulary): string {
  const figures = figuresOf(vocabulary)
  if (figures.length === 0) return text
  const words = text.trim().split(' ')
  const places = figures.flatMap(figure => placesOf(figure, words))
  const best = places.filter(
    one => !places.some(other => other !== one && overlap(one, other) && other.share >= one.share),
  )
  if (best.length === 0) return text
  let read = words
  for (const { figure, from, to } of best.sort((a, b) => b.from - a.from))
    read = [...read.slice(0, from), figure.token, ...read.slice(to)]
  return best.reduce(
    (said, { figure }) => {
      const { token, unit, significant, isOfDeals } = figure
      const done = significant.filter(isDone).join('|') || '(?!)'
      const every = unit === undefined ? '(?!)' : `(?:per|an?|each|every) ${unit}`
      return said
        .replace(new RegExp(`(?<= )(?:${done}) (?:base )?`, 'g'), '')
        .replace(isOfDeals || unit !== undefined ? /(?!)/ : SOLD, 'have ')
        .replace(isOfDeals ? /(?!)/ : SOLD_WHEN, 'sold ')
        .replace(new RegExp(`(?<= ${token} (?:\\S+ )*)${every} `), '')
        .replace(new RegExp(`(?<= )(?<! (?:we|i) )${VERBS}(?= (?:\\S+ )*${token} )`), 'have')
        .replace(new RegExp(`(?<= ${token} (?:\\S+ )*)(?<! (?:we|i) )${VERBS}(?= )`), 'have')
    },
    ` ${read.join(' ')} `,
  )
}

const overlap = (a: Place, b: Place): boolean => a.from < b.to && b.from < a.to
