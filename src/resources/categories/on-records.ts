/** Changes category names on records. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { fold } from '../../kernel/fold.ts'
import { checkMayWrite } from '../../kernel/reach.ts'
import { rows, updateRows } from '../../kernel/statements.ts'
import { CATEGORIZED_TABLES } from './record.ts'

/** A statement for all the records of a common category might not end in time. */
const BATCH = 5000

/** Changes the records (`r`) for which `where` holds until none is left. */
async function changeOnRecords(
  tx: Ctx,
  categories: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<void> {
  for (const table of CATEGORIZED_TABLES) {
    for (let changed = BATCH; changed === BATCH; ) {
      const ids = sql`select r.id from ${rows(tx, table)} r where ${where} limit ${BATCH}`
      const done = await updateRows(
        tx,
        table,
        sql`categories = ${categories}, updated_at = now()`,
        sql`r.id = any(array(${ids}))`,
        sql`r.id`,
      )
      changed = done.length
      if (changed > 0) checkMayWrite(tx, [table])
    }
  }
}

/** Also in the trash: a restored record must not have a deleted name. */
export const renameOnRecords = (tx: Ctx, from: string, to: string): Promise<void> =>
  changeOnRecords(
    tx,
    sql`array(select case when fold(c.name) = ${fold(from)} then ${to}::text else c.name end
      from unnest(r.categories) with ordinality c (name, position) order by c.position)`,
    sql`r.id in (select u.entity_id from ${rows(tx, 'category_uses')} u where u.name_key = ${fold(from)})
      and exists (select from unnest(r.categories) c where fold(c) = ${fold(from)} and c <> ${to})`,
  )

export const takeNamesOff = (tx: Ctx, ids: readonly string[]): Promise<void> => {
  const names = sql`select g.name_key from ${rows(tx, 'categories')} g where g.id = any(${ids}::uuid[])`
  return changeOnRecords(
    tx,
    sql`array(select c.name from unnest(r.categories) with ordinality c (name, position)
      where fold(c.name) not in (${names}) order by c.position)`,
    sql`r.id in (select u.entity_id from ${rows(tx, 'category_uses')} u where u.name_key in (${names}))`,
  )
}

/** Restores the name on the records that lost it with the category, according to the journal. */
export async function restoreNames(tx: Ctx, id: string, name: string): Promise<void> {
  const deletion = await queryOne(
    tx,
    sql<{ operation_id: string | null }>`select c.operation_id from ${rows(tx, 'changes')} c
      where c.entity_id = ${id} and c.kind = 'categories' and c.action = 'deleted' order by c.seq desc limit 1`,
  )
  if (!deletion?.operation_id) return
  await changeOnRecords(
    tx,
    sql`array_append(coalesce(r.categories, '{}'), ${name}::text)`,
    sql`r.id in (
        select c.entity_id from ${rows(tx, 'changes')} c
        where c.operation_id = ${deletion.operation_id} and jsonb_typeof(c.before -> 'categories') = 'array'
          and exists (select from jsonb_array_elements_text(
            case jsonb_typeof(c.before -> 'categories') when 'array' then c.before -> 'categories' else '[]' end
          ) b where fold(b) = ${fold(name)}))
      and not exists (select from unnest(r.categories) c where fold(c) = ${fold(name)})`,
  )
}
