/** `POST /api/<group>/upsert?match_on=…`: update the record that has this value, or create one. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { narrowed } from '../../kernel/custom-values.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { pathOf } from '../../kernel/general-endpoints.ts'
import { jsonReply } from '../../kernel/reply.ts'
import type { Item, RecordType, Resource } from '../../kernel/resource.ts'
import { object, text } from '../../kernel/schema/index.ts'
import { isRecord } from '../../kernel/schema/types.ts'
import { living } from '../../kernel/statements.ts'

type Sql = RawBuilder<unknown>

/** What records of a kind can be recognised by, besides `cf.<key>`; values are compared without case. */
export interface Matchers {
  [matchOn: string]: (ctx: Ctx, input: Item) => Match | undefined
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
    summary: `Update the ${resource.record.label.toLowerCase()} that matches, or create one`,
    description: `\`match_on\` is one of ${Object.keys(matchers).join(', ')}, or cf.<key>. 200 when one was updated, 201 when one was created, 409 when several match.`,
    query: object({ match_on: text({ max: 120 }) }),
    body: resource.record.input,
    response: resource.record.output,
    single: true,
    run: (ctx, request) => upsert(ctx, resource, matchers, request.query.match_on, request.body),
  })

async function upsert(
  ctx: Ctx,
  resource: Resource,
  matchers: Matchers,
  matchOn: string,
  input: Item,
): Promise<unknown> {
  const { operations, record } = resource
  const match = await matcherOf(record, matchers, matchOn)(ctx, input)
  if (match === undefined) {
    throw errors.invalidValue(['body'], `the record has no value to match on ${matchOn}`, input)
  }
  return transaction(ctx, async tx => {
    // Two callers with the same new value must not both find nothing.
    const lock = `${tx.account} ${record.table} ${matchOn} ${JSON.stringify(match.value).toLowerCase()}`
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 1))`)
    const found = await query(
      tx,
      sql<{ id: string }>`select r.id from ${living(tx, record.table)} r where ${match.where} limit 2`,
    )
    const [existing, another] = found
    if (another) throw errors.conflict(`Several ${resource.tag.toLowerCase()} match on ${matchOn}`)
    if (existing) return jsonReply(await operations.update(tx, existing.id, input), {}, 200)
    return jsonReply(await operations.create(tx, input), {}, 201)
  })
}

function matcherOf(
  record: RecordType,
  matchers: Matchers,
  matchOn: string,
): (ctx: Ctx, input: Item) => Match | undefined | Promise<Match | undefined> {
  const key = /^cf\.([a-z][a-z0-9_]{0,62})$/.exec(matchOn)?.[1]
  if (key !== undefined) return (ctx, input) => customMatch(ctx, record, key, input)
  const matcher = Object.hasOwn(matchers, matchOn) ? matchers[matchOn] : undefined
  if (matcher) return matcher
  const names = [...Object.keys(matchers), 'cf.<key>']
  const expected = `'${names.slice(0, -1).join("', '")}' or '${names.at(-1)}'`
  throw errors.invalid([
    {
      type: 'enum',
      loc: ['query', 'match_on'],
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
  input: Item,
): Promise<Match | undefined> {
  const { metadata } = input
  const value = isRecord(metadata) && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  if (value === undefined || value === null || typeof value === 'object') return undefined
  const column = (await record.custom?.(ctx))?.get(key)
  const where = sql`${narrowed(ctx, column, value)} and r.metadata -> ${key} = ${JSON.stringify(value)}::jsonb`
  return { value, where }
}
