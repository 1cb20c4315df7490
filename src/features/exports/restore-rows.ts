/** The rows of an archive, table by table, fitted to the place they come to. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/sqlstate.ts'
import type { AccountTable } from './account-tables.ts'

const LINES_AT_ONCE = 500

export const run = async <R>(db: Db, statement: RawBuilder<R>): Promise<R[]> =>
  (await statement.execute(db)).rows

export interface Work {
  db: Db
  folder: string
  accountId: string
  /** ids of the account and its people, from the archive's to those here */
  renamed: ReadonlyMap<string, string>
  /** who is here, the first of the account before the others */
  people: readonly string[]
  counts: { restored: number; skipped: number }
}

interface LaterValue {
  id: string
  column: string
  value: string
}

export async function restoreTable(work: Work, table: AccountTable): Promise<void> {
  const { db, accountId } = work
  const dir = join(work.folder, 'tables', table.name)
  // Histories are written by triggers as the other rows come in; the account's own takes their place.
  if (table.counted.length > 0) {
    await run(db, sql`delete from ${sql.table(table.name)} where account_id = ${accountId}`)
  }
  const later: LaterValue[] = []
  for (const part of (await readdir(dir).catch(() => [])).sort()) {
    const lines = (await readFile(join(dir, part), 'utf8')).split('\n').filter(line => line !== '')
    for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
      const some = lines.slice(from, from + LINES_AT_ONCE).map(line => fitted(work, table, line, later))
      const kept = await tryInsert(db, table, some)
      work.counts.restored += kept
      work.counts.skipped += some.length - kept
    }
  }
  for (const { id, column, value } of later) {
    await run(
      db,
      sql`update ${sql.table(table.name)} set ${sql.ref(column)} = ${value} where account_id = ${accountId} and id = ${id}`,
    )
  }
}

/** The row as it can stand here. What need not be touched is not read either, so that every digit of it stays. */
function fitted({ renamed, people }: Work, table: AccountTable, line: string, later: LaterValue[]): string {
  let text = line
  // Ids stand in columns, in lists and in the journal's own JSON: they are replaced wherever they stand.
  for (const [from, to] of renamed) if (from !== to) text = text.replaceAll(from, to)
  if (table.selfReferences.length === 0 && table.people.length === 0) return text
  const row = JSON.parse(text)
  const changed: Record<string, string | null> = {}
  for (const column of table.selfReferences) {
    if (row[column] === null) continue
    // Rows that name others of their table are tied to them when all are there.
    later.push({ id: row.id, column, value: row[column] })
    changed[column] = null
  }
  for (const { column, nullable } of table.people) {
    // Somebody who had left the account by then.
    if (row[column] != null && !people.includes(row[column])) changed[column] = nullable ? null : people[0]!
  }
  return Object.keys(changed).length === 0 ? text : JSON.stringify({ ...row, ...changed })
}

async function tryInsert(db: Db, table: AccountTable, lines: readonly string[]): Promise<number> {
  if (lines.length === 0) return 0
  await run(db, sql.raw('savepoint restored'))
  try {
    await run(db, insertion(table, lines))
    await run(db, sql.raw('release savepoint restored'))
    return lines.length
  } catch (error) {
    await run(db, sql.raw('rollback to savepoint restored; release savepoint restored'))
    // A secret link that another account has, too, or a row whose owner was erased while the archive was made.
    if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
    if (lines.length === 1) return 0
    const half = Math.ceil(lines.length / 2)
    return (
      (await tryInsert(db, table, lines.slice(0, half))) + (await tryInsert(db, table, lines.slice(half)))
    )
  }
}

function insertion(
  { name, columns, key, counted }: AccountTable,
  lines: readonly string[],
): RawBuilder<unknown> {
  const given = Object.keys(JSON.parse(lines[0]!))
  // What is counted goes on with the count of this place, in the old order: another account may have these numbers.
  const shared = columns.filter(column => given.includes(column) && !counted.includes(column))
  const refs = (of: readonly string[]) => sql.join(of.map(column => sql.ref(column)))
  const keys = ['account_id', ...key.map(({ column }) => column)]
  const others = shared.filter(column => !keys.includes(column))
  const conflict =
    counted.length > 0
      ? sql``
      : others.length === 0
        ? sql`on conflict do nothing`
        : sql`on conflict (${refs(keys)}) do update set ${sql.join(
            others.map(column => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
          )}`
  return sql`insert into ${sql.table(name)} (${refs(shared)})
    select ${sql.join(shared.map(column => sql`p.${sql.ref(column)}`))}
    from json_populate_recordset(null::${sql.table(name)}, ${`[${lines.join(',')}]`}::json) p ${conflict}`
}
