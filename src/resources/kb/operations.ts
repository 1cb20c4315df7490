/** The general operations on documents, which also update the tree, the slugs and both forms of the content. */
import { sql } from 'kysely'
import { type Ctx, one, query, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { listsTrash } from '../../kernel/list-parameters.ts'
import type { Operations } from '../../kernel/resource.ts'
import { living, rows, TO_TRASH, updateRows } from '../../kernel/statements.ts'
import { type Content, emptyContent } from './content.ts'
import { contentFrom, markdownFrom } from './convert.ts'
import {
  type Document,
  type DocumentInput,
  document,
  type ListedDocument,
  type ListLocation,
  listedDocument,
  MAX_MARKDOWN,
} from './record.ts'
import { freeSlugs, slugOf } from './slug.ts'
import { checkParent, lockTree } from './tree.ts'

/** The response of create and update: a document without the count of its children. */
export const written = crud(document)
const listed = crud(listedDocument)

const list: Operations<DocumentInput, ListedDocument>['list'] = (
  ctx,
  { parent_id, recursive, ...params },
) => {
  const location: ListLocation = {
    parent: typeof parent_id === 'string' ? parent_id : null,
    recursive: recursive === true,
    trash: listsTrash(params),
  }
  return listed.list(ctx, { ...params, parent_id: location })
}

async function create(ctx: Ctx, input: DocumentInput): Promise<Document> {
  const content =
    input.type === 'folder'
      ? { content: null, content_markdown: null }
      : await bothForms(input, emptyContent())
  return transaction(ctx, async tx => {
    await lockTree(tx)
    if (input.parent_id) await checkParent(tx, input.parent_id)
    const slug = input.slug
      ? await requestedSlug(tx, input.slug)
      : await generatedSlug(tx, input.title, input.type)
    return written.create(tx, { ...input, slug, ...content })
  })
}

async function update(ctx: Ctx, id: string, input: Partial<DocumentInput>): Promise<Document> {
  const { slug, content: _blocks, content_markdown: _markdown, ...rest } = input
  const forms = await bothForms(input)
  return transaction(ctx, async tx => {
    await lockTree(tx)
    const now = await written.get(tx, id)
    if (input.type !== undefined && input.type !== now.type) {
      throw errors.invalidValue(['body', 'type'], 'the type of a document is fixed', input.type)
    }
    if (input.parent_id && input.parent_id !== now.parent_id) await checkParent(tx, input.parent_id, id)
    const change: Partial<DocumentInput> = { ...rest }
    if (slug && slug !== now.slug) change.slug = await requestedSlug(tx, slug)
    // cleared: generated again, as for a new document
    if (slug === null || slug === '')
      change.slug = await generatedSlug(tx, input.title ?? now.title, now.type)
    if (now.type === 'page') Object.assign(change, forms)
    return written.update(tx, id, change)
  })
}

async function requestedSlug(tx: Ctx, slug: string): Promise<string> {
  const taken = await query(tx, sql`select from ${living(tx, 'kb_documents')} d where d.slug = ${slug}`)
  if (taken.length > 0) throw errors.conflict('Another document has this slug')
  return slug
}

const generatedSlug = async (tx: Ctx, title: string, type: string): Promise<string> =>
  one(await freeSlugs(tx, [slugOf(title, type)]))

type Forms = Pick<DocumentInput, 'content' | 'content_markdown'>

/** Derives the missing one of content and markdown from the other; without either, uses `otherwise`. */
export async function bothForms(forms: Forms, otherwise?: Content): Promise<Forms> {
  const { content: blocks, content_markdown: markdown } = forms
  if (blocks) return { content: blocks, content_markdown: markdown ?? (await bounded(blocks)) }
  if (markdown) return { content: await contentFrom(markdown), content_markdown: markdown }
  const emptied = forms.content === null || forms.content_markdown != null
  const content = emptied || forms.content_markdown === null ? emptyContent() : otherwise
  return content ? { content, content_markdown: '' } : {}
}

async function bounded(content: Content): Promise<string> {
  const markdown = await markdownFrom(content)
  if (markdown.length <= MAX_MARKDOWN) return markdown
  throw errors.invalidValue(['body', 'content'], `a page has at most ${MAX_MARKDOWN} characters`, null)
}

/** Deleting a folder deletes everything below it. */
function remove(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    await lockTree(tx)
    const gone = await updateRows(
      tx,
      'kb_documents',
      { ...TO_TRASH, deletion_id: newId() },
      sql`r.deleted_at is null and r.id in (select b.id from kb_below(${tx.account}, ${ids}::uuid[]) b)`,
      sql`r.id`,
    )
    return gone.length
  })
}

/** Restores what was deleted together with a document. If its folder is deleted, it moves to the root. */
function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    await lockTree(tx)
    const back = await query(
      tx,
      sql<{ id: string; slug: string }>`
        select distinct d.id, d.slug from ${rows(tx, 'kb_documents')} top
        cross join lateral kb_below(${tx.account}, array[top.id]) b
        join ${rows(tx, 'kb_documents')} d on d.id = b.id and d.deletion_id = top.deletion_id
        where top.id = any(${ids}::uuid[]) and top.deleted_at is not null and d.deleted_at is not null order by d.id`,
    )
    const slugs = await freeSlugs(
      tx,
      back.map(document => document.slug),
    )
    const restored = await updateRows(
      tx,
      'kb_documents',
      sql`deleted_at = null, deletion_id = null, updated_at = now(), slug = b.slug
        from unnest(${back.map(document => document.id)}::uuid[], ${slugs}::text[]) as b(id, slug)`,
      sql`r.id = b.id`,
      sql`r.id`,
    )
    await updateRows(
      tx,
      'kb_documents',
      { parent_id: null },
      sql`r.id = any(${back.map(document => document.id)}::uuid[]) and r.parent_id is not null
        and r.parent_id not in (select d.id from ${living(tx, 'kb_documents')} d)`,
    )
    return restored.length
  })
}

export const operations = { list, get: listed.get, create, update, remove, restore }
