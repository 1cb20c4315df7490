/** The column `linked` of companies and contacts: no link without its bit, and a get shows what a list shows. */
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { Db } from '../src/db/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { imported } from '../src/features/transfer/imports/testing.ts'
import { systemDb } from '../src/kernel/context.ts'
import { createService } from '../src/service.ts'
import { type Account, accountOn, onBothEngines, testConfig } from './support/service.ts'

/** Ends of the account's links whose record lacks the bit. Other tests have favorites of records that never were. */
async function unmarked(db: Db, account: string): Promise<unknown[]> {
  const { rows } = await sql`
    select l.source, l.id from (
      select 'team' as source, account_id, company_id as id, 'companies' as target, 1 as flag from company_people
      union all select 'employers', account_id, person_id, 'contacts', 1 from company_people
      union all select 'deals of companies', account_id, company_id, 'companies', 2 from deal_companies
      union all select 'deals of contacts', account_id, contact_id, 'contacts', 2 from deal_contacts
      union all select 'favorites', account_id, entity_id,
        case entity_type when 'company' then 'companies' else 'contacts' end, 4
        from favorites where entity_type in ('company', 'contact')
    ) l left join (
      select account_id, id, 'companies' as target, linked from companies
      union all select account_id, id, 'contacts', linked from contacts
    ) r using (account_id, id, target)
    where l.account_id = ${account} and coalesce(r.linked, 0) & l.flag = 0`.execute(db)
  return rows
}

async function expectSameInLists({ get }: Account): Promise<void> {
  for (const path of ['/api/companies', '/api/contacts']) {
    const { items } = (await get(`${path}?page_size=100`)).body
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) expect((await get(`${path}/${item.id}`)).body).toEqual(item)
  }
}

