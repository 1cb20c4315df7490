/** What the database itself promises of ties that no foreign key holds: see src/db/migrations/0018_ties_in_sets.sql. */
import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Db, SYSTEM } from '../src/db/engine.ts'
import { isForeignKeyViolation } from '../src/db/sqlstate.ts'
import { newId } from '../src/kernel/ids.ts'
import { type Account, onBothEngines } from './support/service.ts'

const dbOf = ({ service }: Account): Db => service.services.engine.as(SYSTEM)

const refusal = (statement: RawBuilder<unknown>, db: Db) =>
  statement.execute(db).then(
    () => undefined,
    error => error,
  )

const tie = (account: string, company: string, person: string) =>
  sql`insert into company_people (account_id, id, company_id, person_id) values (${account}, ${newId()}, ${company}, ${person})`

async function world(account: () => Promise<Account>) {
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

onBothEngines('a tie that a trigger holds', account => {
  it('names what is there, and in its own account', async () => {
    const { mine, other, db, company, person, foreign } = await world(account)
    const here = mine.accountId
    for (const wrong of [
      tie(here, newId(), person.id),
      tie(here, company.id, newId()),
      tie(here, foreign.id, person.id),
      tie(other.accountId, foreign.id, person.id),
      tie(newId(), company.id, person.id),
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
    await tie(here, company.id, person.id).execute(db)
    await sql`update contacts set company_id = ${company.id} where id = ${person.id}`.execute(db)
  })

  it('says which tie of many rows is wrong, and none of them is written', async () => {
    const { mine, db, company, person } = await world(account)
    const wrong = sql`insert into company_people (account_id, id, company_id, person_id)
      values (${mine.accountId}, ${newId()}, ${company.id}, ${person.id}), (${mine.accountId}, ${newId()}, ${company.id}, ${newId()})`
    const error = await refusal(wrong, db)
    expect(error).toMatchObject({ code: '23503', table: 'company_people' })
    expect((error as { constraint: string }).constraint).toContain('person_id')
    const { rows } = await sql`select from company_people where company_id = ${company.id}`.execute(db)
    expect(rows).toHaveLength(0)
  })

  it('ends with what it names', async () => {
    const { mine, db, company, person } = await world(account)
    const second = await mine.create('/api/contacts', { first_name: 'Ben', company_ids: [company.id] })
    await tie(mine.accountId, company.id, person.id).execute(db)
    await sql`delete from contacts where id = ${person.id}`.execute(db)
    const left = await sql<{ person_id: string }>`select person_id from company_people
      where company_id = ${company.id}`.execute(db)
    expect(left.rows).toEqual([{ person_id: second.id }])
    await sql`delete from companies where id = ${company.id}`.execute(db)
    const alone = await sql<{ company_id: string | null; ties: number }>`select c.company_id,
      (select count(*)::int from company_people p where p.person_id = c.id) as ties
      from contacts c where c.id = ${second.id}`.execute(db)
    expect(alone.rows).toEqual([{ company_id: null, ties: 0 }])
    const user = sql`delete from users where id = (select created_by from contacts where id = ${second.id})`
    expect(isForeignKeyViolation(await refusal(user, db))).toBe(true)
    await sql`delete from accounts where id = ${mine.accountId}`.execute(db)
    const rest = await sql`select from contacts where account_id = ${mine.accountId}`.execute(db)
    expect(rest.rows).toHaveLength(0)
  })

  it('keeps what it names until its transaction has ended', async ({ skip }) => {
    const { mine, db, company, person } = await world(account)
    if (mine.service.services.engine.kind === 'embedded') skip('one connection: nobody could come between')
    let removed: Promise<unknown> | undefined
    let isOver = false
    await db.transaction().execute(async tx => {
      await tie(mine.accountId, company.id, person.id).execute(tx)
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

  it('is refused when what it names is being removed', async ({ skip }) => {
    const { mine, db, company, person } = await world(account)
    if (mine.service.services.engine.kind === 'embedded') skip('one connection: nobody could come between')
    let late: Promise<unknown> | undefined
    await db.transaction().execute(async tx => {
      await sql`delete from companies where id = ${company.id}`.execute(tx)
      late = refusal(tie(mine.accountId, company.id, person.id), db)
      await blocked(db, 'insert into company_people')
    })
    expect(isForeignKeyViolation(await late)).toBe(true)
  })
})

/** Until a statement that begins like this waits for a lock. */
async function blocked(db: Db, beginning: string): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and query like ${`${beginning}%`} and datname = current_database()`.execute(db)
    if (rows.length > 0) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
