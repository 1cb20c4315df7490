import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contextOf, onBothEngines } from '../../../test/support/service.ts'
import { query, transaction } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { living } from '../../kernel/statements.ts'
import { isRecord } from '../../lib/values.ts'
import { SOURCES } from './sources/index.ts'

const NAMED = ['companies', 'contacts', 'deals', 'products', 'activities']

/** The nodes of a plan that read a table. */
function scansOf(node: unknown): Record<string, unknown>[] {
  if (Array.isArray(node)) return node.flatMap(scansOf)
  if (!isRecord(node)) return []
  return [...('Relation Name' in node ? [node] : []), ...Object.values(node).flatMap(scansOf)]
}

onBothEngines('reading records for the index', account => {
  it.each(SOURCES.map(source => [source.entityType, source] as const))(
    'finds the records that a %s names by their ids, without statistics, too',
    async (_, source) => {
      const ctx = contextOf(await account())
      const plan = await transaction(ctx, async tx => {
        // Few rows are read faster without an index, so sequential scans are turned off.
        await query(tx, sql`set local enable_seqscan = off`)
        const select = sql`select ${source.select(tx)} from ${living(tx, source.table)} r where r.id = ${newId()}`
        return query(tx, sql`explain (format json) ${select}`)
      })
      const named = scansOf(plan).filter(
        node => NAMED.includes(String(node['Relation Name'])) && node.Alias !== source.table,
      )
      // With few rows of the account any of its indexes will do; then the id is in the filter.
      for (const node of named) {
        expect(`${node['Index Cond']} ${node['Recheck Cond']} ${node.Filter}`).toMatch(BY_ID)
      }
    },
  )
})

const BY_ID = /\b(?:id|\w+_id) = (?!'|current_account|\(InitPlan|\$)/
