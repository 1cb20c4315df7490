/** Words of a question → leaves of the chart: the lexicon, the account's own values and names, numbers and times. */
import type { Condition } from '../../records/query/spec.ts'
import type { AccountWords, KnownValue } from '../account/account-words.ts'
import type { EntityName, Lexicon } from '../lexicon/types.ts'
import type { Edge } from './chart.ts'
import { isHead, isLast, reasonsIn, reasonsWith, titlesWith } from './loose.ts'
import type { About, FieldMeaning } from './meaning.ts'
import { currencyOf, numbersIn } from './numbers.ts'
import { timeOf } from './times/index.ts'
import { tokensOf } from './tokens.ts'
import { correctionOf } from './typos.ts'

const MAX_PHRASE = 9
const ENTITIES: readonly string[] = ['deal', 'company', 'contact', 'activity', 'note', 'product']
export const isEntity = (kind: string): kind is EntityName => ENTITIES.includes(kind)

export function leavesOf(
  tokens: readonly string[],
  lexicon: Lexicon,
  account: AccountWords,
  now: Date,
): Edge[] {
  const known = phrasesOf(lexicon)
  const own = accountPhrases(lexicon, account)
  const leaves: Edge[] = [...numbersIn(tokens, lexicon.numbers)]
  const today = now.toISOString().slice(0, 10)
  const inEnglish = (token: string) =>
    Object.hasOwn(lexicon.timeWords, token) ? (lexicon.timeWords[token] ?? token) : token
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_PHRASE); to++) {
      const phrase = tokens.slice(from, to).join(' ')
      // a longer phrase is meant before the words it consists of
      const cost = -0.2 * (to - from)
      const put = (category: string, meaning: unknown, extra = 0) =>
        leaves.push({ category, from, to, meaning, cost: cost + extra })
      const said = known.get(phrase) ?? known.get(withoutFiller(tokens, from, to, lexicon))
      for (const { category, meaning } of [...(said ?? []), ...(own.get(phrase) ?? [])]) {
        const isDated = category === 'State' || category === 'Verb'
        // what comes next comes after now
        const isNext = category === 'Next' || category === 'NextTime'
        const extra = category === 'Field' && isUnused(meaning, account) ? UNUSED_COST : 0
        put(category, isNext ? now.toISOString() : isDated ? onDay(meaning, today) : meaning, extra)
      }
      const isState = known.get(phrase)?.some(({ category }) => category === 'State') ?? false
      for (const values of alike(account.values(phrase))) {
        // the stage "Won" and the state "won" are the same deals, and the state holds in every pipeline
        if (!(isState && values[0].field === 'stage_id')) putValue(phrase, values, put)
      }
      const named = account.records(phrase)
      if (named && isEntity(named.kind)) {
        // "the hotel industry" is no company that is called so
        const extra = account.values(phrase).length > 0 ? 0.4 : 0
        const where: Condition = { field: 'id', op: 'in', value: named.ids }
        put('Value', { entity: named.kind, where }, extra)
        // "renewals": the deals that are called so
        if (named.kind === 'deal' && phrase.endsWith('s') && named.names.every(name => isLast(phrase, name)))
          put('Noun', { entity: 'deal', where: [where] }, extra + 0.3)
      }
      if (to - from === 1 && account.values(phrase).length === 0 && !named)
        putLoose(phrase, account, lexicon, put)
      if (lexicon.words.Cause?.includes(phrase)) {
        const reasons = reasonsIn(tokens.slice(to), account.loose, lexicon)
        const where = { field: 'lost_reason', op: 'in', value: reasons }
        if (reasons.length > 0)
          leaves.push({
            category: 'Because',
            from,
            to: tokens.length,
            meaning: { entity: 'deal', where },
            cost,
          })
      }
      const currency = to - from === 1 ? currencyOf(phrase) : undefined
      if (currency) put('Value', { entity: 'deal', where: { field: 'currency', op: 'eq', value: currency } })
      const time = tokens.slice(from, to).map(inEnglish).join(' ')
      const isName = to - from === 1 && /^\p{L}+$/u.test(phrase)
      const bare = isName ? timeOf(`in ${time}`, now, true) : undefined
      if (bare) put('Month', { past: bare, future: timeOf(`in ${time}`, now, false) ?? bare })
      const [before, ahead] = [timeOf(time, now, true), timeOf(time, now, false)]
      if (before && ahead) {
        const isNow = UNFINISHED.test(time) ? { isNow: true } : {}
        const isAhead = (before.from ?? '') >= today ? { isAhead: true } : {}
        const isLasting = LASTING.test(time) ? { isLasting: true } : {}
        const isUntil = UNTIL.test(time) ? { isUntil: true } : {}
        put('Time', {
          past: spanOf(before),
          future: spanOf(ahead),
          ...isNow,
          ...isAhead,
          ...isLasting,
          ...isUntil,
        })
      }
    }
  }
  return withFiller(withTypos(tokens, leaves, known, lexicon), tokens, lexicon)
}

