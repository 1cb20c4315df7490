/** A file on a record: its name, size and type. Its content is in the file store, see store.ts. */
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { defineRecord } from '../../../kernel/resource.ts'
import {
  type Infer,
  int,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../../kernel/schema/index.ts'
import { living } from '../../../kernel/statements.ts'
import { kindsWith, targets } from '../../../resources/kinds.ts'
import { account, base } from '../../../resources/shared/fields.ts'

export const ENTITY_TYPES = kindsWith('attachable')

const name = text({
  min: 1,
  max: 255,
  singleLine: true,
  description: 'The name of the file, without a folder',
})

const entity = {
  entity_type: oneOf(ENTITY_TYPES, { description: 'The kind of record that the file is on' }),
  entity_id: uuid(),
}

/** The other parts of the upload. */
export const uploadFields = object({ ...entity, name: optional(name) }, { title: 'FileUploadFields' })
export type UploadFields = Infer<typeof uploadFields>

export const upload = object(
  { file: text({ description: 'The file as a part of the form' }), ...uploadFields.fields },
  { title: 'FileCreate' },
)

/** Files on records that are in the trash are hidden. */
const recordLives = (ctx: Ctx) => {
  const cases = ENTITY_TYPES.map(
    type => sql`when ${sql.lit(type)} then exists (
      select from ${living(ctx, targets[type].table)} e where e.id = r.entity_id)`,
  )
  return sql`(case r.entity_type ${sql.join(cases, sql` `)} end)`
}

export const file = defineRecord({
  table: 'files',
  label: 'File',
  input: object({ name }, { title: 'FileUpdate' }),
  output: object(
    {
      ...base,
      ...entity,
      name,
      file_size: int({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Bytes' }),
      mime_type: text({ description: 'Detected from the content' }),
      content_url: text({ description: 'The URL of the content' }),
      user_id: nullable(uuid({ description: 'Who uploaded it' })),
      ...account,
    },
    { title: 'File' },
  ),
  computed: { content_url: () => sql`('/api/files/' || r.id || '/content')` },
  visible: recordLives,
  search: 'text',
  filters: {
    entity_type: { schema: oneOf(ENTITY_TYPES), where: (_, value) => sql`r.entity_type = ${value}` },
    entity_id: { schema: uuid(), where: (_, value) => sql`r.entity_id = ${value}` },
    mime_type: { schema: text({ max: 255 }), where: (_, value) => sql`r.mime_type = ${value}` },
    user_id: { schema: uuid(), where: (_, value) => sql`r.user_id = ${value}` },
  },
})
export type FileInput = Infer<typeof file.input>
export type File = Infer<typeof file.output>
