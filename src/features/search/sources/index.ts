/** The kinds of record that are searched. */

import { resources } from '../../../resources/index.ts'
import { kindNames } from '../../../resources/kinds.ts'
import { activity, note, transcription } from './events.ts'
import { sourceOfRecord } from './of-record.ts'
import { company, contact, deal } from './records.ts'
import type { Source } from './source.ts'
import { draft, message, page, template } from './texts.ts'

export type { RecordText, Source } from './source.ts'

const WRITTEN: readonly Source[] = [
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

/** The other kinds: their text is derived from their declaration. */
const DERIVED = kindNames
  .filter(name => !WRITTEN.some(source => source.entityType === name))
  .flatMap(name => {
    const resource = resources.find(({ record }) => record.entityType === name)
    return resource ? [sourceOfRecord(name, resource)] : []
  })

export const SOURCES: readonly Source[] = [...WRITTEN, ...DERIVED]
export const ENTITY_TYPES: readonly string[] = SOURCES.map(source => source.entityType)
export const sourceOf = (entityType: string): Source | undefined =>
  SOURCES.find(source => source.entityType === entityType)
