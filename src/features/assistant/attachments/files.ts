/** Where the files of chats lie: a folder for each account, names are ids. Nothing a client sends becomes a path. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Ctx, queryOne, type Services, systemDb } from '../../../kernel/context.ts'
import type { Chore } from '../../../kernel/jobs.ts'
import { rows } from '../../../kernel/statements.ts'

type Place = Pick<Ctx, 'account' | 'services'>

const folderOf = ({ services, account }: Place) => join(services.config.files.attachmentDir, account)
export const filePath = (at: Place, fileId: string): string => join(folderOf(at), fileId)
/** What is not yet whole has another name, so that it is never taken for the file. */
export const partPath = (at: Place, fileId: string): string => `${filePath(at, fileId)}.part`
export const makeFolder = (at: Place) => mkdir(folderOf(at), { recursive: true, mode: 0o700 })

/** Once no attachment names it; a copy of the chat may still do. */
export async function removeUnnamed(ctx: Ctx, fileId: string): Promise<void> {
  const kept = await queryOne(
    ctx,
    sql`select a.id from ${rows(ctx, 'chat_attachments')} a where a.file_id = ${fileId} limit 1`,
  )
  if (!kept) await rm(filePath(ctx, fileId), { force: true })
}

/** A file may be there before its record is: an upload takes as long as it takes. */
const GRACE_MS = 6 * 3_600_000

/** Removes what a crash, a purged chat or an erased account has left behind. */
async function sweep(services: Services): Promise<void> {
  const { attachmentDir } = services.config.files
  for (const account of await readdir(attachmentDir).catch(() => [])) {
    const names = await readdir(join(attachmentDir, account)).catch(() => [])
    const wanted = new Set(await claimed(services, account, names))
    for (const name of names.filter(name => !wanted.has(name))) {
      const path = join(attachmentDir, account, name)
      const found = await stat(path).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > GRACE_MS) await rm(path, { force: true })
    }
  }
}

async function claimed(services: Services, account: string, names: readonly string[]): Promise<string[]> {
  const ids = names.filter(name => /^[0-9a-f-]{36}$/.test(name))
  const { rows: found } = await sql<{
    file_id: string
  }>`select a.file_id from ${sql.table('chat_attachments')} a
    where a.account_id::text = ${account} and a.file_id = any(${ids}::uuid[])`.execute(systemDb(services))
  return found.map(row => row.file_id)
}

export const sweepAttachments: Chore = { name: 'sweep attachments', everyMinutes: 60, run: sweep }
