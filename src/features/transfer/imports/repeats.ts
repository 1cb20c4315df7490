/**
 * How many rows of a file may change the same record with `duplicate_strategy: update`. They are written one after the
 * other, some milliseconds each, and a dry run repeats the earlier ones in the transaction of the later: without a limit
 * other requests would wait for that transaction. A value that hundreds of rows share is hardly a key, either.
 */
import type { Ctx } from '../../../kernel/context.ts'
import { at } from '../../../lib/values.ts'
import { connectionsOf } from './connections.ts'
import type { Draft } from './draft.ts'
import { rowGroups } from './row-groups.ts'
import { rowError } from './row-values.ts'
import type { Plan } from './types.ts'

export const MAX_REPEATS = 200

export interface Repeats {
  /** Takes rows into account, and returns the numbers of those that are too many. */
  count(ctx: Ctx, drafts: readonly Draft[]): Promise<ReadonlySet<number>>
}

export function repeatsOf(plan: Plan): Repeats {
  const groups = rowGroups()
  return {
    async count(ctx, drafts) {
      const refused = new Set<number>()
      if (plan.strategy !== 'update') return refused
      const sound = drafts.filter(draft => draft.errors.length === 0)
      const connections = await connectionsOf(ctx, plan, sound)
      for (const [i, { row }] of sound.entries()) {
        const { own } = at(connections, i)
        if (groups.size(own) >= MAX_REPEATS) refused.add(row)
        else groups.add(own, row)
      }
      return refused
    },
  }
}

export function refuse(drafts: readonly Draft[], rows: ReadonlySet<number>): void {
  const message =
    `More than ${MAX_REPEATS} rows of this file are about the same record: correct the column that ` +
    'records are matched on, or import it with duplicate_strategy skip'
  for (const draft of drafts) {
    if (rows.has(draft.row)) draft.errors.push(rowError('too_many_repeats', message, null))
  }
}
