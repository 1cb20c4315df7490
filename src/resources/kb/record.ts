/** A document of the knowledge base, with exactly the fields of the contract. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { defineRecord } from '../../kernel/resource.ts'
import {
  combined,
  dict,
  type Infer,
  int,
  nullable,
  object,
  oneOf,
  optional,
  rule,
  type Schema,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { account, base } from '../shared/fields.ts'
import { contentProblem } from './content.ts'
import { MAX_SLUG, slugProblem } from './slug.ts'

export const MAX_TITLE = 255
export const MAX_MARKDOWN = 1_000_000
/** bytes of the block structure, which takes several times as much as its text */
const MAX_CONTENT = 8 * 1024 * 1024

const type = () => oneOf(['folder', 'page'])
const visibility = () => oneOf(['private', 'public'])

/** `null` as text means the root. */
const parentInQuery: Schema<string | null> = {
  optional: false,
  json: { ...uuid().json, description: 'Absent or null: the documents at the root' },
  check: (input, loc, issues) => (input === 'null' ? null : uuid().check(input, loc, issues)),
}

/** The location that a list shows: directly below a folder or the root, or all levels below it. */
export interface ListLocation {
  parent: string | null
  recursive: boolean
  trash: boolean
}

function isAt(ctx: Ctx, { parent, recursive, trash }: ListLocation): RawBuilder<unknown> {
  if (recursive && parent === null) return sql`true`
  if (recursive) {
    return sql`r.id in (select b.id from kb_below(${ctx.account}, array[${parent}]::uuid[]) b where b.level > 1)`
  }
  if (parent !== null) return sql`r.parent_id = ${parent}`
  if (!trash) return sql`r.parent_id is null`
  // the root of the trash lists what was deleted itself, not what was deleted with its folder
  return sql`not exists (select from ${rows(ctx, 'kb_documents')} p
    where p.id = r.parent_id and p.deletion_id = r.deletion_id)`
}

export const document = defineRecord({
  table: 'kb_documents',
  label: 'Document',
  input: object(
    {
      type: type(),
      title: text({ min: 1, max: MAX_TITLE }),
      slug: optional(
        rule(nullable(text({ max: MAX_SLUG, description: 'Default: derived from the title' })), slugProblem),
      ),
      content: optional(
        nullable(
          rule(
            dict({
              description: '{"type": "doc", "content": […]} or {"blocks": […]}',
              maxBytes: MAX_CONTENT,
              maxKeys: Number.POSITIVE_INFINITY,
            }),
            contentProblem,
          ),
        ),
      ),
      content_markdown: optional(nullable(text({ max: MAX_MARKDOWN }))),
      visibility: withDefault(visibility(), 'private'),
      parent_id: optional(nullable(uuid({ description: 'A folder; null at the root' }))),
      position: withDefault(int(), 0),
    },
    {
      title: 'KnowledgeBaseDocumentCreate',
      examples: [{ type: 'page', title: 'Price list', content_markdown: '# Prices', visibility: 'private' }],
    },
  ),
  output: object(
    {
      ...base,
      type: type(),
      title: text({ max: MAX_TITLE }),
      ...account,
      slug: text({ max: MAX_SLUG }),
      content: nullable(dict({ description: 'Null for folders' })),
      content_markdown: nullable(text()),
      visibility: visibility(),
      parent_id: nullable(uuid()),
      position: int(),
    },
    { title: 'KnowledgeBaseDocument' },
  ),
  search: 'text',
  hasBytes: true,
  filters: {
    visibility: { schema: visibility(), where: (_, value) => sql`r.visibility = ${value}` },
    type: { schema: type(), where: (_, value) => sql`r.type = ${value}` },
    parent_id: { schema: parentInQuery, where: isAt },
  },
  defaultSort: { by: 'position', order: 'asc' },
})
export type DocumentInput = Infer<typeof document.input>
export type Document = Infer<typeof document.output>

/** The response of list and get: with the number of a folder's direct children. */
export const listedDocument = defineRecord({
  ...document,
  output: combined(
    document.output,
    object({ children_count: nullable(int({ min: 0, description: 'For folders; null for pages' })) }),
    { title: 'KnowledgeBaseDocumentWithCount' },
  ),
  computed: {
    children_count: ctx => sql`(case when r.type = 'folder' then
      (select count(*) from ${living(ctx, 'kb_documents')} c where c.parent_id = r.id) end)`,
  },
})
export type ListedDocument = Infer<typeof listedDocument.output>
