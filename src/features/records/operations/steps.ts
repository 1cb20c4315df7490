/** The steps by which an operation is undone, in their order. */

import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import type { TableName } from '../../../kernel/statements.ts'
import { lockStages, settleStages } from '../../../resources/pipelines/settle.ts'
import { changesOf, type Part } from './net-changes.ts'
import { removeLinks, restoreLinks } from './undo-links.ts'
import { type Conflict, conflictsOf, LABELS, PLACES, restoreRecords } from './undo-records.ts'

export interface Step {
  kind: TableName
  does: 'restore records' | 'remove records' | 'remove links' | 'restore links' | 'settle stages'
}

export interface Undone {
  reverted: number
  conflicts: Conflict[]
}

/**
 * Stages first, and those that the operation created are removed last: the trigger of deals would move a deal to another
 * stage that is written while its own is in the trash, and close it or open it by the type that its stage has. Then
 * records: removing the link to a deal's company clears the company, which must be the former one by then. Then
 * links that it created are removed, and the tags and categories without records. Links that it removed are restored
 * after the records at their ends.
 */
export function stepsOf(kinds: readonly { kind: TableName; is_link: boolean }[]): Step[] {
  const steps = (does: Step['does'], some: typeof kinds) => some.map(({ kind }): Step => ({ kind, does }))
  const links = kinds.filter(({ is_link }) => is_link)
  const records = kinds.filter(({ is_link }) => !is_link)
  const among = (some: readonly TableName[]) => records.filter(({ kind }) => some.includes(kind))
  const others = records.filter(({ kind }) => !LABELS.includes(kind) && !PLACES.includes(kind))
  return [
    ...steps('restore records', among(PLACES)),
    ...steps('restore records', others),
    ...steps('remove links', links),
    ...steps('restore records', among(LABELS)),
    ...steps('restore links', links),
    ...steps('remove records', among(PLACES).toReversed()),
    ...steps('settle stages', among(['stages'])),
  ]
}

/** Undoes the operation's changes of one kind, or a part of them. */
export async function undoStep(
  tx: Ctx,
  operationId: string,
  { kind, does }: Step,
  part?: Part,
): Promise<Undone> {
  switch (does) {
    case 'remove links':
      return { reverted: await removeLinks(tx, kind, operationId, part), conflicts: [] }
    case 'restore links':
      return { reverted: await restoreLinks(tx, kind, operationId, part), conflicts: [] }
    case 'remove records':
      return { reverted: await restoreRecords(tx, kind, operationId, part, 'trashed'), conflicts: [] }
    case 'settle stages': {
      const { ids, retyped } = await changedStages(tx, operationId, part)
      await settleStages(tx, ids, retyped)
      return { reverted: 0, conflicts: [] }
    }
    case 'restore records': {
      // A later transaction restores the links of deals; the trigger that completes them would add others.
      if (part) await query(tx, sql`select set_config('kith.links_follow', 'on', true)`)
      if (kind === 'stages') await lockStages(tx, (await changedStages(tx, operationId, part)).ids)
      const conflicts = await conflictsOf(tx, kind, operationId, part)
      const only = PLACES.includes(kind) ? 'restored' : 'all'
      return { reverted: await restoreRecords(tx, kind, operationId, part, only), conflicts }
    }
  }
}

/** The stages that the operation changed, and those among them whose type it changed. */
async function changedStages(tx: Ctx, operationId: string, part: Part | undefined) {
  const stages = await query(
    tx,
    sql<{ id: string; is_retyped: boolean }>`
      select m.entity_id as id, bool_or(coalesce(m.before ? 'type', false)) as is_retyped
      from (${changesOf(tx, 'stages', operationId, part)}) m group by m.entity_id`,
  )
  const retyped = stages.filter(({ is_retyped }) => is_retyped)
  return { ids: stages.map(({ id }) => id), retyped: retyped.map(({ id }) => id) }
}
