/**
 * The rows of an archive, table by table. The archive is not trusted: every row goes into the one account that is
 * restored into, whatever account it names, and row-level security of that account applies to every statement.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/engine.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/sqlstate.ts'
import { unscoped } from '../../../kernel/statements.ts'
import { first, isRecord } from '../../../lib/values.ts'
import type { AccountTable } from './account-tables.ts'
import { batchesOf } from './lines.ts'
import { run } from './restore-account.ts'

export interface Work {
  db: Db
  folder: string
  /** the account that the archive is restored into */
  accountId: string
  /** the account that the archive was made from */
  archivedId: string
  /** ids of the account and its people, from the archive's to those here */
  renamed: ReadonlyMap<string, string>
  people: readonly string[]
  /** replaces people who are not members, in columns that cannot be null */
  ownerId: string
  counts: { restored: number; skipped: number }
}

interface LaterValue {
  id: string
  column: string
  value: string
}

type Row = Record<string, unknown>

export async function restoreTable(work: Work, table: AccountTable): Promise<void> {
  const { db, accountId, counts } = work
  const dir = join(work.folder, 'tables', table.name)
  const later: LaterValue[] = []
  for (const part of (await readdir(dir).catch(() => [])).sort()) {
    for await (const lines of batchesOf(createReadStream(join(dir, part)))) {
      const batch = lines.map(line => adapted(work, table, line, later))
      const inserted = await tryInsert(work, table, batch)
      counts.restored += inserted
      counts.skipped += batch.length - inserted
    }
  }
  for (const { id, column, value } of later) {
    await run(
      db,
      sql`update ${unscoped(table.name)} set ${sql.ref(column)} = ${value} where account_id = ${accountId} and id = ${id}`,
    )
  }
}

/** Shares of chats are revoked: anyone could have the token of a share in an archive. */
const OVERRIDES: Record<string, () => Row> = {
  chat_shares: () => ({
    revoked_at: new Date().toISOString(),
    token_hash: `\\x${createHash('sha256').update(randomBytes(32)).digest('hex')}`,
  }),
}

/** The row as it can be stored here. Only a changed row is serialised again, so that numbers do not lose digits. */
function adapted(work: Work, table: AccountTable, line: string, later: LaterValue[]): string {
  checkAccount(work, table, line)
  let text = line
  // Ids are in columns, in lists and in the JSON of the journal: they are replaced everywhere.
  for (const [from, to] of work.renamed) if (from !== to) text = text.replaceAll(from, to)
  const override = OVERRIDES[table.name]
  if (table.selfReferences.length === 0 && table.people.length === 0 && !override) return text
  const row: Row = JSON.parse(text)
  const changed: Row = override?.() ?? {}
  for (const column of table.selfReferences) {
    if (row[column] == null) continue
    // References to rows of the same table are set when all rows are inserted.
    later.push({ id: String(row.id), column, value: String(row[column]) })
    changed[column] = null
  }
  for (const { column, nullable } of table.people) {
    const isMember = work.people.includes(String(row[column]))
    if (row[column] != null && !isMember) changed[column] = nullable ? null : work.ownerId
  }
  return Object.keys(changed).length === 0 ? text : JSON.stringify({ ...row, ...changed })
}

function checkAccount({ archivedId }: Work, { name }: AccountTable, line: string): void {
  const { account_id } = parsedRow(name, line)
  if (account_id === archivedId) return
  throw new Error(
    `The archive has a row of another account in ${name}; nothing was restored. Its rows belong to ${archivedId}, this one to ${JSON.stringify(account_id)?.slice(0, 100)}.`,
  )
}

function parsedRow(table: string, line: string): Row {
  const damaged = new Error(`The archive is damaged: a line of ${table} is not a JSON object.`)
  try {
    const row: unknown = JSON.parse(line)
    if (isRecord(row)) return row
  } catch {
    throw damaged
  }
  throw damaged
}

async function tryInsert(work: Work, table: AccountTable, lines: readonly string[]): Promise<number> {
  const { db } = work
  await run(db, sql.raw('savepoint restored'))
  try {
    await run(db, insertion(work.accountId, table, lines))
    await run(db, sql.raw('release savepoint restored'))
    return lines.length
  } catch (error) {
    await run(db, sql.raw('rollback to savepoint restored; release savepoint restored'))
    // A row whose owner was erased while the archive was made, or a value that is unique across accounts.
    if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
    if (lines.length === 1) return 0
    const half = Math.ceil(lines.length / 2)
    return (
      (await tryInsert(work, table, lines.slice(0, half))) + (await tryInsert(work, table, lines.slice(half)))
    )
  }
}

function insertion(
  accountId: string,
  { name, columns, key, counted }: AccountTable,
  lines: readonly string[],
): RawBuilder<unknown> {
  const present = Object.keys(JSON.parse(first(lines)))
  // Counters continue with this database's numbers, in the old order: another account may have those of the archive.
  const shared = columns.filter(
    column => column !== 'account_id' && present.includes(column) && !counted.includes(column),
  )
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
  // The account is a constant and never the archive's.
  return sql`insert into ${unscoped(name)} (${refs(['account_id', ...shared])})
    select ${accountId}::uuid, ${sql.join(shared.map(column => sql`p.${sql.ref(column)}`))}
    from json_populate_recordset(null::${unscoped(name)}, ${`[${lines.join(',')}]`}::json) p ${conflict}`
}
