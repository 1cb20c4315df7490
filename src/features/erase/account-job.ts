/**
 * Removes what a deleted account has stored: table by table in short statements, with pauses between them, because
 * the embedded engine has one connection. Deleting the account's row alone would do the same in one statement, which
 * took 18 s for 34,000 records, and nobody else was served meanwhile.
 *
 * Run again after a crash it goes on where it was: what is gone is not found any more. The account's own row is the
 * last, and the job's row goes with it.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import { accountTableNames } from '../../db/account-tables.ts'
import { type Ctx, query, queryOne, systemDb } from '../../kernel/context.ts'
import { removeAllFiles } from '../../kernel/file-store.ts'
import { JobFailed, type JobHandler, type JobRun, jobType } from '../../kernel/jobs.ts'
import { object } from '../../kernel/schema/index.ts'
import { deleteRows, type TableName, unscoped } from '../../kernel/statements.ts'

/** How long a statement is to take; the number of rows follows. */
const STEP_MS = { embedded: 40, server: 250 }
const MAX_ROWS = 5000
const FIRST_ROWS = 200

/** Tried again for six weeks, up to an hour apart: nobody is left who could start it again. */
export const deleteAccountJob = jobType('delete_account', object({}), { attempts: 1000, concurrency: 1 })

export const deleteAccountHandler: JobHandler<object> = {
  type: deleteAccountJob,
  async run(ctx, _, job) {
    const account = await queryOne(
      ctx,
      sql<{ name: string }>`select a.name from ${unscoped('accounts')} a
        where a.id = ${ctx.account} and a.closed_at is not null`,
    )
    if (!account) throw new JobFailed('The account is not to be deleted')
    const tables = removalOrder(await accountTableNames(systemDb(ctx.services)))
    let removed = 0
    // Until nothing is left: requests and jobs that had begun before may have written behind us.
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
 * Rows before those that they refer to. The search index first, so that no record has to be taken out of it; the
 * journal last, because a few deletions still write into it. The queue holds this job alone.
 */
function removalOrder(tables: readonly TableName[]): TableName[] {
  const place = (name: TableName) => (name.startsWith('search_') ? 0 : name === 'changes' ? 2 : 1)
  return tables
    .filter(name => name !== 'jobs')
    .reverse()
    .sort((a, b) => place(a) - place(b))
}

async function removeRows(ctx: Ctx, table: TableName, job: JobRun, before: number): Promise<number> {
  const stepMs = STEP_MS[ctx.services.engine.kind]
  // The role that serves requests may not delete from the journal.
  const at = table === 'changes' ? { ...ctx, db: systemDb(ctx.services) } : ctx
  let size = FIRST_ROWS
  let removed = 0
  while (true) {
    const began = performance.now()
    const gone = await deleteRows(
      at,
      table,
      sql`r.ctid = any(array(select s.ctid from ${unscoped(table)} s where s.account_id = ${ctx.account} limit ${size}))`,
      sql`1`,
    )
    const took = performance.now() - began
    removed += gone.length
    if (gone.length > 0) await job.progress(ctx, before + removed)
    if (gone.length < size) return removed
    size = Math.round(Math.min(MAX_ROWS, Math.max(20, size * (took > stepMs ? 0.7 : 1.5))))
    // As long as the work took, so that others get their turn.
    await rest(Math.min(took, 100))
  }
}
