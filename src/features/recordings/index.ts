/** `/api/transcriptions`: recordings and their transcripts. */
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { endpointsOf } from '../../kernel/general-endpoints.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Operations, Resource } from '../../kernel/resource.ts'
import { nullable, object, optional, text } from '../../kernel/schema/index.ts'
import { deleteRows, living, updateRows } from '../../kernel/statements.ts'
import { notes } from '../../resources/notes/index.ts'
import { jobStream } from '../jobs/stream.ts'
import { audioReply } from './audio.ts'
import { removeAudio } from './files.ts'
import { type Transcription, transcription, upload } from './record.ts'
import { transcribeJob } from './run.ts'
import { toNote } from './to-note.ts'
import { receive } from './upload.ts'

const base = crud(transcription)
const tag = 'Transcriptions'
const read = { tag, permission: 'transcriptions:read' } as const
const write = { tag, permission: 'transcriptions:write' } as const
const one = '/api/transcriptions/{transcription_id}'

const operations: Operations = {
  ...base,
  remove: (ctx, ids) =>
    transaction(ctx, async tx => {
      const removed = await base.remove(tx, ids)
      if (removed > 0) await removeAudio(tx, ids)
      return removed
    }),
}

const endpoints: Endpoint[] = [
  endpoint({
    ...write,
    method: 'POST',
    path: '/api/transcriptions',
    summary: 'Create a transcription',
    description:
      'Responds at once; the text is available when the transcription is completed. Up to 100 MB and four hours.',
    multipart: true,
    body: upload,
    response: transcription.output,
    status: 202,
    replaysItself: true,
    run: (ctx, request) => receive(ctx, request, base.get),
  }),
  endpoint({
    ...write,
    method: 'POST',
    path: `${one}/retry`,
    summary: 'Retry a transcription',
    description:
      'Processes a failed or completed transcription again; text, segments and summary are replaced.',
    response: transcription.output,
    status: 202,
    run: (ctx, { params }) => retry(ctx, params.transcription_id),
  }),
  endpoint({
    ...read,
    method: 'GET',
    path: `${one}/audio`,
    summary: 'Download the audio of a transcription',
    description: 'Supports Range requests, so that players can seek.',
    responseContent: { 'audio/*': { type: 'string', format: 'binary' } },
    run: (ctx, request) => audioReply(ctx, request.params.transcription_id, request.header('range')),
  }),
  endpoint({
    ...read,
    method: 'GET',
    path: `${one}/events`,
    summary: 'Stream the progress of a transcription',
    description:
      'A stream of `progress` events and one `end` event. The data of each has the status, the progress in percent and the segments that are new since the last event.',
    responseContent: { 'text/event-stream': { type: 'string' } },
    run: (ctx, { params, signal }) => follow(ctx, params.transcription_id, signal),
  }),
  endpoint({
    ...write,
    method: 'POST',
    path: `${one}/to-note`,
    summary: 'Create a note from a transcription',
    description: 'The note is on the activity, contact, deal or company that the recording is linked to.',
    body: object({ title: optional(nullable(text({ max: 255 }))) }),
    bodyOptional: true,
    response: notes.record.output,
    status: 201,
    run: (ctx, { params, body }) => toNote(ctx, params.transcription_id, body.title),
  }),
]

function retry(ctx: Ctx, id: string): Promise<Transcription> {
  return transaction(ctx, async tx => {
    const recording = await queryOne(
      tx,
      sql<{ status: string; has_audio: boolean }>`select t.status, t.has_audio
        from ${living(tx, 'transcriptions')} t where t.id = ${id} for update`,
    )
    if (!recording) throw errors.notFound('Transcription')
    if (recording.status === 'queued' || recording.status === 'processing')
      throw errors.conflict(`This transcription is ${recording.status} already`)
    if (!recording.has_audio) throw errors.conflict('The audio of this transcription has been deleted')
    await deleteRows(tx, 'transcription_segments', sql`r.transcription_id = ${id}`)
    const job = await enqueue(tx, transcribeJob, { transcription_id: id }, { entityId: id })
    const reset = { status: 'queued', error: null, text: null, summary: null, job_id: job }
    await updateRows(tx, 'transcriptions', { ...reset, updated_at: sql`now()` }, sql`r.id = ${id}`)
    return base.get(tx, id)
  })
}

async function follow(ctx: Ctx, id: string, signal: AbortSignal) {
  const { job_id } = await base.get(ctx, id)
  let sent = 0
  const nextState = async () => {
    const { status, progress, segments, error } = await base.get(ctx, id)
    const added = segments.slice(sent)
    sent = segments.length
    return { id, status, progress, segments: added, error }
  }
  return jobStream(ctx, job_id ?? id, nextState, signal)
}

const resource: Resource = {
  name: 'transcriptions',
  idParam: 'transcription_id',
  tag,
  record: base.record,
  operations,
  endpoints,
}

export const transcriptionEndpoints: Endpoint[] = endpointsOf(resource)
