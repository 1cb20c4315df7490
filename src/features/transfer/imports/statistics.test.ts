import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/service.ts'
import { systemDb } from '../../../kernel/context.ts'
import { imported } from './testing.ts'

onBothEngines('a large import', account => {
  it('analyses the tables that it has filled', async () => {
    const me = await account()
    const people = Array.from({ length: 1100 }, (_, i) => `P${i},p${i}@example.com,Company ${i % 50}`)
    const file = `first_name,email,company\n${people.join('\n')}\n`
    const result = await imported(me, file, { entity_type: 'contact' })
    expect(result).toMatchObject({ status: 'completed', created_count: 1100 })
    const { rows } = await sql<{ name: string; known: boolean }>`select c.relname as name,
        c.reltuples > 0 and exists (select from pg_stats s
          where s.schemaname = 'kith' and s.tablename = c.relname and s.attname = 'account_id') as known
      from pg_class c where c.relnamespace = 'kith'::regnamespace
        and c.relname in ('contacts', 'companies', 'company_people', 'contact_addresses', 'changes')
      order by 1`.execute(systemDb(me.service.services))
    expect(rows.filter(({ known }) => !known)).toEqual([])
    expect(rows).toHaveLength(5)
  })
})
