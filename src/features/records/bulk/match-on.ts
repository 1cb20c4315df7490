/** What `match_on` of an upsert accepts, and the condition by which it finds an existing record. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { narrowed } from '../../../kernel/custom-values.ts'
import { errors } from '../../../kernel/errors.ts'
import type { RecordInput, RecordType } from '../../../kernel/resource.ts'
import type { Loc } from '../../../kernel/schema/index.ts'
import { isRecord } from '../../../lib/values.ts'
import { sourceNamed, withExternalId } from '../../../resources/shared/external-ids.ts'
import { type Keep, keepNothing } from './keep.ts'

export interface Match {
  value: unknown
  where: RawBuilder<unknown>
}

export interface Matcher {
  match(ctx: Ctx, input: RecordInput): Match | undefined | Promise<Match | undefined>
  keep: Keep
}

/** The fields that `match_on` accepts for a kind, besides `cf.<key>`; values are compared without case. */
export interface Matchers {
  [matchOn: string]: Matcher
}

const hasExternalIds = (record: RecordType): boolean => 'external_ids' in record.input.fields

/** What `match_on` accepts for a kind. */
export const matchNames = (record: RecordType, matchers: Matchers): string[] => [
  ...Object.keys(matchers),
  ...(hasExternalIds(record) ? ['external_ids.<source>'] : []),
  'cf.<key>',
]

export function matcherOf(record: RecordType, matchers: Matchers, matchOn: string, loc: Loc): Matcher {
  const key = /^cf\.([a-z][a-z0-9_]{0,62})$/.exec(matchOn)?.[1]
  if (key !== undefined)
    return { match: (ctx, input) => customMatch(ctx, record, key, input), keep: keepNothing }
  const source = hasExternalIds(record) ? sourceNamed(matchOn) : undefined
  if (source !== undefined)
    return { match: (ctx, input) => externalMatch(ctx, record, source, input), keep: keepNothing }
  const matcher = Object.hasOwn(matchers, matchOn) ? matchers[matchOn] : undefined
  if (matcher) return matcher
  const names = matchNames(record, matchers)
  const expected = `'${names.slice(0, -1).join("', '")}' or '${names.at(-1)}'`
  throw errors.invalid([
    {
      type: 'enum',
      loc,
      msg: `Input should be ${expected}`,
      input: matchOn,
      ctx: { expected },
    },
  ])
}

async function customMatch(
  ctx: Ctx,
  record: RecordType,
  key: string,
  input: RecordInput,
): Promise<Match | undefined> {
  const { metadata } = input
  const value = isRecord(metadata) && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  if (value === undefined || value === null || typeof value === 'object') return undefined
  const column = (await record.custom?.(ctx))?.get(key)
  const where = sql`${narrowed(ctx, column, value)} and r.metadata -> ${key} = ${JSON.stringify(value)}::jsonb`
  return { value, where }
}

function externalMatch(ctx: Ctx, record: RecordType, source: string, input: RecordInput): Match | undefined {
  const ids = input.external_ids
  const id = isRecord(ids) && Object.hasOwn(ids, source) ? ids[source] : undefined
  if (typeof id !== 'string' || record.entityType === undefined) return undefined
  return { value: id, where: withExternalId(ctx, record.entityType, source, id) }
}
