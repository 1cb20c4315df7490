/** Where uploads and exports lie: a folder for each account, names are ids. Nothing a client sends becomes a path. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Ctx, type Services, systemDb } from '../../kernel/context.ts'
import type { Chore } from '../../kernel/jobs.ts'

export const filePath = (ctx: Pick<Ctx, 'account' | 'services'>, id: string): string =>
  join(ctx.services.config.files.dir, ctx.account, id)

/** What is not yet whole has another name, so that it is never taken for the file. */
export const partPath = (ctx: Pick<Ctx, 'account' | 'services'>, id: string): string =>
  `${filePath(ctx, id)}.part`

export const makeFolder = (ctx: Pick<Ctx, 'account' | 'services'>) =>
  mkdir(join(ctx.services.config.files.dir, ctx.account), { recursive: true, mode: 0o700 })

export async function removeFiles(
  ctx: Pick<Ctx, 'account' | 'services'>,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    await rm(filePath(ctx, id), { force: true })
    await rm(partPath(ctx, id), { force: true })
  }
}

/** A file may be there before its record is: an upload takes as long as it takes. */
const GRACE_MS = 6 * 3_600_000

/** Removes every file that no living record claims any more, also those that a crash has left behind. */
async function sweep(services: Services): Promise<void> {
  const { dir } = services.config.files
  for (const account of await readdir(dir).catch(() => [])) {
    const names = await readdir(join(dir, account)).catch(() => [])
    const wanted = new Set(await claimed(services, account, names.map(idOf)))
    for (const name of names) {
      if (wanted.has(idOf(name))) continue
      const path = join(dir, account, name)
      const found = await stat(path).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > GRACE_MS) await rm(path, { force: true })
    }
  }
}

const idOf = (name: string) => name.split('.')[0]!

async function claimed(services: Services, account: string, names: readonly string[]): Promise<string[]> {
  const ids = names.filter(name => /^[0-9a-f-]{36}$/.test(name))
  const { rows } = await sql<{ id: string }>`
    select e.id from ${sql.table('exports')} e where e.account_id::text = ${account} and e.id = any(${ids}::uuid[])
      and e.deleted_at is null and coalesce(e.expires_at > now(), true)
    union all
    select i.id from ${sql.table('imports')} i where i.account_id::text = ${account} and i.id = any(${ids}::uuid[])
      and i.deleted_at is null and i.expires_at > now()`.execute(systemDb(services))
  return rows.map(row => row.id)
}

export const sweepFiles: Chore = { name: 'sweep files', everyMinutes: 60, run: sweep }
