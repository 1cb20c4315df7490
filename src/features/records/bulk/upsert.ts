/** `POST /api/<group>/upsert?match_on=…`: update the record that has this value, or create one. */
import { sql } from 'kysely'
import { type Ctx, one, query, transaction } from '../../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors, type HttpError } from '../../../kernel/errors.ts'
import { pathOf, updateSchema, withArticle } from '../../../kernel/general-endpoints.ts'
import { Entangled } from '../../../kernel/in-halves.ts'
import { addKeys } from '../../../kernel/merge-patch.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import type { RecordInput, RecordType, Saved, SetResource } from '../../../kernel/resource.ts'
import { type Issue, type Loc, object, text } from '../../../kernel/schema/index.ts'
import { living } from '../../../kernel/statements.ts'
import { at, present } from '../../../lib/values.ts'
import { addExternalIds } from '../../../resources/shared/external-ids.ts'
import { type Existing, keepMatched } from './keep.ts'
import { type Match, type Matchers, matcherOf, matchNames } from './match-on.ts'

/** Records that an error names. */
const MOST_NAMED = 5

export const upsertEndpoint = (resource: SetResource, matchers: Matchers): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${pathOf(resource)}/upsert`,
    tag: resource.tag,
    permission: `${resource.name}:write`,
    summary: `Update or create ${withArticle(resource.record.label)}`,
    description: `\`match_on\` is one of ${matchNames(resource.record, matchers).join(', ')}. 200 when one was updated, 201 when one was created, 409 when several match, with the ids of the first ${MOST_NAMED}. An update needs the value to match on and the fields to change: absent fields are not changed, and the keys of \`metadata\` and \`external_ids\` are merged into the stored ones. The value that a record was matched on stays as the record has it: in its notation, and where it is one of several (domains, email addresses, phone numbers) in its place, with the others; further values of the field are added. A record that would be created needs the required fields.`,
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
  for (const input of inputs) matches.push(await matcher.match(tx, input))
  await lockValues(tx, `${record.table} ${matchOn}`, matches)
  const before = await idsMatching(tx, record, matches)
  const items = inputs.map((input, i): Requested => {
    const ids = at(before, i)
    const [id] = ids
    if (!matches[i]) {
      const sentence = `the record has no value to match on ${matchOn}`
      return { input, id, error: errors.invalidValue(['body'], sentence, input) }
    }
    if (ids.length > 1) return { input, id, error: severalMatch(resource, matchOn, ids) }
    return id === undefined ? newRecord(record, input) : { input, id }
  })
  const good = items.filter(({ error }) => !error)
  const created = await operations.createMany(
    tx,
    good.filter(({ id }) => id === undefined),
  )
  const existing = good.filter(isExisting)
  if (new Set(existing.map(({ id }) => id)).size < existing.length) throw new Entangled()
  await keepMatched(tx, record, matcher.keep, existing)
  // The caller knows only its own ids and fields, so those of other systems are not removed.
  const updated = await operations.updateMany(
    tx,
    existing.filter(({ error }) => !error),
    { merged: { external_ids: addExternalIds, metadata: addKeys } },
  )
  const [news, olds] = [created.values(), updated.values()]
  const results = items.map(({ id, error }): Upserted => {
    if (error) return { id: id ?? '', isNew: false, error }
    const isNew = id === undefined
    return { ...present((isNew ? news : olds).next().value, 'what became of a record'), isNew }
  })
  if (inputs.length > 1) await checkApart(tx, record, matches, before, results)
  return results
}

/** Callers of an upsert may read the records: that one of them has the value is a part of it. */
function severalMatch({ tag }: SetResource, matchOn: string, ids: readonly string[]): HttpError {
  const named = ids.toSorted().slice(0, MOST_NAMED).join(', ')
  const more = ids.length > MOST_NAMED ? ' and others' : ''
  return errors.conflict(
    `Several ${tag.toLowerCase()} match on ${matchOn}: ${named}${more}. Match on another field, or leave the value to one of them`,
  )
}

interface Requested {
  input: RecordInput
  id: string | undefined
  error?: HttpError
}

const isExisting = (item: Requested): item is Requested & Existing => item.id !== undefined

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

/** The ids of the matching records outside the trash: enough for an error that names them. */
async function idsMatching(
  tx: Ctx,
  record: RecordType,
  matches: readonly (Match | undefined)[],
): Promise<string[][]> {
  const ids = matches.map((): string[] => [])
  const selects = matches.flatMap((match, i) =>
    match
      ? [
          sql`(select ${sql.lit(i)} as position, r.id from ${living(tx, record.table)} r where ${match.where} limit ${sql.lit(MOST_NAMED + 1)})`,
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
