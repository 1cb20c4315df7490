/**
 * Writes the rows of a batch. New people and companies, and plain changes of such, go in with one statement for all;
 * what needs more of a resource's rules goes through its own operations, row by row.
 */
import { sql } from 'kysely'
import { isDatabaseError, isTransient, isUnavailable } from '../../../db/sqlstate.ts'
import { type Ctx, query, withSavepoint } from '../../../kernel/context.ts'
import type { Item, Resource, Stamps } from '../../../kernel/resource.ts'
import { type Issue, partial, type RecordSchema } from '../../../kernel/schema/index.ts'
import { rows } from '../../../kernel/statements.ts'
import type { CustomInput } from '../../../resources/shared/record-operations.ts'
import type { Plan } from './batch.ts'
import { type Draft, rowError } from './drafts.ts'
import { mergedIds } from './external.ts'
import { issueErrors, type Outcome, refusal } from './outcomes.ts'
import { keepPromises, type Promised } from './promises.ts'

/** A row that is to be written, with its input as the schema has read it. */
export interface Write {
  draft: Draft
  /** the record that it changes; undefined makes a new one */
  target: string | undefined
  id: string
  input: CustomInput
}

export interface SetWriter {
  /** Notes on the drafts what is wrong with them; writes nothing. What cannot be written as a set is given back. */
  prepare(tx: Ctx, writes: readonly Write[]): Promise<Prepared>
}

export interface Prepared {
  /** to be written row by row */
  single: Write[]
  /** those that the set changes nothing of */
  unchanged: Set<Write>
  /** Writes the rest of them that are in order. */
  run(tx: Ctx, good: ReadonlySet<Write>): Promise<void>
}

/** The input of a row, as a request with the same values would be read. */
export function checkInput(resource: Resource, draft: Draft, target: string | undefined): CustomInput {
  const { ahead } = draft
  const tied = Object.keys(draft.ties)
  const isRead = target === undefined && ahead && !tied.some(field => Array.isArray(draft.input[field]))
  const { input, errors } = isRead
    ? ahead
    : read(target === undefined ? resource.record.input : partialInput(resource), draft)
  draft.errors.push(...errors)
  // Ids that were looked up need no second look.
  return isRead ? { ...input, ...pick(draft.input, tied) } : input
}

/** Reads the row as one that makes a new record, which is what most rows do, before the database is waited for. */
export function readAhead(resource: Resource, draft: Draft): void {
  draft.ahead = read(resource.record.input, draft)
}

function read(schema: RecordSchema<Item>, draft: Draft): Draft['ahead'] & {} {
  const issues: Issue[] = []
  const raw = draft.metadata === undefined ? draft.input : { ...draft.input, metadata: draft.metadata }
  // metadata and categories mean the same in every kind that is imported
  const input = schema.check(raw, ['body'], issues) as CustomInput
  return { input, errors: issueErrors(issues) }
}

/** What else is wrong with a row that fails already, so that it can be corrected at once. */
export function noteFurtherErrors(resource: Resource, draft: Draft): void {
  const reported = new Set(draft.errors.map(error => error.field))
  const { errors } = read(partialInput(resource), draft)
  draft.errors.push(...errors.filter(error => error.field === null || !reported.has(error.field)))
}

const pick = (item: Draft['input'], names: readonly string[]): Draft['input'] =>
  Object.fromEntries(names.flatMap(name => (item[name] === undefined ? [] : [[name, item[name]]])))

const partials = new WeakMap<Resource, RecordSchema<Item>>()

function partialInput(resource: Resource): RecordSchema<Item> {
  const known = partials.get(resource) ?? partial(resource.record.input)
  partials.set(resource, known)
  return known
}

