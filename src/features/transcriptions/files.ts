/** Where recordings lie: a folder for each account, names are ids. Nothing a client sends becomes a path. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Ctx, query, type Services, systemDb } from '../../kernel/context.ts'
import { type Chore, enqueue, type JobHandler, jobType } from '../../kernel/jobs.ts'
import { list, object, uuid } from '../../kernel/schema/index.ts'
import { living, updateRows } from '../../kernel/statements.ts'

type Place = Pick<Ctx, 'account' | 'services'>

const folderOf = ({ services, account }: Place) => join(services.config.files.audioDir, account)
export const audioPath = (at: Place, id: string): string => join(folderOf(at), id)
/** What is not yet whole has another name, so that it is never taken for the recording. */
export const partPath = (at: Place, id: string): string => `${audioPath(at, id)}.part`
export const makeFolder = (at: Place) => mkdir(folderOf(at), { recursive: true, mode: 0o700 })

const removeAudioJob = jobType('remove_audio', object({ ids: list(uuid(), { max: 1000 }) }))

/** Queued with the delete itself: a delete that does not come about must not cost the recording. */
export const removeAudio = (tx: Ctx, ids: readonly string[]) => enqueue(tx, removeAudioJob, { ids: [...ids] })

const removeAudioHandler: JobHandler<{ ids: string[] }> = {
  type: removeAudioJob,
  async run(ctx, { ids }) {
    const restored = await query(
      ctx,
      sql<{
        id: string
      }>`select t.id from ${living(ctx, 'transcriptions')} t where t.id = any(${ids}::uuid[])`,
    )
    const kept = new Set(restored.map(({ id }) => id))
    const gone = ids.filter(id => !kept.has(id))
    await updateRows(
      ctx,
      'transcriptions',
      { has_audio: false },
      sql`r.id = any(${gone}::uuid[]) and r.has_audio`,
    )
    for (const id of gone) await rm(audioPath(ctx, id), { force: true })
    return { removed: gone.length }
  },
}

/** A file may be there before its record is: an upload takes as long as it takes. */
const GRACE_MS = 6 * 3_600_000

/** Removes what a crash, a purge or an erased account has left behind. */
async function sweep(services: Services): Promise<void> {
  const { audioDir } = services.config.files
  for (const account of await readdir(audioDir).catch(() => [])) {
    const names = await readdir(join(audioDir, account)).catch(() => [])
    const wanted = new Set(await claimed(services, account, names))
    for (const name of names.filter(name => !wanted.has(name))) {
      const path = join(audioDir, account, name)
      const found = await stat(path).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > GRACE_MS) await rm(path, { force: true })
    }
  }
}

async function claimed(services: Services, account: string, names: readonly string[]): Promise<string[]> {
  const ids = names.filter(name => /^[0-9a-f-]{36}$/.test(name))
  const { rows } = await sql<{ id: string }>`select t.id from ${sql.table('transcriptions')} t
    where t.account_id::text = ${account} and t.id = any(${ids}::uuid[]) and t.deleted_at is null
  `.execute(systemDb(services))
  return rows.map(row => row.id)
}

export const sweepAudio: Chore = { name: 'sweep audio', everyMinutes: 60, run: sweep }
export { removeAudioHandler, removeAudioJob }
