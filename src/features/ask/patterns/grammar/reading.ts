/** A question as it is being read: what was understood is taken out, until nothing is left. */
import { sql } from 'kysely'
import type { Ctx } from '../../../../kernel/context.ts'
import { rows } from '../../../../kernel/statements.ts'
import type { Field } from '../fields/index.ts'
import type { Condition } from '../plan.ts'
import type { AmountFound } from './amounts.ts'
import type { Flag } from './flags.ts'
import type { Mention } from './mentions.ts'
import type { Span } from './times.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Words without a meaning of their own in such questions. */
const FILLER = new Set(
  `a an the of in on at by for to from with and or is are was were be been being do does did have has had having how
  what which who whom whose when where show list give tell me find get please can could would you i we us our my all any
  there here it its that those these this they them their currently right now at present still yet already so far
  exist exists records record crm database system entries one ones many much overall altogether as same each per am
  named about regarding related associated linked belonging belong belongs within into out going go set up
  scheduled make made makes see know want need s re ve get got currently active total number count us if whether than then
  works work working worked employed lives live living based located come comes came coming held happen happens happened
  take takes taking place assigned owned owns own handled managed managing responsible tagged tag tags category labelled
  labeled marked stage status value values worth name names field date dates money having stands stand look like involved
  left remain remaining will shall anything something everything after care charge looking send sent receive received know knows every sort kind type under over during expected
  through via across among amongst sitting sits sit holds hold contains contain gave both either involving
  carry carries involve involves attending attended attend participating participated but`.split(/\s+/),
)

export interface Reading {
  ctx: Ctx
  now: Date
  text: string
  vocabulary: Vocabulary
  mentions: Mention[]
  conditions: Condition[]
  span: Span | undefined
  amount: AmountFound | undefined
  flags: Flag[]
  /** the currency that was named as a condition */
  currency: string | undefined
}

export const bounded = (pattern: RegExp | string) =>
  new RegExp(`(?<= )(?:${typeof pattern === 'string' ? pattern : pattern.source})(?= )`)

export const says = (reading: { text: string }, pattern: RegExp | string): boolean =>
  bounded(pattern).test(reading.text)

/** Takes the words out of the question, as understood. */
export function take(reading: Reading, pattern: RegExp | string): string | undefined {
  const match = bounded(pattern).exec(reading.text)
  if (!match) return undefined
  reading.text = `${reading.text.slice(0, match.index)}¤${reading.text.slice(match.index + match[0].length)}`
  return match[0]
}

export const leftOver = (reading: { text: string }): string[] =>
  reading.text
    .split(' ')
    .filter(word => word !== '' && word !== '¤' && !FILLER.has(word) && !/^[&.=<>-]+$/.test(word))

export const today = (reading: Reading) => reading.now.toISOString().slice(0, 10)

export const stageType = (reading: Reading, type: string) =>
  sql`r.stage_id in (select s.id from ${rows(reading.ctx, 'stages')} s where s.type = ${type})`

/** The fields that are named; of those that one name could mean, the longest: the next step is no step. */
export function fieldsAsked(reading: Reading, fields: readonly Field[]): Field[] {
  const named = fields.flatMap(field => {
    const match = bounded(field.said).exec(reading.text)
    return match ? [{ field, from: match.index, to: match.index + match[0].length }] : []
  })
  return named
    .filter(
      one =>
        !named.some(
          other => other.from <= one.from && other.to >= one.to && other.to - other.from > one.to - one.from,
        ),
    )
    .map(one => one.field)
}