/** A field that is empty in all records is hardly meant: of contacts without cities, those of their companies. */
const UNUSED_COST = 0.8

const isUnused = (meaning: unknown, { isUsed }: AccountWords): boolean => {
  const { entity, field } = meaning as FieldMeaning
  return !isUsed(entity, field)
}

/** How long something has been so: "for more than two weeks". */
const LASTING = /^for /
/** "does not close until March" means that it closes then or later. */
const UNTIL = /^(?:until|till) /
/** Times that are not over. */
const UNFINISHED = /\b(?:this|current|today)\b/

const TYPO_COST = 0.8

/** A word that is nothing else may be a misspelt word of the lexicon. */
function withTypos(tokens: readonly string[], leaves: Edge[], known: Phrases, lexicon: Lexicon): Edge[] {
  const filler = new Set(lexicon.filler.flatMap(phrase => phrase.split(' ')))
  const added = tokens.flatMap((token, from) => {
    if (filler.has(token) || leaves.some(leaf => leaf.from <= from && leaf.to > from)) return []
    const word = correctionOf(token, [...known.keys()], lexicon)
    const entries = word === undefined ? [] : (known.get(word) ?? [])
    return entries.map(({ category, meaning }) => ({
      category,
      from,
      to: from + 1,
      meaning,
      cost: TYPO_COST - 0.2,
    }))
  })
  return [...leaves, ...added]
}

const FILLER_COST = 0.05

/** "has already passed" is "has passed". */
function withoutFiller(tokens: readonly string[], from: number, to: number, { filler }: Lexicon): string {
  return tokens
    .slice(from, to)
    .filter((token, i) => i === 0 || i === to - from - 1 || !filler.includes(token))
    .join(' ')
}

/** Filler belongs to the word before it, at the start to the one after it. */
function withFiller(
  leaves: readonly Edge[],
  tokens: readonly string[],
  { filler, words: lexiconWords }: Lexicon,
): Edge[] {
  const words = new Set(filler)
  const endsOf = (from: number): number[] => {
    const ends: number[] = []
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_PHRASE); to++) {
      if (words.has(tokens.slice(from, to).join(' '))) ends.push(to, ...endsOf(to))
    }
    return ends
  }
  // "worth more than 100,000 in total" compares a sum
  const totals = new Set(lexiconWords.InTotal)
  const isSum = ({ category, to }: Edge, end: number) =>
    category === 'Number' && totals.has(tokens.slice(to, end).join(' '))
  const longer = leaves.flatMap(leaf =>
    endsOf(leaf.to)
      .filter(to => !isSum(leaf, to))
      .map(to => ({ ...leaf, to, cost: leaf.cost + FILLER_COST })),
  )
  const starts = new Set(endsOf(0))
  const first = [...leaves, ...longer].filter(leaf => starts.has(leaf.from))
  return [...leaves, ...longer, ...first.map(leaf => ({ ...leaf, from: 0, cost: leaf.cost + FILLER_COST }))]
}

const onDay = (meaning: unknown, today: string): unknown =>
  JSON.parse(JSON.stringify(meaning).replaceAll('$today', today))

/** "in March" is the last one of what has happened and the next one of what is planned. */
const spanOf = ({ from, to }: { from: string | null; to: string | null }) => ({ from, to })

const LOOSE_COST = 0.6

