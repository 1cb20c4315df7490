/** An import: an uploaded file, its settings, and its progress. */
import { sql } from 'kysely'
import { defineRecord } from '../../../kernel/resource.ts'
import {
  boolean,
  datetime,
  dict,
  type Infer,
  int,
  list,
  nullable,
  object,
  oneOf,
  optional,
  sometimes,
  text,
  uuid,
} from '../../../kernel/schema/index.ts'
import { EXPORTED } from '../exports/record.ts'
import { INFERRED } from './analyse.ts'
import { ORDER_REASONS } from './date-order.ts'
import { ENCODINGS } from './encoding.ts'
import { FORMATS } from './formats/detect.ts'
import { importOptions } from './options.ts'
import { SHARES } from './shares.ts'
import { VALUE_TYPES } from './value-types.ts'

export const IMPORT_STATES = [
  'uploaded',
  'validating',
  'ready',
  'running',
  'completed',
  'failed',
  'cancelled',
  'reverted',
] as const

export const SEVERITIES = ['error', 'warning', 'skipped'] as const

const textOrNull = { anyOf: [{ type: 'string' }, { type: 'null' }] }
const mapping = dict({
  description: 'Column → field, cf.<key>, or null for a column that is left out',
  values: textOrNull,
})
const valueMapping = dict({
  description:
    'Column → cell → what is read instead of it, or null for no value; cells are compared without case',
  values: { type: 'object', additionalProperties: textOrNull },
})

export const importChange = object(
  {
    mapping: optional(mapping),
    value_mapping: optional(valueMapping),
    options: optional(importOptions),
    has_header: optional(boolean()),
    delimiter: optional(text({ min: 1, max: 1 })),
    encoding: optional(oneOf(ENCODINGS)),
  },
  { title: 'ImportUpdate' },
)

const count = (description?: string) => int({ min: 0, ...(description ? { description } : {}) })

export const importOutput = object(
  {
    id: uuid(),
    created_at: datetime(),
    updated_at: datetime(),
    account_id: uuid(),
    entity_type: oneOf(EXPORTED),
    file_name: text(),
    file_size: int({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Bytes' }),
    format: oneOf(FORMATS, { description: 'Detected from the content; json is also NDJSON' }),
    sheet: nullable(text({ description: 'The sheet of the workbook that is imported' })),
    encoding: oneOf(ENCODINGS),
    delimiter: text(),
    has_header: boolean(),
    columns: list(
      object({
        index: count(),
        header: text(),
        samples: list(text()),
        values: nullable(list(text()), { description: 'All different values, where there are at most 100' }),
        suggested_field: nullable(text()),
        inferred_type: oneOf(INFERRED),
        value_type: oneOf(VALUE_TYPES, {
          description: 'The type that all its values have, which a custom field made for it gets',
        }),
        date_format: nullable(
          text({
            description: 'The order of day and month in dates without dots; with dots the day is first',
          }),
        ),
        date_format_from: sometimes(
          nullable(oneOf(ORDER_REASONS), {
            description:
              'What decided it: values that can be nothing else, the delimiter where every date could be either, or the majority where values contradict each other',
          }),
        ),
        shares: sometimes(
          nullable(oneOf(SHARES), {
            description:
              'Whether its numbers are shares of 1, as 0.2 is 20 % as a probability; possible where all are 0 or 1',
          }),
        ),
        ambiguous_date: sometimes(
          nullable(text(), { description: 'A date of this column that may be meant in another order' }),
        ),
        decimal_separator: nullable(
          oneOf(['.', ','], { description: 'Of its numbers; null without any, or where they disagree' }),
        ),
      }),
    ),
    mapping,
    value_mapping: valueMapping,
    options: importOptions,
    status: oneOf(IMPORT_STATES),
    total_rows: count(),
    processed_rows: count(),
    created_count: count('Of a dry run: how many a start would make'),
    updated_count: count(),
    skipped_count: count('Rows whose record existed already, or had all of their values already'),
    error_count: count('Rows that failed'),
    warning_count: count('Values that imported rows were imported without'),
    warnings: list(object({ column: nullable(text()), code: text(), message: text() }), {
      description: 'What an import with this mapping and these options does not take over',
    }),
    error: nullable(text()),
    job_id: nullable(uuid({ description: 'Its progress is at /api/jobs/{job_id}' })),
    operation_id: nullable(uuid({ description: 'The operation of all changes that the import made' })),
    reverted_count: nullable(count()),
    conflict_count: nullable(
      count('Records that a revert could not restore, because they were changed since'),
    ),
    conflicts: nullable(
      list(object({ entity_type: text(), entity_id: uuid(), fields: list(text()) }), {
        description: 'The first of them',
      }),
    ),
    user_id: nullable(uuid()),
    started_at: nullable(datetime()),
    finished_at: nullable(datetime()),
    expires_at: datetime({ description: 'When the uploaded file goes' }),
  },
  { title: 'Import' },
)

export const importRecord = defineRecord({
  table: 'imports',
  label: 'Import',
  input: importChange,
  output: importOutput,
  // Changes of imports are not journaled, so `record_counts` lacks them: the total is counted.
  visible: () => sql`true`,
  filters: {
    entity_type: { schema: oneOf(EXPORTED), where: (_, value) => sql`r.entity_type = ${value}` },
    status: { schema: oneOf(IMPORT_STATES), where: (_, value) => sql`r.status = ${value}` },
  },
})
export type ImportInput = Infer<typeof importRecord.input>
export type Import = Infer<typeof importRecord.output>

export const rowErrorOutput = object(
  {
    row: int({
      min: 1,
      description:
        'As a spreadsheet counts: the header is row 1. Of JSON, vCard and iCalendar files: the number of the record, card or event',
    }),
    column: nullable(text()),
    field: nullable(text()),
    value: nullable(text()),
    severity: oneOf(SEVERITIES, {
      description:
        'error: the row failed; warning: it was imported without this value; skipped: its record, whose id is the value, existed already',
    }),
    code: text(),
    message: text(),
  },
  { title: 'ImportError' },
)
