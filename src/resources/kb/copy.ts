/** A copy of a document, with everything below it when it is a folder. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, one, query, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { insertRows, living } from '../../kernel/statements.ts'
import { copiedName } from '../shared/copied-name.ts'
import { written } from './operations.ts'
import { type Document, MAX_TITLE } from './record.ts'
import { freeSlugs, slugOf } from './slug.ts'
import { lockTree } from './tree.ts'

const MAX_COPIED = 1000
const COPIED_AT_ONCE = 100

type Original = Pick<Tables['kb_documents'], 'id' | 'type' | 'title' | 'parent_id' | 'position'>

/** The copy is a sibling of the original, and private until it is published. */
export function duplicate(ctx: Ctx, id: string): Promise<Document> {
  return transaction(ctx, async tx => {
    await lockTree(tx)
    const originals = await query(
      tx,
      sql<Original>`select d.id, d.type, d.title, d.parent_id, d.position from kb_below(${tx.account}, array[${id}]::uuid[]) b
        join ${living(tx, 'kb_documents')} d on d.id = b.id order by b.level, d.position, d.id limit ${MAX_COPIED + 1}`,
    )
    const [top] = originals
    if (top?.id !== id) throw errors.notFound('Document')
    if (originals.length > MAX_COPIED) {
      throw errors.conflict(`A folder with more than ${MAX_COPIED} documents cannot be copied at once`)
    }
    top.title = copiedName(top.title, MAX_TITLE)
    const copies = originals.map(original => ({ original, id: newId() }))
    const copyOf = new Map(copies.map(copy => [copy.original.id, copy.id]))
    const slugs = await freeSlugs(
      tx,
      originals.map(original => slugOf(original.title, original.type)),
    )
    const named = copies.map((copy, index) => ({ ...copy, slug: slugs[index] ?? copy.id }))
    for (let at = 0; at < named.length; at += COPIED_AT_ONCE) {
      await insertCopies(tx, named.slice(at, at + COPIED_AT_ONCE), copyOf)
    }
    return written.get(tx, one(copies).id)
  })
}

async function insertCopies(
  tx: Ctx,
  copies: { original: Original; id: string; slug: string }[],
  copyOf: ReadonlyMap<string, string>,
): Promise<void> {
  const contents = await query(
    tx,
    sql<Pick<Tables['kb_documents'], 'id' | 'content' | 'content_markdown'>>`
      select d.id, d.content::text as content, d.content_markdown from ${living(tx, 'kb_documents')} d
      where d.id = any(${copies.map(({ original }) => original.id)}::uuid[])`,
  )
  const contentOf = new Map(contents.map(({ id, ...content }) => [id, content]))
  await insertRows(
    tx,
    'kb_documents',
    copies.map(({ original: { id: originalId, parent_id, ...rest }, id, slug }) => ({
      ...rest,
      id,
      slug,
      parent_id: parent_id === null ? null : (copyOf.get(parent_id) ?? parent_id),
      ...contentOf.get(originalId),
    })),
  )
}