function putLoose(
  word: string,
  { loose }: AccountWords,
  lexicon: Lexicon,
  put: (category: string, meaning: unknown, extra?: number) => void,
): void {
  const titles = phrasesOf(lexicon).has(word) ? [] : titlesWith(word, loose, lexicon.titles)
  const whereOf = (field: string): Condition[] => {
    const value = [...new Set(titles.filter(one => one.field === field).map(one => one.value))]
    return value.length === 0 ? [] : [{ field, op: 'in', value }]
  }
  const either = [...whereOf('job_title'), ...whereOf('department')]
  const [only] = either
  if (only) {
    const where: Condition = either.length === 1 ? only : { or: either }
    put('Value', { entity: 'contact', where }, LOOSE_COST)
    if (
      Object.hasOwn(lexicon.titles, word.replace(/s$/, '')) ||
      titles.some(({ value }) => isHead(word, value))
    )
      put('Noun', { entity: 'contact', where: [where] }, LOOSE_COST + 0.3)
  }
  const reasons = reasonsWith(word, loose, lexicon.reasons)
  if (reasons.length > 0)
    put('Reason', { entity: 'deal', where: { field: 'lost_reason', op: 'in', value: reasons } })
}

/** "customers", "leads", "CFOs", "renewals": values that name the records which have them. */
const NAMING = ['status', 'job_title', 'deal_type', 'tag', 'category', 'connection_strength']
/** Of these only the plural does: "proposals with nothing planned". */
const NAMING_IN_PLURAL = ['stage_id', 'deal_type', 'tag']

/** "distributors", "a hotel": industries that are named by the companies in them. */
const isTrade = ({ field, value }: KnownValue): boolean =>
  field === 'industry' && /[^aeious]s$|[aeo]rs$|ies$|els$/i.test(value) && !/(?:ics|ss)$/i.test(value)

/** Who owns a contact does not own its deals, and a tag of a company is not one of its deals. */
const OWN = ['owner_id', 'assignee_id', 'author_id', 'tag', 'category', 'connection_strength']

type Alike = readonly [KnownValue, ...KnownValue[]]

/** "Europe" stands for several countries, "Ann" for one of those who are called so. */
function alike(values: readonly KnownValue[]): Alike[] {
  const keyOf = ({ kind, field, value }: KnownValue) =>
    JSON.stringify(field.endsWith('_id') ? [kind, field, value] : [kind, field])
  // Singapore is a country and a city, and whoever is in one is in the other
  const isCity = (one: KnownValue) =>
    one.field === 'city' && values.some(({ kind, field }) => kind === one.kind && field === 'country')
  return [...Map.groupBy(values, keyOf).values()].flatMap(([first, ...others]): Alike[] =>
    first && !isCity(first) ? [[first, ...others]] : [],
  )
}

function putValue(
  phrase: string,
  values: Alike,
  put: (category: string, meaning: unknown, extra?: number) => void,
): void {
  const [value] = values
  if (!isEntity(value.kind)) return
  const isOwn = OWN.includes(value.field)
  const where = conditionOf(values)
  const about: About = { entity: value.kind, where, ...(isOwn ? { isState: true } : {}) }
  const isPlural = phrase.endsWith('s') && !value.value.toLowerCase().endsWith('s')
  const names = NAMING_IN_PLURAL.includes(value.field)
    ? isPlural
    : NAMING.includes(value.field) || isTrade(value)
  // leads are people or companies before they are deals in the stage Lead
  const many = isPlural || (isTrade(value) && phrase.endsWith('s')) ? { isMany: true } : {}
  if (names)
    put('Noun', { entity: value.kind, where: [where], ...many }, value.field === 'stage_id' ? 0.7 : 0.3)
  // in the plural it is a noun only: "customers in France or leads in Spain" are two sets
  if (!(names && isPlural)) put('Value', about)
}

