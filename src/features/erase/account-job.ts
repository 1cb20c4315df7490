/**
 * Removes the data of a deleted account table by table, in short statements with pauses between them, because the
 * embedded engine has one connection. Deleting the account's row with its cascade took 18 s for 34,000 records, and no
 * other request was served meanwhile.
 *
 * After a crash the job runs again and removes what is left. The account's row is deleted last, and the job's row with
 * it.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import { accountTableNames } from '../../db/account-tables.ts'
import { type Ctx, query, queryOne, systemDb } from '../../kernel/context.ts'
import { removeAllFiles } from '../../kernel/file-store.ts'
import { JobFailed, type JobHandler, type JobRun, jobType } from '../../kernel/jobs.ts'
import { object } from '../../kernel/schema/index.ts'
import { deleteRows, type TableName, unscoped } from '../../kernel/statements.ts'

/** Target duration of one statement; the number of rows is adapted to it. */
const STEP_MS = { embedded: 40, server: 250 }
const MAX_ROWS = 5000
/** Fewer rows take nearly as long: on a busy machine most of the time of a statement is spent around it. */
const MIN_ROWS = 20
/** A deal with its triggers takes as long as 100 rows of the journal, so every table begins with few. */
const FIRST_ROWS = 20

/** Retried for six weeks, up to an hour apart: the account has no user left who could start it again. */
export const deleteAccountJob = jobType('delete_account', object({}), 'accounts:write', {
  attempts: 1000,
  concurrency: 1,
})

export const deleteAccountHandler: JobHandler<object> = {
  type: deleteAccountJob,
  async run(ctx, _, job) {
    const account = await queryOne(
      ctx,
      sql<{ name: string }>`select a.name from ${unscoped('accounts')} a
        where a.id = ${ctx.account} and a.closed_at is not null`,
    )
    if (!account) throw new JobFailed('The account is not marked for deletion')
    const tables = removalOrder(await accountTableNames(systemDb(ctx.services)))
    let removed = 0
    // Repeated until nothing is left: requests and jobs that began earlier may have written rows in the meantime.
    for (let before = -1; removed !== before; ) {
      before = removed
      for (const table of tables) removed += await removeRows(ctx, table, job, removed)
    }
    await removeAllFiles(ctx)
    await query(
      { db: systemDb(ctx.services) },
      sql`delete from ${unscoped('accounts')} where id = ${ctx.account} and closed_at is not null`,
    )
    ctx.services.log.info({ account: ctx.account, rows: removed }, 'an account was deleted')
  },
}

/**
 * Tables in the order of deletion: rows before those that they refer to. The search index is first, so that deleting
 * records need not update it. The journal is last, because some deletions write into it. The job queue contains only
 * this job.
 */
function removalOrder(tables: readonly TableName[]): TableName[] {
  const rank = (name: TableName) => (name.startsWith('search_') ? 0 : name === 'changes' ? 2 : 1)
  return tables
    .filter(name => name !== 'jobs')
    .reverse()
    .sort((a, b) => rank(a) - rank(b))
}

async function removeRows(ctx: Ctx, table: TableName, job: JobRun, before: number): Promise<number> {
  const stepMs = STEP_MS[ctx.services.engine.kind]
  // The role that serves requests may not delete from the journal.
  const at = table === 'changes' ? { ...ctx, db: systemDb(ctx.services) } : ctx
  let size = FIRST_ROWS
  let removed = 0
  while (true) {
    const began = performance.now()
    const deleted = await deleteRows(
      at,
      table,
      sql`r.ctid = any(array(select s.ctid from ${unscoped(table)} s where s.account_id = ${ctx.account} limit ${size}))`,
      sql`1`,
    )
    const took = performance.now() - began
    removed += deleted.length
    if (deleted.length > 0) await job.progress(ctx, before + removed)
    if (deleted.length < size) return removed
    const factor = Math.min(2, Math.max(0.5, stepMs / took))
    size = Math.round(Math.min(MAX_ROWS, Math.max(MIN_ROWS, size * factor)))
    // Pause as long as the statement took, so that other requests are served.
    await rest(Math.min(took, 100))
  }
}
