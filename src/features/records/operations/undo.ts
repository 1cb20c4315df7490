/**
 * Restores the values that an operation changed, from the journal. A value that was changed again later is not touched
 * but reported, so an undo never destroys later work.
 */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { checkMayWrite } from '../../../kernel/reach.ts'
import { rows, type TableName, unscoped, updateRows } from '../../../kernel/statements.ts'
import { targets } from '../../../resources/kinds.ts'

export interface Conflict {
  entity_type: string
  entity_id: string
  fields: string[]
}

export interface Undone {
  reverted: number
  conflicts: Conflict[]
}

/** The kinds of records and links that an operation changed. */
export const undoKinds = (ctx: Ctx, operationId: string): Promise<{ kind: TableName; is_link: boolean }[]> =>
  query(
    ctx,
    sql<{ kind: TableName; is_link: boolean }>`
      select c.kind, bool_or(c.related_id is not null) as is_link
      from ${rows(ctx, 'changes')} c where c.operation_id = ${operationId} group by c.kind order by c.kind`,
  )

/** Records that only their owner sees. */
const PERSONAL: readonly TableName[] = ['favorites', 'favorite_folders']

/** Undoing needs the write scope of every kind of record that the operation changed. */
export async function checkMayUndo(tx: Ctx, operationId: string, author: string | null): Promise<void> {
  const kinds = await undoKinds(tx, operationId)
  if (author !== tx.user && kinds.length > 0 && kinds.every(({ kind }) => PERSONAL.includes(kind)))
    throw errors.notFound('Operation')
  // files move with their records in a merge, which takes the scope of the records alone
  checkMayWrite(
    tx,
    kinds.map(({ kind }) => kind).filter(kind => kind !== 'files'),
  )
  if (kinds.some(({ kind }) => kind === 'taggings' || kind === 'files')) {
    // for a deleted file, the journal does not name the record that it was on
    const tagged = await query(
      tx,
      sql<{ entity_type: keyof typeof targets }>`
        select distinct coalesce(c.after, c.before) ->> 'entity_type' as entity_type
        from ${rows(tx, 'changes')} c where c.operation_id = ${operationId} and c.kind = 'taggings'
        union
        select f.entity_type from ${rows(tx, 'changes')} c join ${rows(tx, 'files')} f on f.id = c.entity_id
        where c.operation_id = ${operationId} and c.kind = 'files'`,
    )
    checkMayWrite(
      tx,
      tagged.map(({ entity_type }) => targets[entity_type].table),
    )
  }
}

/** A part of an operation's changes of one kind, for operations that are too large for one transaction. */
export interface Part {
  from: number
  to: number
  /** the records whose first change is in this part of the journal */
  ids: readonly string[]
}

export async function undoPart(
  tx: Ctx,
  operationId: string,
  kind: TableName,
  does: 'untie' | 'put back' | 'tie again',
  part: Part,
): Promise<Undone> {
  if (does === 'untie') return { reverted: await removeLinks(tx, kind, operationId, part), conflicts: [] }
  if (does === 'tie again')
    return { reverted: await restoreLinks(tx, kind, operationId, part), conflicts: [] }
  // A deal gets its links back in a later part; the trigger that adds them would add others.
  await query(tx, sql`select set_config('kith.links_follow', 'on', true)`)
  const conflicts = await conflictsOf(tx, kind, operationId, part)
  return { reverted: await putBack(tx, kind, operationId, part), conflicts }
}

const within = (part: Part | undefined) =>
  part ? sql`and c.seq > ${part.from} and c.seq <= ${part.to}` : sql``

export async function undoChanges(tx: Ctx, operationId: string): Promise<Undone> {
  const kinds = await undoKinds(tx, operationId)
  const links = kinds.filter(({ is_link }) => is_link).map(({ kind }) => kind)
  const records = kinds.filter(({ is_link }) => !is_link).map(({ kind }) => kind)

  // Links that the operation created are removed first and links that it removed are created last: in between, the records at their ends are restored.
  let reverted = 0
  const conflicts: Conflict[] = []
  for (const table of links) reverted += await removeLinks(tx, table, operationId)
  for (const table of records) {
    conflicts.push(...(await conflictsOf(tx, table, operationId)))
    reverted += await putBack(tx, table, operationId)
  }
  for (const table of links) reverted += await restoreLinks(tx, table, operationId)
  return { reverted, conflicts }
}

