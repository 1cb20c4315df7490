/**
 * Creates or updates a set of records of one kind. `crud` writes only this way; one record is a set of one. The number
 * of statements does not grow with the set, and a refused record does not stop the others.
 *
 * The steps: lock and read existing records; `rules.prepare`; check ids; `rules.complete`; write rows and links;
 * `rules.finish`.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from './compiled.ts'
import { type Ctx, query } from './context.ts'
import { errors } from './errors.ts'
import { linkedIds } from './links.ts'
import type { Item, Merge, RecordType, SetOptions, Stored } from './resource.ts'
import { isGood, type Rules, type Write } from './rules.ts'
import type { Issue } from './schema/index.ts'
import type { Row } from './statements.ts'
import { checkIds, isShown, isStored, rowWriter } from './write-rows.ts'

/** Returns a function that writes a set in the open transaction and sets the result on each write. */
export function setWriter<In extends Item, Out extends Stored, Before>(
  record: RecordType<In, Out>,
  rules: Rules<In, Before>,
) {
  const writeRows = rowWriter(record)

  /** With `reader` it returns what that reads of the written rows, by id, if only rows were written. */
  return async <R>(
    tx: Ctx,
    writes: readonly Write<In, Before>[],
    reader?: Reader<Out, R>,
    options: SetOptions = {},
  ): Promise<ReadonlyMap<string, R> | undefined> => {
    if (writes.length === 0) return undefined
    const stored = await readBefore(tx, record, rules, writes, options)
    const ruled = writes.filter(write => isGood(write) && (write.isNew || write.before !== undefined))
    if (ruled.length > 0) await rules.prepare?.(tx, ruled)
    if (!options.isLookedUp) await checkIds(tx, record, writes.filter(isGood))
    if (ruled.some(isGood)) await rules.complete?.(tx, ruled.filter(isGood))
    for (const write of options.skipUnchanged ? ruled.filter(isGood) : []) {
      const now = stored.get(write.id)
      write.isUnchanged = now !== undefined && isStored(record, write, now)
    }
    const written = () => writes.filter(write => isGood(write) && !write.isUnchanged)
    const refused = await options.beforeWriting?.(new Set(written().map(({ id }) => id)))
    for (const write of refused?.size ? written() : []) {
      const error = refused?.get(write.id)
      if (error) write.error = error
    }
    try {
      const rows = await writeRows(tx, written(), reader)
      const hasMore = await rules.finish?.(tx, written())
      return hasMore ? undefined : rows
    } catch (error) {
      const [only, ...more] = writes
      throw (only && more.length === 0 && rules.refusal?.(error, only.input)) || error
    }
  }
}

/**
 * Locks and reads the existing records, always in the same order so that two sets cannot deadlock. Returns their stored
 * values where `options` needs them.
 */
async function readBefore<In extends Item, Before>(
  tx: Ctx,
  record: RecordType<In>,
  { dependent = [], before }: Rules<In, Before>,
  writes: readonly Write<In, Before>[],
  { merged = {}, skipUnchanged = false }: SetOptions,
): Promise<Map<string, Row>> {
  const changes = writes.filter(({ isNew }) => !isNew)
  const isSent = (name: string) => changes.some(({ input }) => input[name] !== undefined)
  const combined = Object.keys(merged).filter(isSent)
  if (changes.length === 0 || !(skipUnchanged || combined.length > 0 || dependent.some(isSent)))
    return new Map()
  const links = Object.entries(record.links ?? {}).filter(([name]) => isSent(name))
  const values = skipUnchanged
    ? [sql`to_jsonb(r)`, ...links.map(([name, link]) => entry(name, linkedIds(tx, link)))]
    : columnsFor(merged, combined).map(name => entry(name, sql`r.${sql.ref(name)}`))
  const existing = await query(
    tx,
    sql<Before & { _id: string; _stored: Row }>`select r.id as _id,
        ${sql.join([sql`'{}'::jsonb`, ...values], sql` || `)} as _stored ${before ? sql`, ${before(tx)}` : sql``}
      from ${sql.table(record.table)} r
      where r.account_id = ${tx.account} and r.id = any(${changes.map(({ id }) => id)}::uuid[])
        and ${isShown(tx, record)}
      order by r.id for no key update of r`,
  )
  const byId = new Map(existing.map(row => [row._id, row]))
  for (const write of changes) {
    const row = byId.get(write.id)
    if (row) write.before = row
    else write.error = errors.notFound(record.label)
    if (row) combine(record, write, merged, row._stored)
  }
  return new Map(existing.map(row => [row._id, row._stored]))
}

const entry = (name: string, value: RawBuilder<unknown>) =>
  sql`jsonb_build_object(${sql.lit(name)}, to_jsonb(${value}))`

/** The columns that combining these fields needs. */
const columnsFor = (merged: Readonly<Record<string, Merge>>, names: readonly string[]): string[] => [
  ...new Set(names.flatMap(name => [name, ...(merged[name]?.reads ?? [])])),
]

/** Combines what was sent with the stored values; together they have the bounds of the field. */
function combine(
  record: RecordType,
  write: Write,
  merged: Readonly<Record<string, Merge>>,
  stored: Row,
): void {
  const issues: Issue[] = []
  for (const [name, merge] of Object.entries(merged)) {
    const sent = write.input[name]
    if (sent === undefined) continue
    const value = merge.value(stored[name], sent, stored)
    record.input.fields[name]?.check(value, ['body', name], issues)
    write.values = { ...write.values, [name]: value }
  }
  if (issues.length > 0) write.error = errors.invalid(issues)
}
