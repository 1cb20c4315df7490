/** The foreign keys that triggers enforce: see src/db/functions/foreign_keys.sql. */
import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Db, SYSTEM } from '../src/db/engine.ts'
import { isForeignKeyViolation } from '../src/db/sqlstate.ts'
import { newId } from '../src/kernel/ids.ts'
import { blocked } from './support/blocked.ts'
import { type Account, onBothEngines } from './support/service.ts'

const dbOf = ({ service }: Account): Db => service.services.engine.as(SYSTEM)

const refusal = (statement: RawBuilder<unknown>, db: Db) =>
  statement.execute(db).then(
    () => undefined,
    error => error,
  )

const link = (account: string, company: string, person: string) =>
  sql`insert into company_people (account_id, id, company_id, person_id) values (${account}, ${newId()}, ${company}, ${person})`

async function fixture(account: () => Promise<Account>) {
  const [mine, other] = [await account(), await account()]
  return {
    mine,
    other,
    db: dbOf(mine),
    company: await mine.create('/api/companies', { name: 'Acme' }),
    person: await mine.create('/api/contacts', { first_name: 'Ann' }),
    foreign: await other.create('/api/companies', { name: 'Theirs' }),
  }
}

onBothEngines('a foreign key enforced by triggers', account => {
  it('refers to a row that exists, in its own account', async () => {
    const { mine, other, db, company, person, foreign } = await fixture(account)
    const here = mine.accountId
    for (const wrong of [
      link(here, newId(), person.id),
      link(here, company.id, newId()),
      link(here, foreign.id, person.id),
      link(other.accountId, foreign.id, person.id),
      link(newId(), company.id, person.id),
      sql`insert into contacts (account_id, id, first_name) values (${newId()}, ${newId()}, 'Nobody')`,
      sql`insert into contacts (account_id, id, first_name, created_by) values (${here}, ${newId()}, 'B', ${newId()})`,
      sql`insert into contacts (account_id, id, first_name, owner_id) values (${here}, ${newId()}, 'B', ${newId()})`,
      sql`insert into contacts (account_id, id, first_name, company_id) values (${here}, ${newId()}, 'B', ${foreign.id})`,
      sql`update contacts set company_id = ${foreign.id} where id = ${person.id}`,
      sql`update contacts set company_id = ${newId()} where id = ${person.id}`,
      sql`insert into companies (account_id, id, name) values (${newId()}, ${newId()}, 'Nowhere')`,
    ]) {
      expect(isForeignKeyViolation(await refusal(wrong, db)), wrong.compile(db).sql).toBe(true)
    }
    await link(here, company.id, person.id).execute(db)
    await sql`update contacts set company_id = ${company.id} where id = ${person.id}`.execute(db)
  })

  it('reports the key that one of many rows violates, and writes none of them', async () => {
    const { mine, db, company, person } = await fixture(account)
    const wrong = sql`insert into company_people (account_id, id, company_id, person_id)
      values (${mine.accountId}, ${newId()}, ${company.id}, ${person.id}), (${mine.accountId}, ${newId()}, ${company.id}, ${newId()})`
    const error = await refusal(wrong, db)
    expect(error).toMatchObject({ code: '23503', table: 'company_people' })
    expect((error as { constraint: string }).constraint).toContain('person_id')
    const { rows } = await sql`select from company_people where company_id = ${company.id}`.execute(db)
    expect(rows).toHaveLength(0)
  })

  it('deletes the row or clears the column when the parent is deleted', async () => {
    const { mine, db, company, person } = await fixture(account)
    const second = await mine.create('/api/contacts', { first_name: 'Ben', company_ids: [company.id] })
    await link(mine.accountId, company.id, person.id).execute(db)
    await sql`delete from contacts where id = ${person.id}`.execute(db)
    const left = await sql<{ person_id: string }>`select person_id from company_people
      where company_id = ${company.id}`.execute(db)
    expect(left.rows).toEqual([{ person_id: second.id }])
    await sql`delete from companies where id = ${company.id}`.execute(db)
    const alone = await sql<{ company_id: string | null; links: number }>`select c.company_id,
      (select count(*)::int from company_people p where p.person_id = c.id) as links
      from contacts c where c.id = ${second.id}`.execute(db)
    expect(alone.rows).toEqual([{ company_id: null, links: 0 }])
    const user = sql`delete from users where id = (select created_by from contacts where id = ${second.id})`
    expect(isForeignKeyViolation(await refusal(user, db))).toBe(true)
    await sql`delete from accounts where id = ${mine.accountId}`.execute(db)
    for (const table of [
      'companies',
      'contacts',
      'company_people',
      'changes',
      'search_words',
      'record_counts',
    ]) {
      const rest = await sql`select from ${sql.table(table)} where account_id = ${mine.accountId}`.execute(db)
      expect(rest.rows, table).toHaveLength(0)
    }
  })

  it('refuses to change the key of a referenced parent', async () => {
    const { mine, other, db, company, person } = await fixture(account)
    await link(mine.accountId, company.id, person.id).execute(db)
    await sql`update contacts set company_id = ${company.id} where id = ${person.id}`.execute(db)
    for (const wrong of [
      sql`update companies set id = ${newId()} where id = ${company.id}`,
      sql`update companies set account_id = ${other.accountId} where id = ${company.id}`,
      sql`update contacts set id = ${newId()} where id = ${person.id}`,
      sql`update users set id = ${newId()} where id = ${mine.userId}`,
      sql`update accounts set id = ${newId()} where id = ${mine.accountId}`,
    ]) {
      expect(isForeignKeyViolation(await refusal(wrong, db)), wrong.compile(db).sql).toBe(true)
    }
    const lone = await mine.create('/api/companies', { name: 'No people' })
    await sql`update companies set id = ${newId()} where id = ${lone.id}`.execute(db)
  })

  it('refuses to truncate a parent, and to delete it in a transaction that may not see all children', async () => {
    const { db, company } = await fixture(account)
    const code = '0A000'
    expect(await refusal(sql`truncate companies cascade`, db)).toMatchObject({ code })
    for (const level of ['repeatable read', 'serializable']) {
      await db.connection().execute(async one => {
        await sql.raw(`begin isolation level ${level}`).execute(one)
        const error = await refusal(sql`delete from companies where id = ${company.id}`, one)
        await sql.raw('rollback').execute(one)
        expect(error).toMatchObject({ code })
      })
    }
    await sql`delete from companies where id = ${company.id}`.execute(db)
  })

  it('locks the parent until the transaction of the child has ended', async ({ skip }) => {
    const { mine, db, company, person } = await fixture(account)
    if (mine.service.services.engine.kind === 'embedded') skip('one connection: no second transaction')
    let removed: Promise<unknown> | undefined
    let isOver = false
    await db.transaction().execute(async tx => {
      await link(mine.accountId, company.id, person.id).execute(tx)
      removed = sql`delete from companies where id = ${company.id}`.execute(db).finally(() => {
        isOver = true
      })
      await blocked(db, 'delete from companies')
      expect(isOver).toBe(false)
    })
    await removed
    const { rows } = await sql`select from company_people where company_id = ${company.id}`.execute(db)
    expect(rows).toHaveLength(0)
  })

  it('is violated when the parent is being deleted', async ({ skip }) => {
    const { mine, db, company, person } = await fixture(account)
    if (mine.service.services.engine.kind === 'embedded') skip('one connection: no second transaction')
    let late: Promise<unknown> | undefined
    await db.transaction().execute(async tx => {
      await sql`delete from companies where id = ${company.id}`.execute(tx)
      late = refusal(link(mine.accountId, company.id, person.id), db)
      await blocked(db, 'insert into company_people')
    })
    expect(isForeignKeyViolation(await late)).toBe(true)
  })
})
