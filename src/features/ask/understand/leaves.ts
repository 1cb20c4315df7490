/** Words of a question → leaves of the chart: the lexicon, the account's own values and names, numbers and times. */
import type { Condition } from '../../query/spec.ts'
import { timeOf } from '../../search/ask/grammar/times.ts'
import type { EntityName, Lexicon } from '../lexicon/types.ts'
import type { Edge } from './chart.ts'
import type { About } from './meaning.ts'
import { currencyOf, numbersIn } from './numbers.ts'

/** A value that a field of the account holds: `field` is a column, `tag`, `category` or `cf.<key>`. */
export interface KnownValue {
  kind: string
  field: string
  value: string
}

export interface AccountWords {
  /** what a folded phrase may stand for as a value */
  values(phrase: string): readonly KnownValue[]
  /** the records with this name */
  records(phrase: string): { kind: string; ids: readonly string[] } | undefined
  /** declared number fields by their folded names */
  fields: readonly { kind: string; key: string; words: string; type: 'number' | 'money' | 'text' }[]
  /** the caller */
  me: string
}

const MAX_PHRASE = 7
const ENTITIES: readonly string[] = ['deal', 'company', 'contact', 'activity']
const isEntity = (kind: string): kind is EntityName => ENTITIES.includes(kind)

export function leavesOf(
  tokens: readonly string[],
  lexicon: Lexicon,
  account: AccountWords,
  now: Date,
): Edge[] {
  const known = phrasesOf(lexicon)
  const own = accountPhrases(lexicon, account)
  const leaves: Edge[] = [...numbersIn(tokens)]
  const today = now.toISOString().slice(0, 10)
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_PHRASE); to++) {
      const phrase = tokens.slice(from, to).join(' ')
      // a longer phrase is meant before the words it consists of
      const cost = -0.2 * (to - from)
      const put = (category: string, meaning: unknown, extra = 0) =>
        leaves.push({ category, from, to, meaning, cost: cost + extra })
      for (const { category, meaning } of [...(known.get(phrase) ?? []), ...(own.get(phrase) ?? [])]) {
        put(category, category === 'State' ? onDay(meaning, today) : meaning)
      }
      const isState = known.get(phrase)?.some(({ category }) => category === 'State') ?? false
      for (const value of account.values(phrase)) {
        // the stage "Won" and the state "won" are the same deals, and the state holds in every pipeline
        if (!(isState && value.field === 'stage_id')) putValue(phrase, value, put)
      }
      const named = account.records(phrase)
      if (named && isEntity(named.kind)) {
        put('Value', { entity: named.kind, where: { field: 'id', op: 'in', value: named.ids } })
      }
      const currency = to - from === 1 ? currencyOf(phrase) : undefined
      if (currency) put('Value', { entity: 'deal', where: { field: 'currency', op: 'eq', value: currency } })
      const [before, ahead] = [timeOf(phrase, now, true), timeOf(phrase, now, false)]
      if (before && ahead) put('Time', { past: spanOf(before), future: spanOf(ahead) })
    }
  }
  return leaves
}

const onDay = (meaning: unknown, today: string): unknown =>
  JSON.parse(JSON.stringify(meaning).replaceAll('$today', today))

/** "in March" is the last one of what has happened and the next one of what is planned. */
const spanOf = ({ from, to }: { from: string | null; to: string | null }) => ({ from, to })

/** "customers", "leads", "CFOs": values that name the records which have them. */
const NAMING = ['status', 'job_title']

function putValue(
  phrase: string,
  value: KnownValue,
  put: (category: string, meaning: unknown, extra?: number) => void,
): void {
  if (!isEntity(value.kind)) return
  // who owns a contact does not own its deals, and a tag of a company is not one of its deals
  const isOwn = ['owner_id', 'assignee_id', 'tag', 'category'].includes(value.field)
  const where = conditionOf(value)
  const about: About = { entity: value.kind, where, ...(isOwn ? { isState: true } : {}) }
  const names = NAMING.includes(value.field)
  if (names) put('Noun', { entity: value.kind, where: [where] }, 0.3)
  // in the plural it is a noun only: "customers in France or leads in Spain" are two sets
  const isPlural = phrase.endsWith('s') && !value.value.toLowerCase().endsWith('s')
  if (!(names && isPlural)) put('Value', about)
}

function conditionOf({ field, value }: KnownValue): Condition {
  if (field === 'tag') return { some: 'tags', where: { field: 'name', op: 'eq', value } }
  if (field === 'category') return { field: 'categories', op: 'contains', value }
  const path = field.endsWith('_id') ? `${field.slice(0, -3)}.name` : field
  return { field: path, op: 'eq', value }
}

type Phrases = Map<string, { category: string; meaning: unknown }[]>

const cached = new WeakMap<Lexicon, Phrases>()

/** Built once for a lexicon: it has about 400 phrases. */
function phrasesOf(lexicon: Lexicon): Phrases {
  const known = cached.get(lexicon)
  if (known) return known
  const phrases: Phrases = new Map()
  for (const [category, words] of Object.entries(lexicon.words)) {
    for (const word of words) add(phrases, [word], category, word)
  }
  for (const { entity, words, where } of lexicon.nouns) {
    add(phrases, words, 'Noun', { entity, where: where ? [where] : [] })
  }
  for (const { entity, words, where, date } of lexicon.states) {
    add(phrases, words, 'State', { entity, where, isState: true, ...(date ? { date } : {}) })
  }
  for (const { entity, field, words, where = { and: [] } } of lexicon.dates) {
    add(phrases, words, 'Dated', { entity, where, date: field })
  }
  for (const { entity, field, type, words, most = [], least = [] } of lexicon.fields) {
    const meaning = { entity, field, type }
    add(phrases, words, 'Field', meaning)
    add(phrases, withArticle(most), 'Superlative', { field: meaning, direction: 'desc' })
    add(phrases, withArticle(least), 'Superlative', { field: meaning, direction: 'asc' })
  }
  cached.set(lexicon, phrases)
  return phrases
}

function accountPhrases(lexicon: Lexicon, { fields, me }: AccountWords): Phrases {
  const phrases: Phrases = new Map()
  for (const about of owned(me)) {
    add(phrases, lexicon.mine, 'Adjective', about)
    add(phrases, lexicon.me, 'Value', about)
  }
  for (const { kind, key, words, type } of fields) {
    if (isEntity(kind)) add(phrases, [words], 'Field', { entity: kind, field: key, type })
  }
  return phrases
}

const withArticle = (words: readonly string[]) => words.flatMap(word => [word, `the ${word}`])

function add(phrases: Phrases, words: readonly string[], category: string, meaning: unknown): void {
  for (const word of words) phrases.set(word, [...(phrases.get(word) ?? []), { category, meaning }])
}

/** Who owns a record: deals and contacts have an owner, activities an assignee. */
const owned = (me: string): About[] => [
  { entity: 'deal', where: { field: 'owner_id', op: 'eq', value: me } },
  { entity: 'contact', where: { field: 'owner_id', op: 'eq', value: me } },
  { entity: 'activity', where: { field: 'assignee_id', op: 'eq', value: me } },
]
