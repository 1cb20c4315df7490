/** Folders for chats. Deleting a folder does not delete its chats. */
import { sql } from 'kysely'
import { crud } from '../../kernel/crud.ts'
import { defineRecord, type Resource } from '../../kernel/resource.ts'
import { type Infer, int, object, optional, text, uuid } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { account, base as baseFields } from '../shared/fields.ts'

const folder = defineRecord({
  table: 'chat_folders',
  label: 'Chat folder',
  input: object(
    { name: text({ min: 1, max: 255 }), display_order: optional(int()) },
    { title: 'ChatFolderCreate', examples: [{ name: 'Sales' }] },
  ),
  output: object(
    {
      ...baseFields,
      ...account,
      created_by: uuid(),
      name: text(),
      display_order: int(),
      chats_count: int({ min: 0 }),
    },
    { title: 'ChatFolder' },
  ),
  computed: {
    chats_count: ctx => sql`(select count(*) from ${living(ctx, 'chats')} c where c.folder_id = r.id)`,
  },
  search: 'text',
  defaultSort: { by: 'display_order', order: 'asc' },
})
export type FolderInput = Infer<typeof folder.input>
export type Folder = Infer<typeof folder.output>

const base = crud(folder)

export const chatFolders: Resource<FolderInput, Folder> = {
  name: 'chats',
  path: '/api/chats/folders',
  idParam: 'folder_id',
  tag: 'Chat folders',
  record: base.record,
  operations: {
    ...base,
    create: (ctx, input) => base.create(ctx, input, { set: { created_by: ctx.user } }),
  },
}
