/** The files of recordings. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { fileStore, inAccount } from '../../kernel/file-store.ts'
import { enqueue, type JobHandler, jobType } from '../../kernel/jobs.ts'
import { list, object, uuid } from '../../kernel/schema/index.ts'
import { living, unscoped, updateRows } from '../../kernel/statements.ts'

export const audioFiles = fileStore(
  'sweep audio',
  ({ audioDir }) => audioDir,
  (account, ids) => sql<{ id: string }>`select id from ${unscoped('transcriptions')}
    where ${inAccount(account)} and id = any(${ids}::uuid[]) and deleted_at is null`,
)

const removeAudioJob = jobType(
  'remove_audio',
  object({ ids: list(uuid(), { max: 1000 }) }),
  'transcriptions:write',
)

/** Queued in the transaction of the delete: if that is rolled back, the file must remain. */
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
    const restoredIds = new Set(restored.map(({ id }) => id))
    const removed = ids.filter(id => !restoredIds.has(id))
    await updateRows(
      ctx,
      'transcriptions',
      { has_audio: false },
      sql`r.id = any(${removed}::uuid[]) and r.has_audio`,
    )
    await audioFiles.remove(ctx, removed)
    return { removed: removed.length }
  },
}

export { removeAudioHandler, removeAudioJob }
