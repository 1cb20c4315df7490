/**
 * What an upsert writes to a record that it has matched: the value that it was matched on stays as it is, in the notation
 * and the place that it has, and further values of the field are added to those of the record.
 */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { errors, type HttpError } from '../../../kernel/errors.ts'
import type { RecordInput, RecordType } from '../../../kernel/resource.ts'
import type { Issue } from '../../../kernel/schema/index.ts'
import { type Row, unscoped } from '../../../kernel/statements.ts'
import { zip } from '../../../lib/values.ts'

export interface Matched {
  input: RecordInput
  /** the columns of the record that `reads` names; undefined where the input `hasMore` of nothing */
  stored: Row | undefined
}

export interface Keep {
  reads: readonly string[]
  /** Whether the input can have further values of the field: an upsert by one value takes no further statement. */
  hasMore(input: RecordInput): boolean
  /** the inputs to write, for a whole set with as many statements as for one */
  inputs(tx: Ctx, matched: readonly Matched[]): RecordInput[] | Promise<RecordInput[]>
}

/** For fields with one value, which is the one that was matched on. */
export const keepField = (name: string): Keep => ({
  reads: [],
  hasMore: () => false,
  inputs: (_, matched) => matched.map(({ input: { [name]: _same, ...others } }) => others),
})

/** For values that are compared exactly: the record is written the value that it has. */
export const keepNothing: Keep = {
  reads: [],
  hasMore: () => false,
  inputs: (_, matched) => matched.map(({ input }) => input),
}

/** An item of an upsert that has matched a record. */
export interface Existing {
  id: string
  input: RecordInput
  error?: HttpError
}

/** Replaces the inputs by what they change besides the values that the records were matched on. */
export async function keepMatched(
  tx: Ctx,
  record: RecordType,
  { reads, hasMore, inputs }: Keep,
  items: readonly Existing[],
): Promise<void> {
  const ids = items.flatMap(({ id, input }) => (hasMore(input) ? [id] : []))
  // Locked in one order, so that no value is lost that is added meanwhile.
  const columns = sql.join(['id', ...reads].map(column => sql.ref(`r.${column}`)))
  const rows =
    ids.length === 0
      ? []
      : await query(
          tx,
          sql<Row & { id: string }>`select ${columns} from ${unscoped(record.table)} r
            where r.account_id = ${tx.account} and r.id = any(${ids}::uuid[]) order by r.id for no key update`,
        )
  const stored = new Map(rows.map(row => [row.id, row]))
  const kept = await inputs(
    tx,
    items.map(({ id, input }) => ({ input, stored: stored.get(id) })),
  )
  for (const [item, input] of zip(items, kept)) {
    item.input = input
    const issues: Issue[] = []
    for (const name of reads) {
      if (input[name] !== undefined) record.input.fields[name]?.check(input[name], ['body', name], issues)
    }
    if (issues.length > 0) item.error = errors.invalid(issues)
  }
}