/** Writes what is good of these rows. An error of the database that no check foresaw is traced to its row. */
export async function writeRows(
  tx: Ctx,
  plan: Plan,
  writes: readonly Write[],
  promised: ReadonlyMap<string, Promised>,
): Promise<Map<Draft, Outcome>> {
  const outcomes = new Map<Draft, Outcome>()
  const errorsBefore = writes.map(({ draft }) => draft.errors)
  for (const { draft } of writes) draft.errors = [...draft.errors]
  try {
    await withSavepoint(tx, () => writeAtOnce(tx, plan, writes, promised, outcomes))
    return outcomes
  } catch (error) {
    if (!isDatabaseError(error) || isTransient(error) || isUnavailable(error)) throw error
    for (const [i, { draft }] of writes.entries()) draft.errors = errorsBefore[i] ?? []
    const [only, ...more] = writes
    if (only && more.length === 0) {
      only.draft.errors = refusal(error) ?? [
        rowError('not_storable', 'A value of this row cannot be stored', null),
      ]
      return new Map([[only.draft, 'failed']])
    }
    const half = Math.ceil(writes.length / 2)
    const first = await writeRows(tx, plan, writes.slice(0, half), promised)
    const second = await writeRows(tx, plan, writes.slice(half), promised)
    return new Map([...first, ...second])
  }
}

async function writeAtOnce(
  tx: Ctx,
  plan: Plan,
  writes: readonly Write[],
  promised: ReadonlyMap<string, Promised>,
  outcomes: Map<Draft, Outcome>,
): Promise<void> {
  const prepared = await plan.writer?.prepare(tx, writes)
  const single = prepared?.single ?? writes
  const isGood = ({ draft }: Write) => draft.errors.length === 0
  const good = new Set(writes.filter(write => !single.includes(write) && isGood(write)))
  for (const write of writes) if (!isGood(write)) outcomes.set(write.draft, 'failed')
  await keepPromises(tx, plan, [...good], promised)
  await prepared?.run(tx, good)
  for (const write of good) {
    const outcome = prepared?.unchanged.has(write)
      ? 'unchanged'
      : write.target === undefined
        ? 'created'
        : 'updated'
    outcomes.set(write.draft, outcome)
  }
  for (const write of single.filter(isGood))
    outcomes.set(write.draft, await writeOne(tx, plan, write, promised))
}

async function writeOne(
  tx: Ctx,
  plan: Plan,
  write: Write,
  promised: ReadonlyMap<string, Promised>,
): Promise<Outcome> {
  const { operations } = plan.resource
  const { draft, target, id, input } = write
  try {
    await withSavepoint(tx, async () => {
      await keepPromises(tx, plan, [write], promised)
      if (target !== undefined) await operations.update(tx, target, await withIdsOf(tx, plan, target, input))
      else {
        const set = { id, ...stamps(draft) }
        await operations.create(as(tx, authorOf(draft, tx)), input, { set })
      }
    })
    return target === undefined ? 'created' : 'updated'
  } catch (error) {
    const told = refusal(error)
    if (!told) throw error
    draft.errors.push(...told)
    return 'failed'
  }
}

/** The id of this import's source is added to those that the record has. */
async function withIdsOf(tx: Ctx, plan: Plan, target: string, input: CustomInput): Promise<CustomInput> {
  if (input.external_ids === undefined) return input
  const [now] = await query(
    tx,
    sql<{ external_ids: Item }>`select r.external_ids from ${rows(tx, plan.resource.record.table)} r
      where r.id = ${target}`,
  )
  return { ...input, external_ids: mergedIds(now?.external_ids, input.external_ids) }
}

/** When a record was made elsewhere is part of what is imported. */
export const stamps = ({ created_at, updated_at }: Draft): Stamps => ({
  ...(created_at === undefined ? {} : { created_at, updated_at: updated_at ?? created_at }),
  ...(updated_at === undefined ? {} : { updated_at }),
})

/** The member who made the record elsewhere; the journal still tells who imported it. */
export const authorOf = ({ input: { created_by } }: Draft, tx: Ctx): string =>
  typeof created_by === 'string' ? created_by : tx.user

const as = (tx: Ctx, user: string): Ctx => ({ ...tx, user })
