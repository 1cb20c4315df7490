/** `POST /api/<group>/upsert?match_on=…`: update the record that has this value, or create one. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, one, query, transaction } from '../../../kernel/context.ts'
import { narrowed } from '../../../kernel/custom-values.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors, type HttpError } from '../../../kernel/errors.ts'
import { pathOf, updateSchema, withArticle } from '../../../kernel/general-endpoints.ts'
import { Entangled } from '../../../kernel/in-halves.ts'
import { addKeys } from '../../../kernel/merge-patch.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import type { RecordInput, RecordType, Saved, SetResource } from '../../../kernel/resource.ts'
import { type Issue, type Loc, object, text } from '../../../kernel/schema/index.ts'
import { living } from '../../../kernel/statements.ts'
import { at, isRecord, present } from '../../../lib/values.ts'
import { sourceNamed, withExternalId } from '../../../resources/shared/external-ids.ts'

type Sql = RawBuilder<unknown>

/** The fields that `match_on` accepts for a kind, besides `cf.<key>`; values are compared without case. */
export interface Matchers {
  [matchOn: string]: (ctx: Ctx, input: RecordInput) => Match | undefined
}

interface Match {
  value: unknown
  where: Sql
}

export const upsertEndpoint = (resource: SetResource, matchers: Matchers): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${pathOf(resource)}/upsert`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    summary: `Update or create ${withArticle(resource.record.label)}`,
    description: `\`match_on\` is one of ${matchNames(resource.record, matchers).join(', ')}. 200 when one was updated, 201 when one was created, 409 when several match. An update needs the value to match on and the fields to change: absent fields are not changed, and the keys of \`metadata\` and \`external_ids\` are merged into the stored ones. A record that would be created needs the required fields.`,
    query: object({ match_on: text({ max: 120 }) }),
    body: updateSchema(resource.record),
    response: resource.record.output,
    otherStatuses: [201],
    single: true,
    run: (ctx, request) =>
      transaction(ctx, async tx => {
        const upsert = { resource, matchers, matchOn: request.query.match_on }
        const { id, isNew, error } = one(await upsertMany(tx, upsert, [request.body]))
        if (error) throw error
        return jsonReply(await resource.operations.get(tx, id), {}, isNew ? 201 : 200)
      }),
  })

export interface Upsert {
  resource: SetResource
  matchers: Matchers
  matchOn: string
  /** the path of `matchOn` in the request */
  loc?: Loc
}

export interface Upserted extends Saved {
  isNew: boolean
}

/** Updates the matching records and creates the others. Throws `Entangled` where two items match one record. */
export async function upsertMany(
  tx: Ctx,
  { resource, matchers, matchOn, loc = ['query', 'match_on'] }: Upsert,
  inputs: readonly RecordInput[],
): Promise<Upserted[]> {
  const { record, operations } = resource
  const matcher = matcherOf(record, matchers, matchOn, loc)
  const matches: (Match | undefined)[] = []
  for (const input of inputs) matches.push(await matcher(tx, input))
  await lockValues(tx, `${record.table} ${matchOn}`, matches)
  const before = await idsMatching(tx, record, matches)
  const items = inputs.map((input, i): Requested => {
    const [id, another] = at(before, i)
    if (!matches[i]) {
      const sentence = `the record has no value to match on ${matchOn}`
      return { input, id, error: errors.invalidValue(['body'], sentence, input) }
    }
    if (another) {
      const error = errors.conflict(`Several ${resource.tag.toLowerCase()} match on ${matchOn}`)
      return { input, id, error }
    }
    return id === undefined ? newRecord(record, input) : { input, id }
  })
  const good = items.filter(({ error }) => !error)
  const created = await operations.createMany(
    tx,
    good.filter(({ id }) => id === undefined),
  )
  const changes = good.flatMap(({ id, input }) => (id === undefined ? [] : [{ id, input }]))
  if (new Set(changes.map(({ id }) => id)).size < changes.length) throw new Entangled()
  // The caller knows only its own ids and fields, so those of other systems are not removed.
  const updated = await operations.updateMany(tx, changes, {
    merged: { external_ids: addKeys, metadata: addKeys },
  })
  const [news, olds] = [created.values(), updated.values()]
  const results = items.map(({ id, error }): Upserted => {
    if (error) return { id: id ?? '', isNew: false, error }
    const isNew = id === undefined
    return { ...present((isNew ? news : olds).next().value, 'what became of a record'), isNew }
  })
  if (inputs.length > 1) await checkApart(tx, record, matches, before, results)
  return results
}