onBothEngines('linked', account => {
  it('is set by every way to link a record, and a get shows every link', async () => {
    const mine = await account()
    const { create, put, post, get } = mine
    const db = systemDb(mine.service.services)
    const check = async () => {
      expect(await unmarked(db, mine.accountId)).toEqual([])
      await expectSameInLists(mine)
    }
    const alone = await create('/api/companies', { name: 'Alone' })
    const ann = await create('/api/contacts', { first_name: 'Ann' })
    const acme = await create('/api/companies', { name: 'Acme', team_ids: [ann.id] })
    const beta = await create('/api/companies', { name: 'Beta', parent_id: acme.id })
    const bob = await create('/api/contacts', { first_name: 'Bob', company_ids: [beta.id, acme.id] })
    const eve = await create('/api/contacts', { first_name: 'Eve' })
    await check()
    await put(`/api/contacts/${eve.id}`, { company_id: beta.id })
    await put(`/api/companies/${beta.id}`, { team_ids: [ann.id, eve.id] })
    await create('/api/deals', {
      name: 'One',
      associated_company_ids: [beta.id],
      associated_contact_ids: [eve.id],
    })
    await create('/api/deals', { name: 'Two', company_id: acme.id, primary_contact_id: bob.id })
    await create('/api/favorites', { entity_type: 'company', entity_id: acme.id })
    await create('/api/favorites', { entity_type: 'contact', entity_id: eve.id })
    await check()
    expect((await get(`/api/companies/${acme.id}`)).body).toMatchObject({
      is_favorite: true,
      team_ids: [{ name: 'Ann' }, { name: 'Bob' }],
      associated_deal_ids: [{ name: 'Two' }],
    })
    const merged = await post('/api/companies/merge', { primary_id: alone.id, secondary_ids: [acme.id] })
    expect(merged.status).toBe(200)
    await check()
    expect((await post(`/api/operations/${merged.body.operation_id}/undo`)).status).toBe(200)
    await check()
    const people = await post('/api/contacts/merge', { primary_id: bob.id, secondary_ids: [ann.id, eve.id] })
    expect(people.status).toBe(200)
    await check()
    expect((await post(`/api/operations/${people.body.operation_id}/undo`)).status).toBe(200)
    await mine.delete(`/api/companies/${acme.id}`)
    await check()
    expect((await get(`/api/companies/${beta.id}`)).body).not.toHaveProperty('parent_id')
    expect((await post(`/api/companies/${acme.id}/restore`)).status).toBe(200)
    expect((await put(`/api/companies/${beta.id}`, { city: 'Rome' })).body.parent_id).toBe(acme.id)
    await check()
  })

  it('is part of the only write of the records that an import creates and links', async () => {
    const mine = await account()
    const db = systemDb(mine.service.services)
    const file = 'first_name,email,company\nAnn,ann@example.com,Acme\nBob,bob@example.com,Beta\n'
    await imported(mine, file, { entity_type: 'contact', options: { on_missing: { company: 'create' } } })
    // A row that the trigger of the links had written again would be younger than its entry in the journal.
    const { rows } = await sql<{ name: string; linked: number; once: boolean }>`
      select r.name, r.linked, r.command < c.cmin::text::bigint as once
      from (
        select id, name, linked, cmin::text::bigint as command, account_id from companies
        union all select id, full_name, linked, cmin::text::bigint, account_id from contacts
      ) r join changes c on c.account_id = r.account_id and c.entity_id = r.id and c.action = 'created' and c.related_id is null
      where r.account_id = ${mine.accountId} order by r.name`.execute(db)
    expect(rows).toEqual(['Acme', 'Ann', 'Beta', 'Bob'].map(name => ({ name, linked: 1, once: true })))
    await expectSameInLists(mine)
  })

  it('is not set without a link, and no statement clears it', async () => {
    const mine = await account()
    const db = systemDb(mine.service.services)
    const ann = await mine.create('/api/contacts', { first_name: 'Ann' })
    const { id } = await mine.create('/api/companies', { name: 'Acme' })
    const linked = async () =>
      (await sql<{ linked: number }>`select linked from companies where id = ${id}`.execute(db)).rows[0]
        ?.linked
    expect(await linked()).toBe(0)
    const { updated_at } = (await mine.get(`/api/companies/${id}`)).body
    await mine.put(`/api/contacts/${ann.id}`, { company_ids: [id] })
    expect(await linked()).toBe(1)
    await sql`update companies set linked = 0 where id = ${id}`.execute(db)
    expect(await linked()).toBe(1)
    // neither a change that a person made nor one that the timeline shows
    expect((await mine.get(`/api/companies/${id}`)).body.updated_at).toBe(updated_at)
  })
})

it('the migration sets the bits of links that exist, and journals nothing', async () => {
  const service = await createService(await testConfig('server'))
  onTestFinished(() => service.close())
  const mine = await accountOn(service, await service.app.listen({ port: 0, host: '127.0.0.1' }))
  const db = systemDb(service.services)
  const ann = await mine.create('/api/contacts', { first_name: 'Ann' })
  const acme = await mine.create('/api/companies', { name: 'Acme', team_ids: [ann.id] })
  await mine.create('/api/companies', { name: 'Beta' })
  await mine.create('/api/deals', { name: 'One', company_id: acme.id, primary_contact_id: ann.id })
  await mine.create('/api/favorites', { entity_type: 'company', entity_id: acme.id })
  const state = async () => {
    const bits = sql`select name, linked from companies union all select full_name, linked from contacts order by 1`
    const changes = sql`select count(*) from changes`
    return [(await bits.execute(db)).rows, (await changes.execute(db)).rows]
  }
  const before = await state()
  expect(before[0]).toEqual([
    { name: 'Acme', linked: 7 },
    { name: 'Ann', linked: 3 },
    { name: 'Beta', linked: 0 },
  ])
  await sql`alter table companies drop column linked cascade`.execute(db)
  await sql`alter table contacts drop column linked cascade`.execute(db)
  await sql`delete from migrations where name like '%_linked.sql'`.execute(db)
  await migrate(service.services.engine)
  expect(await state()).toEqual(before)
})
