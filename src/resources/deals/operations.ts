/** Creating and changing deals: the shared operations with a deal's own rules. */
import { sql } from 'kysely'
import { addLinks } from '../../kernel/links.ts'
import { eachWrite } from '../../kernel/rules.ts'
import { recordOperations } from '../shared/record-operations.ts'
import * as computed from './computed.ts'
import { refuseCurrencies } from './currency-change.ts'
import { changedDates, lastEntries, newDates, type StageEntries, setsDates } from './dates.ts'
import type { Deal, DealInput } from './fields.ts'
import { namedLinks } from './links.ts'
import { deal, namedLinkFields } from './record.ts'
import { afterMove, type ChooseStage, checkLostReason, stageChoice } from './stage-choice.ts'

/**
 * A client may send back the record it read, so a value equal to the current one changes nothing: it neither pins the
 * stage's probability or an old position, nor unlinks a company that is in the trash, nor fails for an owner who left.
 */
const UNCHANGED_IS_ABSENT = [
  ...(['pipeline_id', 'stage_id', 'probability', 'position', 'lost_reason'] as const),
  ...(['closed_at', 'stage_entered_at', 'company_id', 'primary_contact_id', 'owner_id', 'currency'] as const),
]
type Before = Pick<Deal, (typeof UNCHANGED_IS_ABSENT)[number] | 'id' | 'status'>

/** The values that a change writes. */
interface Written {
  values: Partial<DealInput>
  set?: { position: null }
}

/** The company and the primary contact are always among those that the deal is linked to. */
function withNamedLinks<I extends Partial<DealInput>>(input: I, always: boolean): I {
  const links = { ...input }
  for (const { name, all } of namedLinks) {
    const id = input[name]
    const ids = input[all]
    if (id == null || ids?.includes(id)) continue
    if (ids !== undefined || always) links[all] = [...(ids ?? []), id]
  }
  return links
}

/** The database puts such a deal into the default pipeline. */
const isUnplaced = (input: Partial<DealInput>): boolean =>
  input.stage_id === undefined &&
  input.pipeline_id === undefined &&
  input.lost_reason == null &&
  !setsDates(input)

function created(values: Partial<DealInput>, choose: ChooseStage): Written {
  const linked = withNamedLinks(values, true)
  if (isUnplaced(values)) return { values: linked }
  const stage = choose(values)
  checkLostReason(values.lost_reason, stage.type)
  const location = { pipeline_id: stage.pipeline_id, stage_id: stage.id }
  return { values: { ...linked, ...location, ...newDates(values, stage.type) } }
}

function withoutUnchanged(values: Partial<DealInput>, before: Before): Partial<DealInput> {
  const change = withNamedLinks(values, false)
  for (const name of UNCHANGED_IS_ABSENT) if (values[name] === before[name]) delete change[name]
  return change
}

const moves = (change: Partial<DealInput>) =>
  change.stage_id !== undefined || change.pipeline_id !== undefined

function changed(
  values: Partial<DealInput>,
  before: Before,
  choose: ChooseStage,
  entries: StageEntries,
): Written {
  const change = withoutUnchanged(values, before)
  const stage = moves(change) ? choose(values, before.pipeline_id) : undefined
  const status = stage?.type ?? before.status
  checkLostReason(change.lost_reason, status)
  const isOther = stage !== undefined && stage.id !== before.stage_id
  const dates = changedDates(change, before, status, isOther, entries)
  if (!stage) return { values: { ...change, ...dates } }
  // The triggers treat a move with a time as an undo, and then set nothing themselves.
  const completed = isOther && dates.stage_entered_at !== undefined ? afterMove(status) : {}
  const moved = { ...completed, ...change, stage_id: stage.id, ...dates }
  // without a position it comes last in its new column
  return change.position === undefined ? { values: moved, set: { position: null } } : { values: moved }
}

export const dealOperations = recordOperations(deal, {
  author: 'created_by',
  dependent: UNCHANGED_IS_ABSENT,
  before: ctx =>
    sql<Before>`r.id, r.pipeline_id, r.stage_id, r.position, r.closed_at, r.stage_entered_at, r.owner_id, r.currency,
      ${computed.lostReason(ctx)} as lost_reason, ${computed.probability(ctx)} as probability, ${computed.status(ctx)} as status,
      ${namedLinkFields.company_id(ctx)} as company_id, ${namedLinkFields.primary_contact_id(ctx)} as primary_contact_id`,
  isOneInsert: isUnplaced,
  async prepare(tx, writes) {
    const placed = writes.filter(({ values, before }) =>
      before ? moves(withoutUnchanged(values, before)) : !isUnplaced(values),
    )
    const choose = await stageChoice(
      tx,
      placed.map(({ values }) => values),
    )
    const dated = writes.filter(({ isNew, values }) => !isNew && setsDates(values))
    const entries = await lastEntries(
      tx,
      dated.map(({ id }) => id),
    )
    await refuseCurrencies(tx, writes)
    eachWrite(writes, write => {
      const { values, before } = write
      const written = before ? changed(values, before, choose, entries) : created(values, choose)
      write.values = written.values
      write.set = { ...write.set, ...written.set }
    })
  },
  /** Links the company and contact that a change names, unless it also lists all links. */
  async finish(tx, writes) {
    let hasLinks = false
    for (const { name, all, link } of namedLinks) {
      const pairs = writes.flatMap(({ id, isNew, values }) => {
        const other = values[name]
        return isNew || other == null || values[all] !== undefined ? [] : [{ own: id, other }]
      })
      await addLinks(tx, link, pairs)
      hasLinks ||= pairs.length > 0
    }
    return hasLinks
  },
})

export const dealRecord = dealOperations.record
