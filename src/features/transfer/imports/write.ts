/** Writes the rows of a batch as sets, by the operations of their resource. */
import type { Ctx } from '../../../kernel/context.ts'
import { inHalves } from '../../../kernel/in-halves.ts'
import { addKeys } from '../../../kernel/merge-patch.ts'
import type { Item, RecordInput, Resource, SetOptions, Stamps } from '../../../kernel/resource.ts'
import { type Issue, partial, type RecordSchema } from '../../../kernel/schema/index.ts'
import { at } from '../../../lib/values.ts'
import { addExternalIds } from '../../../resources/shared/external-ids.ts'
import type { Draft } from './draft.ts'
import { issueErrors, type Outcome, refusal } from './outcomes.ts'
import { createReserved } from './reservations.ts'
import { type RowError, rowError } from './row-values.ts'
import { addTags } from './tags.ts'
import type { Plan, Reserved, Write } from './types.ts'

/** The input of a row, as a request with the same values would be read. */
export function checkInput(resource: Resource, draft: Draft, target: string | undefined): RecordInput {
  const { ahead } = draft
  const linkFields = Object.keys(draft.links)
  const isRead = target === undefined && ahead && !linkFields.some(field => Array.isArray(draft.input[field]))
  const { input, errors } = isRead
    ? ahead
    : read(target === undefined ? resource.record.input : partialInput(resource), draft)
  draft.errors.push(...errors)
  // Ids that were looked up are not checked again. The author is no field of the record.
  return isRead
    ? {
        ...input,
        ...pick(
          draft.input,
          linkFields.filter(name => name !== 'created_by'),
        ),
      }
    : input
}

/**
 * Reads the row as one that creates a record, as most rows do, before the database is queried. The stage
 * and the dates of a deal are known only once they are looked up.
 */
export function readAhead(resource: Resource, draft: Draft): void {
  if (resource.record.entityType !== 'deal') draft.ahead = read(resource.record.input, draft)
}

function read(schema: RecordSchema<Item>, draft: Draft): Draft['ahead'] & {} {
  const issues: Issue[] = []
  const raw = draft.metadata === undefined ? draft.input : { ...draft.input, metadata: draft.metadata }
  const input = schema.check(raw, ['body'], issues)
  return { input, errors: issueErrors(issues) }
}

/** Further errors of a row that fails, so that all of them can be corrected at once. */
export function noteFurtherErrors(resource: Resource, draft: Draft): void {
  const reported = new Set(draft.errors.map(error => error.field))
  const { errors } = read(partialInput(resource), draft)
  draft.errors.push(...errors.filter(error => error.field === null || !reported.has(error.field)))
}

const pick = (item: Draft['input'], names: readonly string[]): Draft['input'] =>
  Object.fromEntries(names.flatMap(name => (item[name] === undefined ? [] : [[name, item[name]]])))

const partials = new WeakMap<Resource, RecordSchema<Item>>()

function partialInput(resource: Resource): RecordSchema<Item> {
  const schema = partials.get(resource) ?? partial(resource.record.input)
  partials.set(resource, schema)
  return schema
}

/** The outcome of a row. */
interface Written {
  draft: Draft
  outcome: Outcome
  errors: RowError[]
}

/** Writes the rows that are valid. An error of the database that no check found before is attributed to its row. */
export async function writeRows(
  tx: Ctx,
  plan: Plan,
  writes: readonly Write[],
  reserved: ReadonlyMap<string, Reserved>,
): Promise<Map<Draft, Outcome>> {
  if (writes.length === 0) return new Map()
  const written = await inHalves(
    tx,
    writes,
    part => writeSet(tx, plan, part, reserved),
    ({ draft }, error): Written => ({
      draft,
      outcome: 'failed',
      errors: refusal(error) ?? [rowError('not_storable', 'A value of this row cannot be stored', null)],
    }),
  )
  for (const { draft, errors } of written) draft.errors.push(...errors)
  return new Map(written.map(({ draft, outcome }) => [draft, outcome]))
}

/** New records first: the rows of a set do not depend on each other. */
async function writeSet(
  tx: Ctx,
  plan: Plan,
  writes: readonly Write[],
  reserved: ReadonlyMap<string, Reserved>,
): Promise<Written[]> {
  const { operations } = plan.resource
  const options: SetOptions = {
    isLookedUp: true,
    merged: { metadata: addKeys, external_ids: addExternalIds },
    skipUnchanged: true,
    beforeWriting: ids =>
      createReserved(
        tx,
        plan,
        writes.filter(({ id }) => ids.has(id)),
        reserved,
      ),
  }
  const fresh = writes.filter(({ target }) => target === undefined)
  const updates = writes.filter(({ target }) => target !== undefined)
  const created = await operations.createMany(
    tx,
    fresh.map(({ id, draft, input }) => ({
      input,
      set: { id, ...stamps(draft) },
      author: authorOf(draft, tx),
    })),
    options,
  )
  const updated = await operations.updateMany(tx, updates, options)
  const saved = [...created, ...updated]
  const all = [...fresh, ...updates]
  const tagged = await addTags(
    tx,
    plan,
    all.filter((_, i) => !at(saved, i).error),
  )
  return all.map(({ id, draft, target }, i) => {
    const { error, isUnchanged } = at(saved, i)
    if (error) return { draft, outcome: 'failed', errors: refusal(error) ?? [] }
    const isSame = isUnchanged && !tagged.has(id)
    return { draft, outcome: target === undefined ? 'created' : isSame ? 'unchanged' : 'updated', errors: [] }
  })
}

/** The time at which a record was created in the other system is imported, too. */
const stamps = ({ created_at, updated_at }: Draft): Stamps => ({
  ...(created_at === undefined ? {} : { created_at, updated_at: updated_at ?? created_at }),
  ...(updated_at === undefined ? {} : { updated_at }),
})

/** The member who created the record in the other system; the journal names the one who imported it. */
const authorOf = ({ input: { created_by } }: Draft, tx: Ctx): string =>
  typeof created_by === 'string' ? created_by : tx.user
