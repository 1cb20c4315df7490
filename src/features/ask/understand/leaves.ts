/** Words of a question → leaves of the chart: the lexicon, the account's own values and names, numbers and times. */
import type { Condition } from '../../records/query/spec.ts'
import type { AccountWords } from '../account/account-words.ts'
import { type Entry, isEntity, type Lexicon, type Phrases } from '../lexicon/types.ts'
import type { Edge } from './chart.ts'
import type { FieldMeaning } from './meaning.ts'
import { currencyOf, numbersIn } from './numbers.ts'
import type { Time } from './rules/shared.ts'
import { timeOf } from './times/index.ts'
import { correctionOf } from './typos.ts'
import { accountPhrases, alike, isLast, type Put, putLoose, putValue, reasonsIn } from './values.ts'

const MAX_PHRASE = 11

/** A phrase of the question; `put` adds a leaf for it. */
interface Phrase {
  text: string
  tokens: readonly string[]
  put: Put
}

export function leavesOf(
  tokens: readonly string[],
  lexicon: Lexicon,
  account: AccountWords,
  now: Date,
): Edge[] {
  const own = accountPhrases(lexicon, account)
  const leaves: Edge[] = [...numbersIn(tokens, lexicon.numbers, account.dollar)]
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_PHRASE); to++) {
      // a longer phrase is meant before the words it consists of
      const cost = -0.2 * (to - from)
      const phrase: Phrase = {
        text: tokens.slice(from, to).join(' '),
        tokens: tokens.slice(from, to),
        put: (category, meaning, extra = 0, end = to) =>
          leaves.push({ category, from, to: end, meaning, cost: cost + extra }),
      }
      putWords(phrase, own, lexicon, account, now)
      putOwn(phrase, lexicon, account)
      if (lexicon.words.Cause?.includes(phrase.text)) {
        const value = reasonsIn(tokens.slice(to), account.loose, lexicon)
        const where = { field: 'lost_reason', op: 'in', value }
        if (value.length > 0) phrase.put('Because', { entity: 'deal', where }, 0, tokens.length)
      }
      putTimes(phrase, lexicon, now)
    }
  }
  return withFiller(withTypos(tokens, leaves, lexicon), tokens, lexicon)
}

/** What the lexicon knows, and the account's own fields. */
function putWords(
  { text, tokens, put }: Phrase,
  own: Phrases,
  lexicon: Lexicon,
  account: AccountWords,
  now: Date,
): void {
  const today = now.toISOString().slice(0, 10)
  const said = lexicon.phrases.get(text) ?? lexicon.phrases.get(withoutFiller(tokens, lexicon))
  for (const { category, meaning } of withOwn(text, said ?? [], own.get(text) ?? [])) {
    const isDated = category === 'State' || category === 'Verb'
    // what comes next comes after now
    const isNext = category === 'Next' || category === 'NextTime'
    const extra = category === 'Field' && isUnused(meaning, account) ? UNUSED_COST : 0
    put(category, isNext ? now.toISOString() : isDated ? onDay(meaning, today) : meaning, extra)
  }
}

/** The account's values and the names of its records. */
function putOwn({ text, tokens, put }: Phrase, lexicon: Lexicon, account: AccountWords): void {
  const values = account.values(text)
  const isState = lexicon.phrases.get(text)?.some(({ category }) => category === 'State') ?? false
  for (const some of alike(values)) {
    // the stage "Won" and the state "won" are the same deals, and the state holds in every pipeline
    if (!(isState && some[0].field === 'stage_id')) putValue(text, some, put)
  }
  const named = account.records(text)
  if (named && isEntity(named.kind)) {
    // "the hotel industry" is no company that is called so
    const extra = values.length > 0 ? 0.4 : 0
    const where: Condition = { field: 'id', op: 'in', value: named.ids }
    put('Value', { entity: named.kind, where }, extra)
    // "renewals": the deals that are called so
    if (named.kind === 'deal' && text.endsWith('s') && named.names.every(name => isLast(text, name)))
      put('Noun', { entity: 'deal', where: [where] }, extra + 0.3)
  }
  if (tokens.length > 1) return
  if (values.length === 0 && !named) putLoose(text, account, lexicon, put)
  const value = currencyOf(text, account.dollar)
  if (value) put('Value', { entity: 'deal', where: { field: 'currency', op: 'eq', value } })
}

function putTimes({ text, tokens, put }: Phrase, { timeWords }: Lexicon, now: Date): void {
  const time = tokens.map(token => timeWords.get(token) ?? token).join(' ')
  const isName = tokens.length === 1 && /^\p{L}+$/u.test(text)
  const month = isName ? timesOf(`in ${time}`, now) : undefined
  if (month) put('Month', month)
  const times = timesOf(time, now)
  if (!times) return
  put('Time', {
    ...times,
    ...(UNFINISHED.test(time) ? { isNow: true } : {}),
    ...((times.past.from ?? '') >= now.toISOString().slice(0, 10) ? { isAhead: true } : {}),
    ...(LASTING.test(time) ? { isLasting: true } : {}),
    ...(UNTIL.test(time) ? { isUntil: true } : {}),
  })
}

/** "in March" is the last one of what has happened and the next one of what is planned. */
function timesOf(time: string, now: Date): Pick<Time, 'past' | 'future'> | undefined {
  const [past, future] = [timeOf(time, now, true), timeOf(time, now, false)]
  return past && future && { past, future }
}

/** An account with a field "Account manager" means that field by it, and not the owner, whom others call so. */
function withOwn(phrase: string, said: readonly Entry[], own: readonly Entry[]): Entry[] {
  const isField = ({ category }: Entry) => category === 'Field'
  const isNamed = phrase.includes(' ') && own.some(isField)
  return [...(isNamed ? said.filter(one => !isField(one)) : said), ...own]
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
function withTypos(tokens: readonly string[], leaves: Edge[], lexicon: Lexicon): Edge[] {
  const known = lexicon.phrases
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
const withoutFiller = (tokens: readonly string[], { filler }: Lexicon): string =>
  tokens.filter((token, i) => i === 0 || i === tokens.length - 1 || !filler.includes(token)).join(' ')

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
