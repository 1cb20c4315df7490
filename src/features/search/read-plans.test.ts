import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { isLookup, scansOf } from '../../../test/support/plans.ts'
import { contextOf, onBothEngines } from '../../../test/support/service.ts'
import { query, transaction } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { living } from '../../kernel/statements.ts'
import { SOURCES } from './sources/index.ts'

const NAMED = ['companies', 'contacts', 'deals', 'products', 'activities']

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
      expect(named.filter(node => !isLookup(node))).toEqual([])
    },
  )
})
