/** Pipelines: names are unique, exactly one is the default, and one with deals cannot be deleted. */
import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations } from '../../kernel/resource.ts'
import { FROM_TRASH, insertRows, living, rows, TO_TRASH, updateRows } from '../../kernel/statements.ts'
import { defaultStages } from './default-stages.ts'
import { emptyStages } from './delete-stages.ts'
import { stageRows } from './new-stages.ts'
import { type Pipeline, type PipelineCreate, type PipelineInput, pipeline } from './record.ts'

const base = crud(pipeline)

type Locked = Pick<Tables['pipelines'], 'id' | 'name' | 'is_default' | 'is_archived'>

/** Locks all of an account: there are few, and the rule about the default concerns all of them. */
const lockAll = (tx: Ctx): Promise<Locked[]> =>
  query(
    tx,
    sql<Locked>`select p.id, p.name, p.is_default, p.is_archived from ${living(tx, 'pipelines')} p
      order by p.id for update`,
  )

const nameTaken = (name: string) => errors.conflict(`There is a pipeline named "${name}" already`)

/** The unique index decides; this turns its error into a message. */
function reportTakenName<T>(name: string | undefined, write: Promise<T>): Promise<T> {
  return write.catch(error => {
    if (name !== undefined && isUniqueViolation(error, 'pipelines_name')) throw nameTaken(name)
    throw error
  })
}

export function createPipeline(ctx: Ctx, { stages, ...input }: PipelineCreate): Promise<Pipeline> {
  return transaction(ctx, async tx => {
    if (input.is_default) {
      if (input.is_archived) throw archivedDefault()
      await unsetDefault(tx)
    }
    const position = input.position ?? (await nextPosition(tx))
    const { id } = await reportTakenName(input.name, base.create(tx, { ...input, position }))
    await insertRows(tx, 'stages', stages ? stageRows(id, stages) : defaultStages(id))
    return base.get(tx, id)
  })
}

async function nextPosition(ctx: Ctx): Promise<number> {
  const last = await query(
    ctx,
    sql<{ next: number }>`select least(coalesce(max(p.position)::bigint + 1, 0), 2147483647)::int as next
      from ${living(ctx, 'pipelines')} p`,
  )
  return one(last).next
}

/** Unsets the current default, so that another can be set. */
async function unsetDefault(tx: Ctx): Promise<void> {
  await lockAll(tx)
  await updateRows(
    tx,
    'pipelines',
    { is_default: false, updated_at: sql`now()` },
    sql`r.is_default and r.deleted_at is null`,
  )
}

const archivedDefault = () =>
  errors.conflict('The default pipeline cannot be archived: make another one the default first')

function update(ctx: Ctx, id: string, input: Partial<PipelineInput>): Promise<Pipeline> {
  return transaction(ctx, async tx => {
    const before = (await lockAll(tx)).find(({ id: other }) => other === id)
    if (!before) throw errors.notFound(pipeline.label)
    const after = { ...before, ...input }
    if (before.is_default && !after.is_default) {
      throw errors.conflict('One pipeline must be the default: make another one the default instead')
    }
    if (after.is_default && after.is_archived) throw archivedDefault()
    if (after.is_default && !before.is_default) await unsetDefault(tx)
    return reportTakenName(input.name, base.update(tx, id, input))
  })
}

export function removePipelines(ctx: Ctx, ids: readonly string[], moveTo?: string): Promise<number> {
  return transaction(ctx, async tx => {
    const leaving = (await lockAll(tx)).filter(({ id }) => ids.includes(id))
    if (leaving.length === 0) return 0
    if (leaving.some(({ is_default }) => is_default)) {
      throw errors.conflict('The default pipeline cannot be deleted: make another one the default first')
    }
    const leavingIds = leaving.map(({ id }) => id)
    const stages = await query(
      tx,
      sql<{
        id: string
      }>`select s.id from ${living(tx, 'stages')} s where s.pipeline_id = any(${leavingIds}::uuid[])`,
    )
    const stageIds = await emptyStages(
      tx,
      stages.map(({ id }) => id),
      moveTo,
    )
    // with the pipeline's deletion time, by which a restore finds them
    await updateRows(tx, 'stages', TO_TRASH, sql`r.id = any(${stageIds}::uuid[])`)
    return base.remove(tx, leavingIds)
  })
}

function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return transaction(ctx, async tx => {
    const clash = await queryOne(
      tx,
      sql<{ name: string }>`select p.name from ${rows(tx, 'pipelines')} t
        join ${living(tx, 'pipelines')} p on fold(p.name) = fold(t.name)
        where t.id = any(${ids}::uuid[]) and t.deleted_at is not null`,
    )
    if (clash) throw nameTaken(clash.name)
    await updateRows(
      tx,
      'stages',
      FROM_TRASH,
      sql`exists (select from ${rows(tx, 'pipelines')} p
        where p.id = r.pipeline_id and p.id = any(${ids}::uuid[]) and p.deleted_at = r.deleted_at)`,
    )
    return base.restore(tx, ids)
  })
}

export const pipelineRecord = base.record
export const pipelineOperations: Operations<PipelineInput, Pipeline> = {
  ...base,
  create: createPipeline,
  update,
  remove: removePipelines,
  restore,
}