export function conditionOf([first, ...others]: Alike): Condition {
  const { field, value } = first
  if (field === 'tag') return { some: 'tags', where: { field: 'name', op: 'eq', value } }
  if (field === 'category') return { field: 'categories', op: 'contains', value }
  const path = field.endsWith('_id') ? `${field.slice(0, -3)}.name` : field
  if (others.length === 0) return { field: path, op: 'eq', value }
  return { field: path, op: 'in', value: [value, ...others.map(other => other.value)] }
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
  for (const { entity, words, many, where } of lexicon.nouns) {
    const noun = { entity, where: where ? [where] : [] }
    add(phrases, words, 'Noun', noun)
    add(phrases, many, 'Noun', { ...noun, isMany: true })
  }
  for (const { entity, words, verbs = [], where, date } of lexicon.states) {
    const state = { entity, where, isState: true, ...(date ? { date } : {}) }
    add(phrases, words, 'State', state)
    add(phrases, verbs, 'Verb', state)
  }
  for (const { entity, field, words, verbs = [], where = { and: [] } } of lexicon.dates) {
    add(phrases, words, 'Dated', { entity, where, date: field })
    add(phrases, verbs, 'Verb', { entity, where, date: field })
  }
  for (const { entity, field, words, where = { and: [] } } of lexicon.having) {
    add(phrases, words, 'Verb', { entity, where, date: field })
  }
  for (const { types, words } of lexicon.touches) add(phrases, words, 'Touch', types)
  for (const [bucket, words] of Object.entries(lexicon.buckets)) add(phrases, words, 'Bucket', bucket)
  for (const [way, words] of Object.entries(lexicon.directions)) add(phrases, words, 'Direction', way)
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
    add(phrases, lexicon.me, 'Value', orNobodys(about))
  }
  for (const { kind, key, label, type } of fields) {
    if (!isEntity(kind)) continue
    const name = tokensOf(label).join(' ')
    add(phrases, formsOf(name, type), 'Field', { entity: kind, field: key, type })
    const where: Condition = { field: key, op: 'eq', value: true }
    if (type === 'flag') add(phrases, statesOf(name), 'State', { entity: kind, where, isState: true })
  }
  return phrases
}

/** "Pallets per week" is also said "pallets a week" and "pallets"; "Machines installed" also "machines are installed". */
function formsOf(name: string, type: string): string[] {
  const all = name.split(' ')
  const last = all.at(-1) ?? ''
  // "by plan" for the field "Care plan", "NPS" for "NPS score"
  if (type === 'text') return all.length > 1 ? [name, `${name}s`, last, `${last}s`] : [name, `${name}s`]
  if (type === 'flag') return [name, `${name}s`]
  const [, things] = /^(?:number|count|amount) of (.+)$/.exec(name) ?? []
  if (things) return [name, things]
  if (all.length > 1 && GENERIC.has(last)) return [name, all.slice(0, -1).join(' ')]
  const [, head, unit] = /^(.+?) (?:per|a|each) (\S+)$/.exec(name) ?? []
  if (head && unit) return [name, head, `${head} a ${unit}`, `${head} each ${unit}`, `${head} every ${unit}`]
  const [, noun, participle] = /^(\S+s) (\S+ed)$/.exec(name) ?? []
  if (noun && participle)
    return [name, noun, ...['are', 'do we have', 'have we'].map(link => `${noun} ${link} ${participle}`)]
  return [name]
}

/** "ISO 27001 certified" is also said "ISO certified" and "certified"; "NDA signed" also "signed an NDA". */
function statesOf(name: string): string[] {
  const words = name.split(' ')
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const plain = before.filter(word => !/\d/.test(word)).join(' ')
  if (!/(?:ed|ted|able|ible|ant|ive|ree)$/.test(last)) return [name]
  const head = before.join(' ')
  const turned = head === '' ? [] : ['', 'a ', 'an ', 'the '].map(article => `${last} ${article}${head}`)
  return [...new Set([name, `${plain} ${last}`.trim(), last, ...turned])]
}

const GENERIC = new Set('size value count score rate rating level amount volume index quantity'.split(' '))

const withArticle = (words: readonly string[]) => words.flatMap(word => [word, `the ${word}`])

function add(phrases: Phrases, words: readonly string[], category: string, meaning: unknown): void {
  for (const word of words) phrases.set(word, [...(phrases.get(word) ?? []), { category, meaning }])
}

/** "did I call": who works alone often leaves empty who did it. */
function orNobodys({ where, ...about }: About): About {
  const field = 'field' in where ? where.field : ''
  return { ...about, where: { or: [where, { field, op: 'is_null', value: true }] } }
}

/** Who owns a record: deals and contacts have an owner, activities an assignee. */
const owned = (me: string): About[] => [
  { entity: 'deal', where: { field: 'owner_id', op: 'eq', value: me }, isState: true },
  { entity: 'contact', where: { field: 'owner_id', op: 'eq', value: me }, isState: true },
  { entity: 'activity', where: { field: 'assignee_id', op: 'eq', value: me }, isState: true },
]
