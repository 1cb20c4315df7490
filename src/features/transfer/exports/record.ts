/** An export: which records and fields, the format, and the file until it expires. */
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
  text,
  uuid,
  withDefault,
} from '../../../kernel/schema/index.ts'
import { type KindWith, kindsWith } from '../../../resources/kinds.ts'
import { filterSchema } from '../../records/query/selection.ts'
import { whereSchema } from '../../records/query/where.ts'

export const EXPORTED = kindsWith('exported')
export type Exported = KindWith<'exported'>
export const EXPORT_STATES = ['queued', 'running', 'completed', 'failed'] as const

const MAX_IDS = 100_000

export const exportInput = object(
  {
    entity_type: oneOf([...EXPORTED, 'account'], {
      description: 'account: one archive of everything, which `kith restore` reads into an empty account',
    }),
    format: withDefault(oneOf(['csv', 'json'], { description: 'json: one record a line' }), 'csv'),
    fields: optional(
      nullable(
        list(text({ max: 200 }), {
          min: 1,
          max: 500,
          description: 'Fields of the record, cf.<key>, and for relations <name>_name or <name>_names',
        }),
      ),
    ),
    filter: withDefault(filterSchema, {}),
    where: optional(nullable(whereSchema)),
    ids: optional(nullable(list(uuid(), { max: MAX_IDS, description: 'Only these records' }))),
    bom: withDefault(boolean({ description: 'Begin with a byte-order mark, for older spreadsheets' }), false),
  },
  {
    title: 'ExportCreate',
    examples: [
      { entity_type: 'company', format: 'csv', where: { field: 'status', op: 'eq', value: 'customer' } },
    ],
  },
)

export const exportOutput = object(
  {
    id: uuid(),
    created_at: datetime(),
    updated_at: datetime(),
    account_id: uuid(),
    entity_type: text(),
    format: oneOf(['csv', 'json', 'archive']),
    fields: nullable(list(text())),
    filter: dict(),
    where: nullable(dict()),
    ids: nullable(list(uuid())),
    bom: boolean(),
    status: oneOf(EXPORT_STATES),
    row_count: nullable(int({ min: 0, max: Number.MAX_SAFE_INTEGER })),
    file_name: text(),
    file_size: nullable(int({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Bytes' })),
    download_url: nullable(text({ description: 'Once it is completed and until it expires' })),
    expires_at: nullable(datetime()),
    error: nullable(text()),
    job_id: nullable(uuid({ description: 'Its progress is at /api/jobs/{job_id}' })),
    user_id: nullable(uuid()),
  },
  { title: 'Export' },
)

export const exportRecord = defineRecord({
  table: 'exports',
  label: 'Export',
  input: exportInput,
  output: exportOutput,
  computed: {
    download_url:
      () => sql`(case when r.status = 'completed' and r.expires_at > now() and r.deleted_at is null
      then '/api/exports/' || r.id || '/download' end)`,
  },
  // Changes of exports are not journaled, so `record_counts` lacks them: the total is counted.
  visible: () => sql`true`,
  filters: {
    entity_type: { schema: text({ max: 50 }), where: (_, value) => sql`r.entity_type = ${value}` },
    status: { schema: oneOf(EXPORT_STATES), where: (_, value) => sql`r.status = ${value}` },
    format: { schema: oneOf(['csv', 'json', 'archive']), where: (_, value) => sql`r.format = ${value}` },
  },
})
export type ExportInput = Infer<typeof exportRecord.input>
export type Export = Infer<typeof exportRecord.output>
