/** `POST /api/<group>/upsert?match_on=…`: update the record that has this value, or create one. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query, transaction } from '../../../kernel/context.ts'
import { narrowed } from '../../../kernel/custom-values.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { pathOf, withArticle } from '../../../kernel/general-endpoints.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import type { RecordInput, RecordType, Resource, Stored } from '../../../kernel/resource.ts'
import { type Loc, object, text } from '../../../kernel/schema/index.ts'
import { living } from '../../../kernel/statements.ts'
import { isRecord } from '../../../lib/values.ts'
import { sourceNamed, withExternalId } from '../../../resources/shared/external-ids.ts'

type Sql = RawBuilder<unknown>

/** What records of a kind can be recognised by, besides `cf.<key>`; values are compared without case. */
export interface Matchers {
  [matchOn: string]: (ctx: Ctx, input: RecordInput) => Match | undefined
}

interface Match {
  value: unknown
  where: Sql
}

export const upsertEndpoint = (resource: Resource, matchers: Matchers): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${pathOf(resource)}/upsert`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    summary: `Update or create ${withArticle(resource.record.label)}`,
    description: `\`match_on\` is one of ${Object.keys(matchers).join(', ')}, external_ids.<source>, or cf.<key>. 200 when one was updated, 201 when one was created, 409 when several match.`,
    query: object({ match_on: text({ max: 120 }) }),
    body: resource.record.input,
    response: resource.record.output,
    otherStatuses: [201],
    single: true,
    run: async (ctx, request) => {
      const { isNew, record } = await upsertRecord(
        ctx,
        resource,
        matchers,
        request.query.match_on,
        request.body,
      )
      return jsonReply(record, {}, isNew ? 201 : 200)
    },
  })

/** Updates the record that matches, or creates one. `matchOnLoc` is where the caller sent `matchOn`. */
export async function upsertRecord(
  ctx: Ctx,
  resource: Resource,
  matchers: Matchers,
  matchOn: string,
  input: RecordInput,
  matchOnLoc: Loc = ['query', 'match_on'],
): Promise<{ isNew: boolean; record: Stored }> {
  const { operations, record } = resource
  const match = await matcherOf(record, matchers, matchOn, matchOnLoc)(ctx, input)
  if (match === undefined) {
    throw errors.invalidValue(['body'], `the record has no value to match on ${matchOn}`, input)
  }
  return transaction(ctx, async tx => {
    // Two callers with the same new value must not both find nothing.
    const lock = `${tx.account} ${record.table} ${matchOn} ${JSON.stringify(match.value).toLowerCase()}`
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 1))`)
    const matches = await query(
      tx,
      sql<{ id: string }>`select r.id from ${living(tx, record.table)} r where ${match.where} limit 2`,
    )
    const [existing, another] = matches
    if (another) throw errors.conflict(`Several ${resource.tag.toLowerCase()} match on ${matchOn}`)
    if (!existing) return { isNew: true, record: await operations.create(tx, input) }
    const merged = await withExistingIds(tx, record, existing.id, input)
    return { isNew: false, record: await operations.update(tx, existing.id, merged) }
  })
}

/** The caller knows the id in its own system: ids of other sources stay. */
async function withExistingIds(
  tx: Ctx,
  record: RecordType,
  id: string,
  input: RecordInput,
): Promise<RecordInput> {
  if (!isRecord(input.external_ids)) return input
  const [now] = await query(
    tx,
    sql<{
      external_ids: RecordInput
    }>`select r.external_ids from ${living(tx, record.table)} r where r.id = ${id}`,
  )
  return { ...input, external_ids: { ...now?.external_ids, ...input.external_ids } }
}

function externalMatch(ctx: Ctx, record: RecordType, source: string, input: RecordInput): Match | undefined {
  const ids = input.external_ids
  const id = isRecord(ids) && Object.hasOwn(ids, source) ? ids[source] : undefined
  if (typeof id !== 'string' || record.entityType === undefined) return undefined
  return { value: id, where: withExternalId(ctx, record.entityType, source, id) }
}

function matcherOf(
  record: RecordType,
  matchers: Matchers,
  matchOn: string,
  loc: Loc,
): (ctx: Ctx, input: RecordInput) => Match | undefined | Promise<Match | undefined> {
  const key = /^cf\.([a-z][a-z0-9_]{0,62})$/.exec(matchOn)?.[1]
  if (key !== undefined) return (ctx, input) => customMatch(ctx, record, key, input)
  const hasIds = 'external_ids' in record.input.fields
  const source = hasIds ? sourceNamed(matchOn) : undefined
  if (source !== undefined) return (ctx, input) => externalMatch(ctx, record, source, input)
  const matcher = Object.hasOwn(matchers, matchOn) ? matchers[matchOn] : undefined
  if (matcher) return matcher
  const names = [...Object.keys(matchers), ...(hasIds ? ['external_ids.<source>'] : []), 'cf.<key>']
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
