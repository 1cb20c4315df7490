/** A copy of a document, with everything below it when it is a folder. */
import { sql } from 'kysely'
import { type Ctx, query, transaction } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Item } from '../../kernel/resource.ts'
import { insertRows, living } from '../../kernel/statements.ts'
import { copiedName } from '../shared/copied-name.ts'
import { written } from './operations.ts'
import { MAX_TITLE } from './record.ts'
import { freeSlugs, slugOf } from './slug.ts'
import { lockTree } from './tree.ts'

const MAX_COPIED = 1000
const COPIED_AT_ONCE = 100

/** It stands beside the original, and is private until somebody publishes it. */
export function duplicate(ctx: Ctx, id: string): Promise<Item> {
  return transaction(ctx, async tx => {
    await lockTree(tx)
    const originals = await query(
      tx,
      sql<Item>`select d.id, d.type, d.title, d.parent_id, d.position from kb_below(${tx.account}, array[${id}]::uuid[]) b
        join ${living(tx, 'kb_documents')} d on d.id = b.id order by b.level, d.position, d.id limit ${MAX_COPIED + 1}`,
    )
    if (originals[0]?.id !== id) throw errors.notFound('Document')
    if (originals.length > MAX_COPIED) {
      throw errors.conflict(`A folder with more than ${MAX_COPIED} documents cannot be copied at once`)
    }
    originals[0].title = copiedName(originals[0].title, MAX_TITLE)
    const copyOf = new Map(originals.map(original => [original.id, newId()]))
    const slugs = await freeSlugs(
      tx,
      originals.map(original => slugOf(original.title, original.type)),
    )
    const copies = originals.map(({ id: original, parent_id, ...rest }, index) => ({
      ...rest,
      original,
      id: copyOf.get(original),
      slug: slugs[index],
      parent_id: copyOf.get(parent_id) ?? parent_id,
    }))
    for (let at = 0; at < copies.length; at += COPIED_AT_ONCE) {
      await insertCopies(tx, copies.slice(at, at + COPIED_AT_ONCE))
    }
    return written.get(tx, copyOf.get(id)!)
  })
}

async function insertCopies(tx: Ctx, copies: Item[]): Promise<void> {
  const contents = await query(
    tx,
    sql<Item>`select d.id, d.content::text as content, d.content_markdown from ${living(tx, 'kb_documents')} d
      where d.id = any(${copies.map(copy => copy.original)}::uuid[])`,
  )
  const contentOf = new Map(contents.map(({ id, ...content }) => [id, content]))
  await insertRows(
    tx,
    'kb_documents',
    copies.map(({ original, ...copy }) => ({ ...copy, ...contentOf.get(original) })),
  )
}
