/** Words of a question → leaves of the chart: the lexicon, the account's own values and names, numbers and times. */
import type { Condition } from '../../records/query/spec.ts'
import type { AccountWords } from '../account/account-words.ts'
import { type Entry, isEntity, type Lexicon, type Phrases } from '../lexicon/types.ts'
import type { Edge } from './chart.ts'
import { isLast, reasonsIn } from './loose.ts'
import type { FieldMeaning } from './meaning.ts'
import { currencyOf, numbersIn } from './numbers.ts'
import { accountPhrases } from './phrases.ts'
import { timeOf } from './times/index.ts'
import { correctionOf } from './typos.ts'
import { alike, putLoose, putValue } from './values.ts'

const MAX_PHRASE = 9

export function leavesOf(
  tokens: readonly string[],
  lexicon: Lexicon,
  account: AccountWords,
  now: Date,
): Edge[] {
  const known = lexicon.phrases
  const own = accountPhrases(lexicon, account)
  const leaves: Edge[] = [...numbersIn(tokens, lexicon.numbers, account.dollar)]
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
      for (const { category, meaning } of withOwn(phrase, said ?? [], own.get(phrase) ?? [])) {
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
      const currency = to - from === 1 ? currencyOf(phrase, account.dollar) : undefined
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
