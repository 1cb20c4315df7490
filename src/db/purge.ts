/** Permanently removes records that have been in the trash for long enough, the oldest first. */
import { sql } from 'kysely'
import { required } from '../lib/values.ts'
import { alone, pause, type Removed } from './clean-up.ts'
import { type Db, type Engine, type Scope, SYSTEM } from './engine.ts'
import { type RecordTable, recordTables, referrersFirst } from './record-tables.ts'
import { isForeignKeyViolation } from './sqlstate.ts'

const BATCH = 100
/** The number of records still referred to by others after which a table is left for the next run. */
const MAX_REFERENCED = 1000

interface Batch {
  account_id: string
  ids: string[]
}

export async function purgeTrash(engine: Engine, trashDays: number, stop: AbortSignal): Promise<Removed> {
  const tables = await recordTables(engine.as(SYSTEM))
  const removed: Removed = {}
  for (const table of referrersFirst(tables)) {
    const count = await purgeTable(engine, tables, table.name, trashDays, stop)
    if (count > 0) removed[table.name] = count
  }
  return removed
}

async function purgeTable(
  engine: Engine,
  tables: Map<string, RecordTable>,
  name: string,
  trashDays: number,
  stop: AbortSignal,
): Promise<number> {
  const referenced: string[] = []
  let total = 0
  while (!stop.aborted && referenced.length < MAX_REFERENCED) {
    const batches = await oldest(engine.as(SYSTEM), name, trashDays, referenced)
    if (batches.length === 0) break
    for (const { account_id, ids } of batches) {
      const scope = { ...SYSTEM, accountId: account_id }
      const purge = (some: string[]) => purgeSome(engine, scope, tables, name, some, trashDays)
      const count = await purge(ids).catch(async error => {
        if (!isForeignKeyViolation(error)) throw error
        return oneByOne(ids, purge, referenced)
      })
      // another process is purging
      if (count === undefined) return total
      total += count
      await pause()
    }
  }
  return total
}

async function oldest(db: Db, name: string, trashDays: number, held: string[]): Promise<Batch[]> {
  const { rows } = await sql<Batch>`
    select account_id, array_agg(id) as ids from (
      select account_id, id from ${sql.table(name)}
      where deleted_at < now() - make_interval(days => ${trashDays}) and id <> all(${held}::uuid[])
      order by deleted_at limit ${BATCH}
    ) o group by account_id`.execute(db)
  return rows
}

/** Deletes the records one by one, except those that other records still refer to. */
async function oneByOne(
  ids: string[],
  purge: (ids: string[]) => Promise<number | undefined>,
  held: string[],
): Promise<number | undefined> {
  let total = 0
  for (const id of ids) {
    try {
      total += (await purge([id])) ?? 0
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error
      held.push(id)
    }
  }
  return total
}

function purgeSome(
  engine: Engine,
  scope: Scope,
  tables: Map<string, RecordTable>,
  name: string,
  ids: string[],
  trashDays: number,
): Promise<number | undefined> {
  return alone(engine, scope, async tx => {
    // One of them may have been restored since.
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(name)}
      where account_id = ${scope.accountId} and id = any(${ids}::uuid[])
        and deleted_at < now() - make_interval(days => ${trashDays}) for update`.execute(tx)
    await erase(
      tx,
      scope,
      tables,
      name,
      rows.map(row => row.id),
    )
    return rows.length
  })
}

/** Deletes the records, the rows that belong to them, and the journal entries of both. */
async function erase(
  tx: Db,
  scope: Scope,
  tables: Map<string, RecordTable>,
  name: string,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return
  for (const part of required(tables, name).parts) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(part.name)}
      where account_id = ${scope.accountId} and ${sql.ref(part.column)} = any(${ids}::uuid[])`.execute(tx)
    await erase(
      tx,
      scope,
      tables,
      part.name,
      rows.map(row => row.id),
    )
  }
  await sql`select erase_records(${name}, ${ids}::uuid[])`.execute(tx)
}