/** The columns of a table that are not generated. */
async function writableColumns(tx: Ctx, table: TableName): Promise<string[]> {
  const columns = await query(
    tx,
    sql<{ name: string }>`select attname as name from pg_catalog.pg_attribute
      where attrelid = ${`kith.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not in ('account_id', 'id', 'created_at', 'updated_at') order by attnum`,
  )
  return columns.map(column => column.name)
}

/**
 * The operation's changes of a kind; for a part, all changes of the part's records. `offset 0` forces the index on
 * records: the planner's statistics may lack a hundred thousand new changes, and it would then scan the whole operation
 * for each part.
 */
const changesOf = (tx: Ctx, table: TableName, operationId: string, part: Part | undefined) =>
  part
    ? sql`select c.* from (
        select * from ${rows(tx, 'changes')} a where a.entity_id = any(${part.ids}::uuid[]) offset 0
      ) c where c.operation_id = ${operationId} and c.kind = ${table}`
    : sql`select c.* from ${rows(tx, 'changes')} c where c.operation_id = ${operationId} and c.kind = ${table}`

/**
 * A record's values before and after the whole operation: of several changes of a field, the first `before` and the
 * last `after` count. A record that the operation created is moved to the trash.
 */
const netChanges = (tx: Ctx, table: TableName, operationId: string, part: Part | undefined) => sql`(
  with mine as materialized (${changesOf(tx, table, operationId, part)}),
  changed as materialized (
    select entity_id, bool_or(action = 'created') as was_created from mine group by entity_id
  ),
  olds as materialized (
    select m.entity_id, jsonb_object_agg(f.key, f.value order by m.seq desc) as values
    from mine m cross join jsonb_each(m.before) f group by m.entity_id
  ),
  news as materialized (
    select m.entity_id, jsonb_object_agg(f.key, f.value order by m.seq) as values
    from mine m cross join jsonb_each(m.after) f group by m.entity_id
  )
  select c.entity_id, c.was_created, coalesce(b.values, '{}') as before, coalesce(a.values, '{}') as after
  from changed c
  left join olds b on b.entity_id = c.entity_id
  left join news a on a.entity_id = c.entity_id)`

/** The former values of a net change `n` whose fields still have the value that the operation set. */
const stillOurs = sql`(
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(n.before) f
  where to_jsonb(r) -> f.key is not distinct from n.after -> f.key)`

/**
 * Created records first, then others outside the trash, then those in it. A restored record may have a unique value
 * that the operation gave to another record, as a merge does; that record must release it first. One statement for all
 * would fail in one order of its rows. Statements set only the columns that changed, because each further one has
 * triggers: on the embedded engine, undoing 1,000 new contacts took 4.5 s with all columns, 1.3 s with `deleted_at`.
 */
async function putBack(tx: Ctx, table: TableName, operationId: string, part?: Part): Promise<number> {
  const changed = await changedRecords(tx, table, operationId, part)
  const created = changed.filter(({ was_created, is_trashed }) => was_created && !is_trashed)
  const others = changed.filter(({ was_created }) => !was_created)
  const deleted =
    created.length > 0
      ? await updateRows(
          tx,
          table,
          { deleted_at: sql`now()`, updated_at: sql`now()` },
          sql`r.id = any(${created.map(({ id }) => id)}::uuid[])`,
          sql`r.id`,
        )
      : []
  const keys = new Set(others.flatMap(({ fields }) => fields))
  const columns = (await writableColumns(tx, table)).filter(column => keys.has(column))
  let reverted = deleted.length
  for (const isTrashed of [false, true]) {
    const ids = others.filter(({ is_trashed }) => is_trashed === isTrashed).map(({ id }) => id)
    if (ids.length > 0 && columns.length > 0)
      reverted += await putBackSome(tx, table, operationId, ids, columns, part)
  }
  return reverted
}

interface ChangedRecord {
  id: string
  is_trashed: boolean
  was_created: boolean
  /** the fields that the operation changed */
  fields: string[]
}

/**
 * `offset 0` makes the planner look up each record by its key. As a plain join this took 1 to 6 s for a step of up to
 * 100 of 600 new contacts, on a busy machine.
 */
const changedRecords = (tx: Ctx, table: TableName, operationId: string, part: Part | undefined) =>
  query(
    tx,
    sql<ChangedRecord>`with mine as materialized (${changesOf(tx, table, operationId, part)}),
      changed as materialized (
        select m.entity_id, bool_or(m.action = 'created') as was_created,
          coalesce(array_agg(distinct k.key) filter (where k.key is not null), '{}') as fields
        from mine m left join lateral jsonb_object_keys(m.before) k (key) on true group by m.entity_id
      )
      select r.id, r.is_trashed, c.was_created, c.fields from changed c
      cross join lateral (
        select t.id, t.deleted_at is not null as is_trashed from ${rows(tx, table)} t
        where t.id = c.entity_id offset 0
      ) r`,
  )

async function putBackSome(
  tx: Ctx,
  table: TableName,
  operationId: string,
  ids: readonly string[],
  columns: readonly string[],
  part: Part | undefined,
): Promise<number> {
  const assignments = sql.join(columns.map(column => sql`${sql.ref(column)} = ${formerValue(column)}`))
  const updated = await updateRows(
    tx,
    table,
    // Materialized, so that it is computed once and not for each row of the join.
    sql`${assignments}, updated_at = now() from (
      with former as materialized (
        select p.* from ${netChanges(tx, table, operationId, part)} n
        join ${unscoped(table)} r on r.account_id = ${tx.account} and r.id = n.entity_id
          and r.id = any(${ids}::uuid[])
        cross join lateral jsonb_populate_record(r, ${stillOurs}) p
      ) select * from former
    ) p`,
    sql`r.id = p.id`,
    sql`r.id`,
  )
  return updated.length
}

/**
 * A record that an undo deletes again gets the current time as `deleted_at`, so that clients that poll for deletions
 * see it.
 */
const formerValue = (column: string) =>
  column === 'deleted_at'
    ? sql`case when r.deleted_at is null and p.deleted_at is not null then now() else p.deleted_at end`
    : sql`p.${sql.ref(column)}`

async function conflictsOf(tx: Ctx, table: TableName, operationId: string, part?: Part): Promise<Conflict[]> {
  const columns = await writableColumns(tx, table)
  return query(
    tx,
    sql<Conflict>`select ${table} as entity_type, n.entity_id, d.fields
      from ${netChanges(tx, table, operationId, part)} n join ${rows(tx, table)} r on r.id = n.entity_id
      cross join lateral (
        select array_agg(f.key order by f.key) as fields from jsonb_each(n.after) f
        where f.key = any(${columns}) and to_jsonb(r) -> f.key is distinct from f.value
          and to_jsonb(r) -> f.key is distinct from n.before -> f.key
      ) d
      where d.fields is not null and not n.was_created`,
  )
}

/** Removes the links that the operation created. */
async function removeLinks(tx: Ctx, table: TableName, operationId: string, part?: Part): Promise<number> {
  const gone = await query(
    tx,
    sql`delete from ${unscoped(table)} r where r.account_id = ${tx.account} and r.id = any(array(
        select (c.after ->> 'id')::uuid from ${rows(tx, 'changes')} c
        where c.operation_id = ${operationId} and c.kind = ${table} and c.action = 'created' ${within(part)}))
      returning r.id`,
  )
  return gone.length
}

/** Restores links that the operation removed or changed, if the records at both ends exist. */
async function restoreLinks(tx: Ctx, table: TableName, operationId: string, part?: Part): Promise<number> {
  const columns = await writableColumns(tx, table)
  const list = ['account_id', 'id', 'created_at', ...columns]
  const names = sql.join(list.map(column => sql.ref(column)))
  const restored = await query(
    tx,
    sql`insert into ${unscoped(table)} as r (${names})
      select ${sql.join(list.map(column => sql`(p.b).${sql.ref(column)}`))} from (
        select distinct on (c.before ->> 'id') c.entity_id, jsonb_populate_record(null::${unscoped(table)}, c.before) as b
        from ${rows(tx, 'changes')} c
        where c.operation_id = ${operationId} and c.kind = ${table} and c.before is not null ${within(part)}
          ${
            part
              ? sql`and not exists (
                  select from (
                    select * from ${rows(tx, 'changes')} e where e.entity_id = c.entity_id and e.seq < c.seq offset 0
                  ) f where f.operation_id = ${operationId} and f.kind = ${table} and f.before ->> 'id' = c.before ->> 'id')`
              : sql``
          }
        order by c.before ->> 'id', c.seq
      ) p
      where not exists (
        select from ${rows(tx, 'changes')} m where m.entity_id = p.entity_id
          and m.operation_id = ${operationId} and m.kind = ${table}
          and m.action = 'created' and m.after ->> 'id' = (p.b).id::text)
      on conflict (account_id, id) do update set ${sql.join(
        columns.map(column => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
      )}
      returning r.id`,
  )
  return restored.length
}
