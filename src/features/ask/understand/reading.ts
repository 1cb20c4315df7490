/** A question that stands alone → its meaning, or none. Pure: the account's words come as an argument. */
import type { Condition, Query } from '../../records/query/spec.ts'
import type { AccountWords } from '../account/account-words.ts'
import { lexiconOf } from '../lexicon/index.ts'
import type { Lexicon } from '../lexicon/types.ts'
import { type Edge, parse } from './chart.ts'
import { contradictsItself } from './contradiction.ts'
import { leavesOf } from './leaves.ts'
import { type Meaning, plain } from './meaning.ts'
import { RULES } from './rules/index.ts'
import { MAX_TOKENS, tokensOf } from './tokens.ts'

export interface Understood {
  meaning: Meaning
  /** other readings that are about as likely; the caller must ask which one is meant */
  alternatives: Meaning[]
  /** it leans on the question before, and means nothing or something else alone */
  isFollowUp?: true
}

/** Readings closer than this in cost are both plausible. */
const MARGIN = 0.3

export const readAlone = (question: string, account: AccountWords, now: Date): Understood | undefined =>
  read(question, account, now) ?? afterPreamble(question, account, now)

/** What is said of records: before a colon, too, it belongs to the question. */
const SAYING = new Set([
  'Noun',
  'Value',
  'Field',
  'State',
  'Number',
  'Time',
  'Superlative',
  'More',
  'Less',
  'Not',
])

/** "For my report: open deals by stage". Who names somebody before the colon asks about them. */
function afterPreamble(question: string, account: AccountWords, now: Date): Understood | undefined {
  const [, preamble, rest] = /^([^:!]{3,60})[:!] +(.{12,})$/s.exec(question.trim()) ?? []
  if (preamble === undefined || rest === undefined) return undefined
  const words = tokensOf(preamble)
  const says = leavesOf(words, lexiconOf(words), account, now).some(({ category }) => SAYING.has(category))
  return says ? undefined : read(rest, account, now)
}

function read(question: string, account: AccountWords, now: Date): Understood | undefined {
  const words = tokensOf(question)
  const lexicon = lexiconOf(words)
  const tokens = words.map(token => spelt(token, lexicon))
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return undefined
  const said = ` ${tokens.join(' ')} `
  if (lexicon.unread.some(phrase => said.includes(` ${phrase} `))) return undefined
  return understoodFrom(parse(tokens.length, leavesOf(tokens, lexicon, account, now), RULES, 'Meaning'))
}

/** The cheapest reading, and those that are about as cheap. */
export function understoodFrom(parses: readonly Edge[]): Understood | undefined {
  const readings = new Map<string, { meaning: Meaning; cost: number }>()
  for (const { meaning, cost } of parses) {
    const normal = normalised(meaning as Meaning)
    if (queriesOf(normal).some(({ where }) => contradictsItself(where))) continue
    const key = JSON.stringify(normal.kind === 'query' ? [normal.query, normal.show] : normal)
    if (!readings.has(key)) readings.set(key, { meaning: normal, cost })
  }
  const [best, ...others] = readings.values()
  if (!best) return undefined
  const close = others.filter(({ cost }) => cost < best.cost + MARGIN)
  return { meaning: best.meaning, alternatives: close.map(({ meaning }) => meaning) }
}

export const spelt = (token: string, { misspelt }: Lexicon): string => misspelt.get(token) ?? token

export function normalised(meaning: Meaning): Meaning {
  if (meaning.kind === 'every')
    return { kind: 'every', set: normalQuery(meaning.set), exceptions: normalQuery(meaning.exceptions) }
  if (meaning.kind === 'share')
    return { kind: 'share', query: normalQuery(meaning.query), whole: normalQuery(meaning.whole) }
  return { ...meaning, query: normalQuery(meaning.query) }
}

export function queriesOf(meaning: Meaning): Query[] {
  if (meaning.kind === 'every') return [meaning.set, meaning.exceptions]
  return meaning.kind === 'share' ? [meaning.query, meaning.whole] : [meaning.query]
}

export const normalQuery = (query: Query): Query =>
  query.where === undefined ? query : { ...query, where: sorted(plain(query.where)) }

/** The order in which conditions were said does not matter. */
function sorted(where: Condition): Condition {
  const inOrder = (parts: readonly Condition[]) =>
    parts.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if ('and' in where) return { and: inOrder(where.and) }
  if ('or' in where) return { or: inOrder(where.or) }
  if ('not' in where) return { not: sorted(where.not) }
  return 'where' in where && where.where !== undefined ? { ...where, where: sorted(where.where) } : where
}
