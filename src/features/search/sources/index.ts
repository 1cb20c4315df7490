/** What is searched. */
import { activity, note, transcription } from './events.ts'
import { company, contact, deal } from './records.ts'
import type { Source } from './source.ts'
import { draft, message, page, template } from './texts.ts'

export type { RecordText, Source } from './source.ts'

export const SOURCES: readonly Source[] = [
  company,
  contact,
  deal,
  activity,
  note,
  page,
  template,
  draft,
  message,
  transcription,
]
export const ENTITY_TYPES = SOURCES.map(source => source.entityType)
export const sourceOf = (entityType: string): Source | undefined =>
  SOURCES.find(source => source.entityType === entityType)
