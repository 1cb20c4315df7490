/** A chat, with exactly the fields of the contract. */

import { sql } from 'kysely'
import { fold } from '../../kernel/fold.ts'
import type { Target } from '../../kernel/links.ts'
import { defineRecord } from '../../kernel/resource.ts'
import {
  boolean,
  dict,
  type Infer,
  nullable,
  object,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { account, base } from '../shared/fields.ts'

export const MAX_TITLE = 500

const folderTarget: Target = { table: 'chat_folders', label: 'Chat folder', name: 'name' }

export const chat = defineRecord({
  table: 'chats',
  label: 'Chat',
  input: object(
    {
      title: optional(
        nullable(text({ max: MAX_TITLE, description: 'Default: derived from the first message' })),
      ),
      is_pinned: optional(boolean()),
      is_archived: optional(boolean()),
      folder_id: optional(nullable(uuid())),
      settings: optional(dict()),
      metadata: optional(dict()),
    },
    { title: 'ChatCreate', examples: [{ title: 'Pipeline review' }] },
  ),
  output: object(
    {
      ...base,
      ...account,
      created_by: uuid(),
      title: text({ max: MAX_TITLE }),
      is_pinned: boolean(),
      is_archived: boolean(),
      folder_id: nullable(uuid()),
      settings: dict(),
      metadata: dict(),
    },
    { title: 'Chat' },
  ),
  computed: {
    title: () => sql`coalesce(r.title, 'New chat')`,
    // chats of a deleted folder have none, until the folder is restored
    folder_id: ctx => sql`(select f.id from ${living(ctx, 'chat_folders')} f where f.id = r.folder_id)`,
  },
  references: { folder_id: folderTarget },
  hasBytes: true,
  filters: {
    search: {
      schema: text({ max: 1000, description: 'Part of the title or of a message' }),
      where: (ctx, value: string) => {
        const term = value.trim()
        if (term === '') return sql`true`
        return sql`(strpos(r.search_text, ${fold(term)}) > 0 or exists (
          select from ${living(ctx, 'chat_messages')} m
          where m.chat_id = r.id and strpos(m.search_text, ${fold(term)}) > 0))`
      },
    },
    is_archived: { schema: boolean(), where: (_, value) => sql`r.is_archived = ${value}` },
    is_pinned: { schema: boolean(), where: (_, value) => sql`r.is_pinned = ${value}` },
    folder_id: {
      schema: uuid(),
      where: (ctx, value) =>
        sql`r.folder_id = (select f.id from ${living(ctx, 'chat_folders')} f where f.id = ${value})`,
    },
    created_by: { schema: uuid(), where: (_, value) => sql`r.created_by = ${value}` },
  },
})
export type ChatInput = Infer<typeof chat.input>
export type Chat = Infer<typeof chat.output>
