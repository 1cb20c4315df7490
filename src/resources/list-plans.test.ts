import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { isLookup, scansOf } from '../../test/support/plans.ts'
import { contextOf, onBothEngines } from '../../test/support/service.ts'
import { type Ctx, one, query, transaction } from '../kernel/context.ts'
import { pageStatement } from '../kernel/list-statement.ts'
import { isSetResource } from '../kernel/resource.ts'
import { resources } from './index.ts'

const records = resources
  .filter(isSetResource)
  .flatMap(({ record }) => [
    [record.table, 'the first', record] as const,
    [record.table, 'a later', record] as const,
  ])

/** A plan without statistics, which the database collects at any time: they are gone for this transaction only. */
async function planned(ctx: Ctx, explain: (tx: Ctx) => Promise<unknown>): Promise<unknown> {
  let plan: unknown
  await transaction(ctx, async tx => {
    const { role } = one(await query(tx, sql<{ role: string }>`select current_user as role`))
    await query(tx, sql`set local role none`)
    const tables = sql`select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
    await query(tx, sql`delete from pg_statistic where starelid in (${tables})`)
    await query(tx, sql`update pg_class set reltuples = -1, relpages = 0 where oid in (${tables})`)
    await query(tx, sql`set local role ${sql.id(role)}`)
    plan = await explain(tx)
    throw new RolledBack()
  }).catch(error => {
    if (!(error instanceof RolledBack)) throw error
  })
  return plan
}

class RolledBack extends Error {}

onBothEngines('a page of a list', account => {
  it.each(records)(
    'looks up what %s show of others by ids on %s page, without statistics, too',
    async (table, position, record) => {
      const skips = position === 'a later'
      const ctx = contextOf(await account())
      const plan = await planned(ctx, async tx => {
        // Few rows are read faster without an index, so sequential scans are turned off.
        await query(tx, sql`set local enable_seqscan = off`)
        const statement = pageStatement(tx, record, {
          sort: {
            expression: sql`r.created_at`,
            key: 'created_at',
            descending: true,
            type: 'timestamptz',
          },
          conditions: [],
          scans: false,
          deleted: false,
          cursor: undefined,
          limit: 1000,
          offset: skips ? 20 : sql.raw('0'),
          skips,
          sortValue: true,
        })
        return query(tx, sql`explain (format json) ${statement}`)
      })
      const others = scansOf(plan).filter(
        node =>
          node['Relation Name'] !== 'record_counts' &&
          !(node['Relation Name'] === table && node.Alias !== 't'),
      )
      expect(others.filter(node => !isLookup(node))).toEqual([])
    },
  )
})
