/** Erases a person (GDPR): the contact, and every copy of their data that the service has made. */
import { sql } from 'kysely'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { enqueue, type JobHandler, jobType } from '../../kernel/jobs.ts'
import { list, object, uuid } from '../../kernel/schema/index.ts'
import { rows, updateRows } from '../../kernel/statements.ts'
import { removeAudio } from '../recordings/files.ts'
import { recordFiles } from '../records/files/store.ts'
import { transferFiles } from '../transfer/exports/files.ts'
import { eraseAnswers } from './answers.ts'
import { mailsOf } from './mails.ts'
import { type Person, personOf } from './person.ts'

/**
 * Queued in the transaction of the erasure: deleted files could not be restored if that transaction were rolled back.
 */
export const removeCopiesJob = jobType(
  'remove_copies',
  object({ ids: list(uuid(), { max: 100_000 }) }),
  'contacts:write',
)
export const removeCopiesHandler: JobHandler<{ ids: string[] }> = {
  type: removeCopiesJob,
  async run(ctx, { ids }) {
    await transferFiles.remove(ctx, ids)
    await recordFiles.remove(ctx, ids)
    return { removed: ids.length }
  },
}

function eraseContact(ctx: Ctx, id: string): Promise<void> {
  return transaction(ctx, async tx => {
    const person = await personOf(tx, id)
    const recordings = await recordingsOf(tx, person)
    const [imports, exports] = [await importsOf(tx, person), await exportsNow(tx)]
    const files = await filesOf(tx, person)
    const mails = await mailsOf(tx, person)
    await eraseAnswers(tx, person)
    if ((await erase(tx, 'contacts', person.ids)).length === 0) throw errors.notFound('Contact')
    await erase(tx, 'transcriptions', recordings)
    await erase(tx, 'email_drafts', mails)
    await emptyImports(tx, imports)
    await updateRows(tx, 'exports', { expires_at: sql`now()` }, sql`r.id = any(${exports}::uuid[])`)
    if (recordings.length > 0) await removeAudio(tx, recordings)
    const ids = [...imports, ...exports, ...files]
    if (ids.length > 0) await enqueue(tx, removeCopiesJob, { ids })
  })
}

const erase = (tx: Ctx, kind: string, ids: readonly string[]) =>
  query(tx, sql`select erase_records(${kind}, ${ids}::uuid[])`)

/** Includes recordings in the trash. */
async function recordingsOf(tx: Ctx, { ids }: Person): Promise<string[]> {
  const matches = await query(
    tx,
    sql<{
      id: string
    }>`select t.id from ${rows(tx, 'transcriptions')} t where t.contact_id = any(${ids}::uuid[])`,
  )
  return matches.map(({ id }) => id)
}

/** Files of the person. Their rows are deleted with the contact, but their contents are on disk. */
async function filesOf(tx: Ctx, { ids }: Person): Promise<string[]> {
  const matches = await query(
    tx,
    sql<{ id: string }>`select f.id from ${rows(tx, 'files')} f
      where f.entity_type = 'contact' and f.entity_id = any(${ids}::uuid[])`,
  )
  return matches.map(({ id }) => id)
}

/** The imports that wrote this person, whose files still contain the row. */
async function importsOf(tx: Ctx, { ids }: Person): Promise<string[]> {
  const matches = await query(
    tx,
    sql<{ id: string }>`select i.id from ${rows(tx, 'imports')} i where i.operation_id in (
      select c.operation_id from ${rows(tx, 'changes')} c
      where c.entity_id = any(${ids}::uuid[]) and c.operation_id is not null)`,
  )
  return matches.map(({ id }) => id)
}

/** Also removes values read from the files: examples of each column, and values that could not be imported. */
async function emptyImports(tx: Ctx, ids: readonly string[]): Promise<void> {
  await updateRows(
    tx,
    'imports',
    sql`expires_at = now(), columns = (
      select coalesce(jsonb_agg(c || '{"samples": [], "values": []}' order by position), '[]')
      from jsonb_array_elements(r.columns) with ordinality e (c, position))`,
    sql`r.id = any(${ids}::uuid[])`,
  )
  await updateRows(tx, 'import_errors', { value: null }, sql`r.import_id = any(${ids}::uuid[])`)
}

/** All exports are deleted, because they can be created again; searching them for a person would take longer. */
async function exportsNow(tx: Ctx): Promise<string[]> {
  const matches = await query(
    tx,
    sql<{ id: string }>`select e.id from ${rows(tx, 'exports')} e where e.expires_at > now()`,
  )
  return matches.map(({ id }) => id)
}

export const eraseEndpoint = endpoint({
  method: 'POST',
  path: '/api/contacts/{contact_id}/erase',
  tag: 'Contacts',
  permission: 'contacts:write',
  role: 'admin',
  summary: 'Erase a contact permanently',
  description:
    'Removes the person at once, including from the trash and the search index, together with duplicates merged into them, every link and favorite, their recordings, files and mails, the files that they were imported from, and all finished exports. Their values are removed from the journal, from stored responses and from the assistant’s answers. Notes and activities remain without the link, and free text (notes, descriptions, users’ questions) is not changed. This cannot be undone.',
  response: empty,
  async run(ctx, { params }) {
    await eraseContact(ctx, params.contact_id)
    return {}
  },
})
