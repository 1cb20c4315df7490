import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../test/support/service.ts'
import { systemDb } from '../kernel/context.ts'
import { resources } from './index.ts'
import { kindNames, kindsWith, links, targets } from './kinds.ts'

const CAPABILITIES = ['taggable', 'notable', 'attachable', 'favorite', 'customizable', 'categorized'] as const

it('every kind has a resource with its table and the columns of its capabilities', () => {
  const records = new Map(resources.map(({ record }) => [record.entityType, record]))
  for (const name of kindNames) {
    const record = records.get(name)
    expect(record?.table, name).toBe(targets[name].table)
    const fields = Object.keys(record?.output.fields ?? {})
    const has = (capability: (typeof CAPABILITIES)[number]) =>
      (kindsWith(capability) as string[]).includes(name)
    expect(fields.includes('is_favorite'), name).toBe(has('favorite'))
    expect(fields.includes('custom_fields'), name).toBe(has('customizable'))
    expect(fields.includes('categories'), name).toBe(has('categorized'))
  }
})

onBothEngines('the kinds of the database', account => {
  it('equal those that the service declares', async () => {
    const db = systemDb((await account()).service.services)
    const { rows } = await sql<Record<string, unknown>>`select * from kinds`.execute(db)
    const declared = kindNames.map(name => ({
      entity_type: name,
      table_name: targets[name].table,
      ...Object.fromEntries(
        CAPABILITIES.map(capability => [capability, (kindsWith(capability) as string[]).includes(name)]),
      ),
    }))
    expect(new Map(rows.map(row => [row.entity_type, row]))).toEqual(
      new Map(declared.map(row => [row.entity_type, row])),
    )
  })

  it('have the same link tables and ends as the journal', async () => {
    const db = systemDb((await account()).service.services)
    const { rows } = await sql<{ line: string }>`
      select c.relname || ' ' || replace(encode(t.tgargs, 'escape'), '\\000', ' ') as line
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where p.proname = 'journal_link' and t.tgname = 'journal_created'`.execute(db)
    const declared = links.map(({ table, ends }) => `${table} ${ends.map(end => end.column).join(' ')}`)
    expect(declared.sort()).toEqual(
      rows
        .map(({ line }) => line.trim())
        .filter(line => !line.startsWith('taggings '))
        .sort(),
    )
  })
})
