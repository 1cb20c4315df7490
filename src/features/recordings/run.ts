/**
 * Transcribes a recording. No transaction is open while it decodes and recognises speech. After a crash it starts from
 * the beginning. Only the process that has the lease writes the result.
 */
import { sql } from 'kysely'
import { recognizerOf, type Segment, SpeechFailed } from '../../ai/speech/index.ts'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { JobFailed, type JobHandler, type JobRun, jobType } from '../../kernel/jobs.ts'
import { object, uuid } from '../../kernel/schema/index.ts'
import { deleteRows, insertRows, living, updateRows } from '../../kernel/statements.ts'
import { audioFiles } from './files.ts'
import { namesAround } from './names.ts'
import { MAX_TEXT } from './record.ts'
import { wordedSummary } from './worded-summary.ts'

export const transcribeJob = jobType(
  'transcribe',
  object({ transcription_id: uuid() }),
  'transcriptions:write',
  {
    attempts: 3,
    concurrency: 2,
  },
)

interface StoredRecording {
  file_name: string
  mime_type: string
  language: string | null
  status: string
  has_audio: boolean
}

/** The shortest interval between two writes of segments. */
const WRITE_MS = 1000

export const transcribeHandler: JobHandler<{ transcription_id: string }> = {
  type: transcribeJob,

  async run(ctx, { transcription_id: id }, job) {
    const recording = await begin(ctx, id)
    if (recording.status === 'completed') return { transcription_id: id }
    if (!recording.has_audio) throw new JobFailed('The audio of this transcription has been deleted')
    const writing = writer(ctx, id, job)
    const recognizer = recognizerOf(ctx.services.config)
    const transcript = await recognizer
      .transcribe({
        path: audioFiles.path(ctx, id),
        fileName: recording.file_name,
        mimeType: recording.mime_type,
        language: recording.language,
        names: await namesAround(ctx, id),
        signal: job.signal,
        onProgress: writing.save,
      })
      .catch(async error => {
        // The file is removed after its transcription is deleted, so a failure to read it may be due to that.
        await mustExist(ctx, id)
        throw error instanceof SpeechFailed ? new JobFailed(error.message) : error
      })
    const about = { duration_seconds: transcript.duration, provider: recognizer.provider }
    const text = transcript.segments.map(segment => segment.text).join(' ')
    if (text === '') {
      await updateRows(ctx, 'transcriptions', about, sql`r.id = ${id}`)
      throw new JobFailed('No speech was detected in this recording')
    }
    const summary = await wordedSummary(ctx, text)
    job.signal.throwIfAborted()
    await transaction(ctx, async tx => {
      await writing.finish(tx, transcript.segments)
      const result = { ...about, text: text.slice(0, MAX_TEXT), summary, error: null }
      const language = recording.language ?? transcript.language
      const set = { status: 'completed', ...result, language, updated_at: sql`now()` }
      await updateRows(tx, 'transcriptions', set, sql`r.id = ${id}`)
    })
    return { transcription_id: id, segments: transcript.segments.length }
  },

  async onEnd(tx, { transcription_id: id }, ending) {
    const error = ending.status === 'failed' ? ending.error : 'The transcription was cancelled'
    await updateRows(
      tx,
      'transcriptions',
      { status: 'failed', error, updated_at: sql`now()` },
      sql`r.id = ${id}`,
    )
  },
}

/** Removes the segments of an earlier attempt, unless the transcription is completed. */
function begin(ctx: Ctx, id: string): Promise<StoredRecording> {
  return transaction(ctx, async tx => {
    const recording = await queryOne(
      tx,
      sql<StoredRecording>`select t.file_name, t.mime_type, t.language, t.status, t.has_audio
        from ${living(tx, 'transcriptions')} t where t.id = ${id} for update`,
    )
    if (!recording) throw deleted()
    if (recording.status === 'completed') return recording
    await deleteRows(tx, 'transcription_segments', sql`r.transcription_id = ${id}`)
    await updateRows(
      tx,
      'transcriptions',
      { status: 'processing', error: null, updated_at: sql`now()` },
      sql`r.id = ${id} and r.status <> 'processing'`,
    )
    return recording
  })
}

const deleted = () => new JobFailed('The transcription has been deleted')

async function mustExist(ctx: Ctx, id: string, lock = sql``): Promise<void> {
  const record = await queryOne(
    ctx,
    sql`select t.id from ${living(ctx, 'transcriptions')} t where t.id = ${id} ${lock}`,
  )
  if (!record) throw deleted()
}

/** Writes new segments in intervals, each once. */
function writer(ctx: Ctx, id: string, job: JobRun) {
  let written = 0
  let last = 0

  async function write(tx: Ctx, segments: readonly Segment[], percent: number): Promise<void> {
    await mustExist(tx, id, sql`for update`)
    await job.progress(tx, percent, 100)
    const rows = segments.slice(written).map((segment, i) => ({
      transcription_id: id,
      place: written + i,
      start_seconds: segment.start,
      end_seconds: segment.end,
      text: segment.text,
    }))
    await insertRows(tx, 'transcription_segments', rows)
  }

  return {
    async save(segments: readonly Segment[], share: number): Promise<void> {
      if (Date.now() - last < WRITE_MS) return
      last = Date.now()
      const count = segments.length
      const soFar = segments.slice(0, count)
      await transaction(ctx, tx => write(tx, soFar, Math.min(99, Math.floor(share * 100))))
      written = count
    },
    finish: (tx: Ctx, segments: readonly Segment[]) => write(tx, segments, 100),
  }
}
