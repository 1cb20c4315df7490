/** When a deal entered its stage and when it was closed, where a request sets one of the two. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { rows } from '../../kernel/statements.ts'
import type { StageType } from '../pipelines/record.ts'

export interface DealDates {
  closed_at?: string | null
  stage_entered_at?: string
}

export interface DatesBefore {
  id: string
  status: StageType
  closed_at: string | null
  stage_entered_at: string
}

const FIELDS = ['closed_at', 'stage_entered_at'] as const

export const setsDates = (input: DealDates): boolean => FIELDS.some(name => input[name] != null)

/** If a request sets one of the two dates of a closed deal, it sets both, unless they differed before. */
export function newDates(input: DealDates, status: StageType): DealDates {
  checkDates(input, status)
  if (status === 'open') return pick(input)
  const closed_at = input.closed_at ?? input.stage_entered_at
  const stage_entered_at = input.stage_entered_at ?? input.closed_at
  return {
    ...(closed_at == null ? {} : { closed_at }),
    ...(stage_entered_at == null ? {} : { stage_entered_at }),
  }
}

/** `status` is that of the stage it will be in; `moves`: into another stage. */
export function changedDates(
  input: DealDates,
  before: DatesBefore,
  status: StageType,
  moves: boolean,
  entries: StageEntries,
): DealDates {
  checkDates(input, status)
  if (input.closed_at === null && status !== 'open') {
    throw errors.invalidValue(['body', 'closed_at'], 'move the deal to an open stage to reopen it', null)
  }
  if (!setsDates(input)) return pick(input)
  const floor = earliestEntry(entries.get(before.id) ?? [], moves)
  if (input.stage_entered_at !== undefined && timeOf(input.stage_entered_at) < floor) {
    const since = new Date(floor).toISOString()
    const sentence = `the deal was in its previous stage at that time, until ${since} at least`
    throw errors.invalidValue(['body', 'stage_entered_at'], sentence, input.stage_entered_at)
  }
  const together = moves ? before.status !== status : before.closed_at === before.stage_entered_at
  const dates = { ...pick(input) }
  if (status !== 'open' && together) {
    const { closed_at, stage_entered_at } = input
    if (stage_entered_at != null) dates.closed_at ??= stage_entered_at
    if (closed_at != null)
      dates.stage_entered_at ??= new Date(Math.max(timeOf(closed_at), floor)).toISOString()
  }
  if (!moves || dates.stage_entered_at === undefined) return dates
  return { closed_at: before.status === status ? before.closed_at : null, ...dates }
}

function checkDates(input: DealDates, status: StageType): void {
  if (input.closed_at != null && status === 'open') {
    const sentence = 'only a deal in a won or lost stage has been closed'
    throw errors.invalidValue(['body', 'closed_at'], sentence, input.closed_at)
  }
  for (const name of FIELDS) {
    const value = input[name]
    if (value != null && timeOf(value) > Date.now()) {
      throw errors.invalidValue(['body', name], 'this time is in the future', value)
    }
  }
}

/** When each deal entered its present stage and the one before it. */
export type StageEntries = ReadonlyMap<string, number[]>

export async function lastEntries(tx: Ctx, dealIds: readonly string[]): Promise<StageEntries> {
  if (dealIds.length === 0) return new Map()
  const histories = await query(
    tx,
    sql<{ deal_id: string; entered: number[] }>`select d as deal_id, array(
        select (extract(epoch from h.entered_at) * 1000)::float8 from ${rows(tx, 'deal_stage_history')} h where h.deal_id = d order by h.seq desc limit 2)
        as entered
      from unnest(${dealIds}::uuid[]) d`,
  )
  return new Map(histories.map(({ deal_id, entered }) => [deal_id, entered]))
}

/** One millisecond after the entry before it: a history goes forward. */
function earliestEntry(entered: readonly number[], moves: boolean): number {
  const entry = entered[moves ? 0 : 1]
  return entry === undefined ? Number.NEGATIVE_INFINITY : entry + 1
}

const timeOf = (text: string): number => new Date(text).getTime()

const pick = (input: DealDates): DealDates =>
  Object.fromEntries(FIELDS.flatMap(name => (input[name] === undefined ? [] : [[name, input[name]]])))
