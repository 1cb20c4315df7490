/** A recording and its transcript. */
import { sql } from 'kysely'
import { defineRecord, type Filter } from '../../kernel/resource.ts'
import {
  datetime,
  type Infer,
  int,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { rows } from '../../kernel/statements.ts'
import { targets } from '../../resources/kinds.ts'

export const STATES = ['queued', 'processing', 'completed', 'failed'] as const

export const MAX_TEXT = 1_000_000
const MAX_SUMMARY = 50_000

const reference = () => optional(nullable(uuid()))
const language = (description: string) =>
  optional(nullable(text({ min: 2, max: 35, singleLine: true, examples: ['en'], description })))

const links = {
  activity_id: reference(),
  contact_id: reference(),
  company_id: reference(),
  deal_id: reference(),
}

const linkTargets = {
  activity_id: targets.activity,
  contact_id: targets.contact,
  company_id: targets.company,
  deal_id: targets.deal,
}
export const LINKS = [
  { name: 'activity_id', target: linkTargets.activity_id },
  { name: 'contact_id', target: linkTargets.contact_id },
  { name: 'company_id', target: linkTargets.company_id },
  { name: 'deal_id', target: linkTargets.deal_id },
] as const

/** The other parts of the upload. */
export const uploadFields = object(
  { language: language('The language of the recording'), ...links },
  { title: 'TranscriptionUploadFields' },
)

export type UploadFields = Infer<typeof uploadFields>

export const upload = object(
  {
    file: text({
      description:
        'The audio as a file part: wav, mp3, m4a, ogg, opus, flac or webm, detected from its content',
    }),
    ...uploadFields.fields,
  },
  { title: 'TranscriptionCreate' },
)

const input = object(
  {
    language: language('The language for a retry'),
    text: optional(nullable(text({ max: MAX_TEXT }))),
    summary: optional(nullable(text({ max: MAX_SUMMARY }))),
    ...links,
  },
  { title: 'TranscriptionUpdate' },
)

const seconds = () => number({ min: 0, description: 'Seconds from the beginning' })

export const segment = object({ start: seconds(), end: seconds(), text: text() }, { title: 'Segment' })

const size = int({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Bytes' })

const output = object(
  {
    id: uuid(),
    created_at: datetime(),
    updated_at: datetime(),
    account_id: uuid(),
    user_id: uuid(),
    file_name: text(),
    mime_type: text(),
    file_size: size,
    duration_seconds: nullable(number({ min: 0 })),
    language: nullable(text()),
    status: oneOf(STATES),
    progress: int({ min: 0, max: 100, description: 'Percent' }),
    text: nullable(text({ description: 'Once it is completed' })),
    segments: list(segment, { description: 'While it is being processed, those recognised so far' }),
    summary: nullable(
      text({
        description:
          'Written by the language model if one is configured, else the most informative sentences of the text',
      }),
    ),
    activity_id: nullable(uuid()),
    contact_id: nullable(uuid()),
    company_id: nullable(uuid()),
    deal_id: nullable(uuid()),
    provider: nullable(text({ description: 'The model that transcribed the recording' })),
    error: nullable(text()),
    audio_url: nullable(text({ description: 'Until the record is deleted' })),
    job_id: nullable(uuid({ description: 'Its progress is at /api/jobs/{job_id}' })),
  },
  { title: 'Transcription' },
)

const by = (column: string): Filter => ({
  schema: uuid(),
  where: (_, value) => sql`r.${sql.ref(column)} = ${value}`,
})

export const transcription = defineRecord({
  table: 'transcriptions',
  label: 'Transcription',
  input,
  output,
  computed: {
    segments: ctx => sql`(select coalesce(json_agg(json_build_object(
        'start', s.start_seconds, 'end', s.end_seconds, 'text', s.text) order by s.place), '[]'::json)
      from ${rows(ctx, 'transcription_segments')} s where s.transcription_id = r.id)`,
    progress: ctx => sql`(case r.status when 'completed' then 100 when 'processing' then coalesce((
      select j.done * 100 / j.total from ${rows(ctx, 'jobs')} j where j.id = r.job_id and j.total > 0), 0)::int
      else 0 end)`,
    audio_url: () => sql`(case when r.has_audio and r.deleted_at is null
      then '/api/transcriptions/' || r.id || '/audio' end)`,
  },
  references: linkTargets,
  search: 'text',
  hasBytes: true,
  filters: {
    status: { schema: oneOf(STATES), where: (_, value) => sql`r.status = ${value}` },
    language: { schema: text({ max: 35 }), where: (_, value) => sql`r.language = ${value}` },
    user_id: by('user_id'),
    activity_id: by('activity_id'),
    contact_id: by('contact_id'),
    company_id: by('company_id'),
    deal_id: by('deal_id'),
  },
})
export type TranscriptionInput = Infer<typeof transcription.input>
export type Transcription = Infer<typeof transcription.output>
