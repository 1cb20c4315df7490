/** A stage can be deleted when it is empty; its deals can be moved to another stage first. */
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne } from '../../kernel/context.ts'
import { lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { object, optional, uuid } from '../../kernel/schema/index.ts'
import { living, updateRows } from '../../kernel/statements.ts'

export const moveToQuery = object({
  move_to: optional(
    uuid({
      description: 'The stage that the deals are moved to; without it, deleting a stage with deals is a 409',
    }),
  ),
})

const LOC = ['query', 'move_to']

/**
 * Locks the stages, so that no deal can be added, and moves their deals to the end of `moveTo`, in their order. Returns
 * the existing stages.
 */
export async function emptyStages(
  tx: Ctx,
  stageIds: readonly string[],
  moveTo: string | undefined,
): Promise<string[]> {
  const locked = await lockRecords(tx, 'stages', moveTo === undefined ? stageIds : [...stageIds, moveTo])
  const leaving = stageIds.filter(id => locked.includes(id))
  if (moveTo !== undefined) await checkDestination(tx, leaving, moveTo, locked.includes(moveTo))
  const deals = await query(
    tx,
    sql<{ name: string; deals: number; first: number }>`
      select s.name, count(*) as deals, min(d.position) as first
      from ${living(tx, 'deals')} d join ${living(tx, 'stages')} s on s.id = d.stage_id
      where d.stage_id = any(${leaving}::uuid[]) group by s.id, s.name order by count(*) desc`,
  )
  const [fullest] = deals
  if (!fullest) return leaving
  if (moveTo === undefined) {
    const { name, deals } = fullest
    const them = deals === 1 ? '1 deal: move it' : `${deals} deals: move them`
    throw errors.conflict(`The stage "${name}" holds ${them} to another stage with ?move_to=<stage id>`)
  }
  const end = await query(
    tx,
    sql<{ position: number }>`select coalesce(max(d.position) + 1, 0) as position
      from ${living(tx, 'deals')} d where d.stage_id = ${moveTo}`,
  )
  const shift = one(end).position - Math.min(...deals.map(stage => stage.first))
  await updateRows(
    tx,
    'deals',
    sql`stage_id = ${moveTo}, position = r.position + ${shift}::double precision, updated_at = now()`,
    sql`r.stage_id = any(${leaving}::uuid[]) and r.deleted_at is null`,
  )
  return leaving
}

async function checkDestination(
  tx: Ctx,
  leaving: readonly string[],
  moveTo: string,
  exists: boolean,
): Promise<void> {
  if (leaving.includes(moveTo)) throw errors.invalidValue(LOC, 'this stage is being deleted too', moveTo)
  if (!exists) throw errors.referenceNotFound(LOC, 'Stage', moveTo)
  const archived = await queryOne(
    tx,
    sql`select from ${living(tx, 'stages')} s join ${living(tx, 'pipelines')} p on p.id = s.pipeline_id
      where s.id = ${moveTo} and p.is_archived and not exists (
        select from ${living(tx, 'stages')} o where o.pipeline_id = p.id and o.id = any(${leaving}::uuid[]))`,
  )
  if (archived) throw errors.invalidValue(LOC, 'the pipeline of this stage is archived', moveTo)
}
