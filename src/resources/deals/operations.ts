import { sql } from 'kysely'
import { type Ctx, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { newId } from '../../kernel/ids.ts'
import { checkReferences } from '../../kernel/links.ts'
import type { Stamps } from '../../kernel/resource.ts'
import { insertAny } from '../../kernel/statements.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { changedDates, newDates, setsDates } from './dates.ts'
import type { Deal, DealInput } from './fields.ts'
import { namedLinks } from './links.ts'
import { deal } from './record.ts'
import { checkLostReason, chooseStage } from './stage-choice.ts'

const base = crud(deal)

/** The company and the primary contact are always among those that the deal is linked to. */
function withNamedTies<I extends Partial<DealInput>>(input: I, always: boolean): I {
  const ties = { ...input }
  for (const { name, all } of namedLinks) {
    const id = input[name]
    const ids = input[all]
    if (id == null || ids?.includes(id)) continue
    if (ids !== undefined || always) ties[all] = [...(ids ?? []), id]
  }
  return ties
}

/** Links the company and contact that a change names, unless it also lists all links. */
async function tieNamed(tx: Ctx, dealId: string, change: Partial<DealInput>): Promise<void> {
  for (const { name, all, link } of namedLinks) {
    const id = change[name]
    if (id == null || change[all] !== undefined) continue
    await checkReferences(tx, link.target, [id], () => ['body', name])
    await insertAny(tx, link.table, [{ id: newId(), [link.own]: dealId, [link.other]: id }], {
      onConflict: sql`do nothing`,
    })
  }
}

function create(ctx: Ctx, input: DealInput, writing: { set?: Stamps } = {}): Promise<Deal> {
  const linked = withNamedTies(input, true)
  const set = { ...writing.set, created_by: ctx.user }
  const unplaced = input.stage_id === undefined && input.pipeline_id === undefined
  // the database puts it into the default pipeline
  if (unplaced && input.lost_reason == null && !setsDates(input)) return base.create(ctx, linked, { set })
  return transaction(ctx, async tx => {
    const stage = await chooseStage(tx, input)
    checkLostReason(input.lost_reason, stage.type)
    const place = { pipeline_id: stage.pipeline_id, stage_id: stage.id }
    return base.create(tx, { ...linked, ...place, ...newDates(input, stage.type) }, { set })
  })
}

/**
 * A client may send back the record it read, so a value equal to the current one changes nothing: it neither pins the
 * stage's probability or an old position, nor unlinks a company that is in the trash, nor fails for an owner who left.
 */
const DEPENDENT = [
  ...(['pipeline_id', 'stage_id', 'probability', 'position', 'lost_reason'] as const),
  ...(['closed_at', 'stage_entered_at', 'company_id', 'primary_contact_id'] as const),
]
const UNCHANGED_IS_ABSENT = [...DEPENDENT, 'owner_id' as const]

function update(
  ctx: Ctx,
  id: string,
  input: Partial<DealInput>,
  { before }: { before?: Deal } = {},
): Promise<Deal> {
  const given = UNCHANGED_IS_ABSENT.filter(name => input[name] !== undefined)
  if (given.length === 0) return base.update(ctx, id, input)
  return transaction(ctx, async tx => {
    const current = before ?? (await base.locked(tx, id))
    const change = withNamedTies(input, false)
    for (const name of given) if (input[name] === current[name]) delete change[name]
    const moves = change.stage_id !== undefined || change.pipeline_id !== undefined
    const stage = moves ? await chooseStage(tx, input, { from: current.pipeline_id }) : undefined
    const status = stage?.type ?? current.status
    checkLostReason(change.lost_reason, status)
    const isOther = stage !== undefined && stage.id !== current.stage_id
    const dates = await changedDates(tx, change, current, status, isOther)
    await tieNamed(tx, id, change)
    if (!stage) return base.update(tx, id, { ...change, ...dates })
    // The triggers take a move with a given time for an undo, and then set nothing themselves.
    const completed = isOther && dates.stage_entered_at !== undefined ? { probability: null } : {}
    // without a position it comes last in its new column
    const set = change.position === undefined ? { position: sql`null` } : {}
    return base.update(tx, id, { ...completed, ...change, stage_id: stage.id, ...dates }, { set })
  })
}

export const dealRecord = base.record
export const dealOperations = recordOperations(deal, {
  ...base,
  create,
  update,
  updateMany: base.updatingMany(DEPENDENT),
})
