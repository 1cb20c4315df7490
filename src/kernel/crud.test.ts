/** The behaviour of crud that resources rely on. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contextOf, onAnyEngine } from '../../test/support/service.ts'
import { systemDb } from './context.ts'
import { setCrud } from './crud.ts'
import { newId } from './ids.ts'
import { defineRecord } from './resource.ts'
import { datetime, object, text, uuid } from './schema/index.ts'

const tag = defineRecord({
  table: 'tags',
  label: 'Tag',
  input: object({ name: text() }),
  output: object({ id: uuid(), name: text(), created_at: datetime() }),
})
const { create, update, createMany, updateMany, get } = setCrud(tag, {})
const CREATED = '2020-01-31T00:00:00.000Z'

onAnyEngine('crud', account => {
  it('writes columns that the server sets with { set }', async () => {
    const ctx = contextOf(await account())
    const made = await create(ctx, { name: 'a' }, { set: { created_at: CREATED } })
    expect(made).toMatchObject({ name: 'a', created_at: CREATED })
    await update(ctx, made.id, {}, { set: { created_at: '2021-01-31T00:00:00.000Z' } })
    expect((await get(ctx, made.id)).created_at).toBe('2021-01-31T00:00:00.000Z')
  })

  it('throws on a field that the input schema does not have, and writes nothing', async () => {
    const ctx = contextOf(await account())
    const { id } = await create(ctx, { name: 'a' })
    const wrong = { name: 'b', created_at: CREATED }
    const problem = 'tags has no input field created_at'
    await expect(create(ctx, wrong)).rejects.toThrow(problem)
    await expect(update(ctx, id, wrong)).rejects.toThrow(problem)
    await expect(createMany(ctx, [{ input: wrong }])).rejects.toThrow(problem)
    await expect(updateMany(ctx, [{ id, input: wrong }])).rejects.toThrow(problem)
    expect(await get(ctx, id)).toMatchObject({ name: 'a' })
  })

  it('journals and counts a statement on records of two accounts in each of them', async () => {
    const accounts = [await account(), await account()] as const
    const db = systemDb(accounts[0].service.services)
    const ids = [newId(), newId()]
    const row = (i: 0 | 1) => sql`(${accounts[i].accountId}, ${ids[i]}, 'Acme', '["a.example"]', '{x}')`
    await sql`insert into companies (account_id, id, name, domains, categories)
      values ${row(0)}, ${row(1)}`.execute(db)
    const stored = async () => {
      const { rows } =
        await sql`select d.domain, (select count(*)::int from category_uses u where u.entity_id = r.id) as categories,
          array(select c.action from changes c where c.entity_id = r.id order by c.seq) as actions
        from companies r left join company_domains d on d.company_id = r.id
        where r.id = any(${ids}::uuid[])`.execute(db)
      const lists = await Promise.all(accounts.map(({ get }) => get('/api/companies')))
      return [rows, lists.map(({ body }) => body.total)]
    }
    const first = { domain: 'a.example', categories: 1, actions: ['created'] }
    expect(await stored()).toEqual([
      [first, first],
      [1, 1],
    ])
    await sql`update companies set deleted_at = now(), domains = '["b.example"]', categories = null
      where id = any(${ids}::uuid[])`.execute(db)
    const second = { domain: 'b.example', categories: 0, actions: ['created', 'deleted'] }
    expect(await stored()).toEqual([
      [second, second],
      [0, 0],
    ])
  })
})