interface Requested {
  input: RecordInput
  id: string | undefined
  error?: HttpError
}

/** Adds the defaults of a new record; refuses it without its required fields. */
function newRecord(record: RecordType, input: RecordInput): Requested {
  const issues: Issue[] = []
  const complete = record.input.check(input, ['body'], issues)
  return issues.length > 0
    ? { input, id: undefined, error: errors.invalid(issues) }
    : { input: complete, id: undefined }
}

/**
 * Throws `Entangled` if a written record now also matches another item: processed one by one, that item would have
 * updated it.
 */
async function checkApart(
  tx: Ctx,
  record: RecordType,
  matches: readonly (Match | undefined)[],
  before: readonly string[][],
  results: readonly Upserted[],
): Promise<void> {
  const after = await idsMatching(tx, record, matches)
  const isOther = (id: string, i: number) => id !== results[i]?.id && !before[i]?.includes(id)
  if (after.some((ids, i) => ids.some(id => isOther(id, i)))) throw new Entangled()
}

/**
 * Locks the values, so that two requests with the same new value cannot both create a record. Sorted, so that they
 * cannot deadlock.
 */
async function lockValues(tx: Ctx, what: string, matches: readonly (Match | undefined)[]): Promise<void> {
  const keys = matches.flatMap(match =>
    match ? [`${tx.account} ${what} ${JSON.stringify(match.value).toLowerCase()}`] : [],
  )
  await query(
    tx,
    sql`select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended(t, 1) as k from unnest(${keys}::text[]) t order by 1) s`,
  )
}

/** The ids of the matching records outside the trash, at most two per item. */
async function idsMatching(
  tx: Ctx,
  record: RecordType,
  matches: readonly (Match | undefined)[],
): Promise<string[][]> {
  const ids = matches.map((): string[] => [])
  const selects = matches.flatMap((match, i) =>
    match
      ? [
          sql`(select ${sql.lit(i)} as position, r.id from ${living(tx, record.table)} r where ${match.where} limit 2)`,
        ]
      : [],
  )
  if (selects.length === 0) return ids
  const existing = await query(
    tx,
    sql<{ position: number; id: string }>`${sql.join(selects, sql` union all `)}`,
  )
  for (const { position, id } of existing) at(ids, position).push(id)
  return ids
}

function externalMatch(ctx: Ctx, record: RecordType, source: string, input: RecordInput): Match | undefined {
  const ids = input.external_ids
  const id = isRecord(ids) && Object.hasOwn(ids, source) ? ids[source] : undefined
  if (typeof id !== 'string' || record.entityType === undefined) return undefined
  return { value: id, where: withExternalId(ctx, record.entityType, source, id) }
}

const hasExternalIds = (record: RecordType): boolean => 'external_ids' in record.input.fields

/** What `match_on` accepts for a kind. */
export const matchNames = (record: RecordType, matchers: Matchers): string[] => [
  ...Object.keys(matchers),
  ...(hasExternalIds(record) ? ['external_ids.<source>'] : []),
  'cf.<key>',
]

function matcherOf(
  record: RecordType,
  matchers: Matchers,
  matchOn: string,
  loc: Loc,
): (ctx: Ctx, input: RecordInput) => Match | undefined | Promise<Match | undefined> {
  const key = /^cf\.([a-z][a-z0-9_]{0,62})$/.exec(matchOn)?.[1]
  if (key !== undefined) return (ctx, input) => customMatch(ctx, record, key, input)
  const source = hasExternalIds(record) ? sourceNamed(matchOn) : undefined
  if (source !== undefined) return (ctx, input) => externalMatch(ctx, record, source, input)
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
