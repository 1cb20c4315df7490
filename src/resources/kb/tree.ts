/** The tree of documents. All changes of the tree are here; an account makes one at a time. */
import { sql } from 'kysely'
import { type Ctx, query, queryOne } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { living, updateRows } from '../../kernel/statements.ts'

/** Deep enough for any book, and low enough for recursive code. */
export const MAX_DEPTH = 50

/** Two concurrent moves could create a cycle; a page could move into a folder that is being deleted. */
export async function lockTree(tx: Ctx): Promise<void> {
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`kb ${tx.account}`}, 0))`)
}

/** Refuses a parent that is not a living folder, or is below the document itself. */
export async function checkParent(tx: Ctx, parentId: string, documentId?: string): Promise<void> {
  const parent = await queryOne(
    tx,
    sql<{ is_folder: boolean; is_below: boolean; depth: number; height: number }>`
      select exists (select from ${living(tx, 'kb_documents')} d where d.id = ${parentId} and d.type = 'folder') as is_folder,
        count(*) filter (where a.id = ${documentId ?? null}::uuid) > 0 as is_below, coalesce(max(a.level), 0) as depth,
        coalesce((select max(b.level) from kb_below(${tx.account}, array[${documentId ?? null}]::uuid[]) b), 1) as height
      from kb_above(${tx.account}, ${parentId}) a`,
  )
  if (!parent?.is_folder) throw errors.referenceNotFound(['body', 'parent_id'], 'Folder', parentId)
  if (parent.is_below) throw errors.conflict('A folder cannot be moved into itself or a folder below it')
  if (parent.depth + parent.height > MAX_DEPTH) {
    throw errors.invalidValue(
      ['body', 'parent_id'],
      `folders nest ${MAX_DEPTH} levels deep at most`,
      parentId,
    )
  }
}

/** Moves a document to a position among its siblings and renumbers them; without a position it becomes the last. */
export async function placeAmongSiblings(
  tx: Ctx,
  id: string,
  parentId: string | null,
  index: number | undefined,
): Promise<void> {
  const siblings = await query(
    tx,
    sql<{ id: string; position: number }>`select d.id, d.position from ${living(tx, 'kb_documents')} d
      where d.parent_id is not distinct from ${parentId}::uuid order by d.position, d.id`,
  )
  const order = siblings.filter(sibling => sibling.id !== id).map(sibling => sibling.id)
  order.splice(Math.min(index ?? order.length, order.length), 0, id)
  const before = new Map(siblings.map(sibling => [sibling.id, sibling.position]))
  const moved = order
    .map((key, position) => ({ key, position }))
    .filter(e => before.get(e.key) !== e.position)
  if (moved.length === 0) return
  await updateRows(
    tx,
    'kb_documents',
    sql`position = p.position
      from unnest(${moved.map(e => e.key)}::uuid[], ${moved.map(e => e.position)}::int[]) as p(id, position)`,
    sql`r.id = p.id`,
  )
}

export interface TreeNode {
  id: string
  type: 'folder' | 'page'
  title: string
  slug: string
  visibility: 'private' | 'public'
  parent_id: string | null
  position: number
  children: TreeNode[]
}

/** All documents without their content, each folder with its children. */
export async function treeOf(ctx: Ctx): Promise<TreeNode[]> {
  const documents = await query(
    ctx,
    sql<Omit<TreeNode, 'children'>>`
      select d.id, d.type, d.title, d.slug, d.visibility, d.parent_id, d.position
      from ${living(ctx, 'kb_documents')} d order by d.position, d.id`,
  )
  const nodes = new Map(documents.map((row): [string, TreeNode] => [row.id, { ...row, children: [] }]))
  const roots: TreeNode[] = []
  for (const node of nodes.values()) {
    const parent = node.parent_id === null ? undefined : nodes.get(node.parent_id)
    ;(parent ? parent.children : roots).push(node)
  }
  return roots
}

export interface Crumb {
  id: string
  type: string
  title: string
  slug: string
}

/** The folders down to a document, and the document itself. */
export async function breadcrumbsOf(ctx: Ctx, id: string): Promise<Crumb[]> {
  const crumbs = await query(
    ctx,
    sql<Crumb>`select d.id, d.type, d.title, d.slug from kb_above(${ctx.account}, ${id}) a
      join ${living(ctx, 'kb_documents')} d on d.id = a.id order by a.level desc`,
  )
  if (crumbs.length === 0) throw errors.notFound('Document')
  return crumbs
}
