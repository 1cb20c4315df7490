/** Groups in an order or only some of them: "top 3 countries by pipeline", "industries with more than one customer". */
import type { Field } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { PEOPLE } from './colleagues.ts'
import { type Reading, take } from './reading.ts'

const NUMBER_WORDS = 'two three four five six seven eight nine ten'.split(' ')
const NUMBER = `(?:\\d{1,2}|${NUMBER_WORDS.join('|')})`
const BY = '(?:by|on|according to|in terms of|in order of|based on)(?: the| their)*'
const UP = '(?:top|best|biggest|largest|highest|strongest)'
const DOWN = '(?:bottom|worst|smallest|lowest|weakest)'
const SOME = 5

const numberOf = (said: string): number | undefined => {
  const word = new RegExp(`(?:^| )(${NUMBER})(?= |$)`).exec(said)?.[1]
  return word === undefined ? undefined : Number(word) || NUMBER_WORDS.indexOf(word) + 2
}

/** Whether it asks so for the groups of one of the dimensions. */
export function groupOfSome(reading: Reading, plan: Plan, dimensions: readonly Field[]): boolean {
  for (const field of dimensions) {
    if (!isRanked(reading, plan, field) && !isBesides(reading, field) && !isOfMany(reading, plan, field))
      continue
    plan.groupBy = { label: field.label, value: field.value(reading.ctx) }
    return true
  }
  return false
}

/** "rank the countries by pipeline", "the top 3 countries by pipeline" */
function isRanked(reading: Reading, plan: Plan, { said }: Field): boolean {
  const ranked = take(
    reading,
    `(?:rank(?:ing)?|sort|order)(?: of)?(?: the| our| all| my)* (?:${said.source}) ${BY}`,
  )
  const first =
    // the one owner on top is asked for by "who"
    ranked ??
    take(
      reading,
      `(?:the |our )?(?:${UP}|${DOWN})(?: ${NUMBER} (?:${said.source})| (?:${said.source})(?<=s)) ${BY}`,
    )
  if (first === undefined) return false
  const shown = ranked && take(reading, `(?:only |just |show )?(?:the )?(?:top|first|bottom|last) ${NUMBER}`)
  const many = numberOf(shown ?? first) ?? (ranked ? undefined : SOME)
  if (many !== undefined)
    plan.top = new RegExp(`(?:^| )(?:${DOWN}|last) `).test(`${shown ?? first} `) ? -many : many
  return true
}

/** "how many open deals, and in which stages are they" */
function isBesides(reading: Reading, { key, said }: Field): boolean {
  const whose = PEOPLE.includes(key)
    ? '|and (?:whose (?:are|is) (?:they|it)|who (?:owns|has|holds) (?:them|it|these|which)|whom do they belong to)'
    : ''
  return (
    take(
      reading,
      `and (?:(?:in|at|from|of|by|on) )?(?:which|what) (?:${said.source})(?: (?:are|were|is|do) (?:they|these|those|it)(?: (?:in|at|from|have))?)?(?= $)${whose}`,
    ) !== undefined
  )
}

/** "industries where we have more than one customer": of what is counted, not of what it is worth. */
function isOfMany(reading: Reading, plan: Plan, { key, said }: Field): boolean {
  const { amount } = reading
  if (
    !amount ||
    amount.currency ||
    !/^ (?:(?:open|won|lost) )?(?:¤|deals?|contacts?|compan(?:y|ies)|accounts?|activit(?:y|ies)|calls?|meetings?|tasks?) /.test(
      amount.after,
    )
  )
    return false
  const who = PEOPLE.includes(key) ? take(reading, '(?<=^ )who(?= (?:has|have|owns|got) ¤ )') : undefined
  const each =
    who ??
    take(
      reading,
      `(?<=^ (?:(?:which|what|in|list|show|all|the|our|are|there|any) )*)(?:${said.source})(?= (?:(?:where|in which|that|which|with|do|does|we|there|are|have|has|having|got) )+¤ )`,
    )
  if (each === undefined) return false
  plan.having = amount.comparisons
  reading.amount = undefined
  return true
}
