/** The account that an archive is restored into, and its people. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/engine.ts'
import { newId } from '../../../kernel/ids.ts'
import { unscoped } from '../../../kernel/statements.ts'
import { keyHash, keyPrefix, newKey } from '../../../resources/accounts/first-account.ts'
import { slugOf } from '../../../resources/accounts/slug.ts'
import type { AccountTable } from './account-tables.ts'
import type { Manifest } from './manifest.ts'

export const run = async <R>(db: Db, statement: RawBuilder<R>): Promise<R[]> =>
  (await statement.execute(db)).rows

export interface Account {
  id: string
  name: string
  slug: string
}

/** The account that is named, or the only one if it is empty, or a new one. */
export async function targetAccount(
  db: Db,
  manifest: Manifest,
  tables: readonly AccountTable[],
  requested: string | undefined,
): Promise<Account> {
  const accounts = await run(
    db,
    sql<Account>`select id, name, slug from ${unscoped('accounts')} where closed_at is null`,
  )
  const named = accounts.find(({ id, slug }) => id === requested || slug === requested)
  if (requested !== undefined && !named) throw new Error(`There is no account ${requested}.`)
  const [single] = accounts
  const only = single && accounts.length === 1 && (await isEmpty(db, single.id, tables)) ? single : undefined
  const target = named ?? only
  const { name, currency } = manifest.account
  if (!target) return createdAccount(db, accounts, name, currency)
  if (!(await isEmpty(db, target.id, tables))) throw new Error(`The account "${target.name}" is not empty.`)
  await run(
    db,
    sql`update ${unscoped('accounts')} set name = ${name}, currency = ${currency} where id = ${target.id}`,
  )
  // The pipeline that every new account starts with is replaced by the archive's.
  for (const table of ['stages', 'pipelines', 'changes'] as const) {
    await run(db, sql`delete from ${unscoped(table)} where account_id = ${target.id}`)
  }
  return { ...target, name }
}

async function createdAccount(db: Db, accounts: readonly Account[], name: string, currency: string) {
  const id = newId()
  const isTaken = accounts.some(({ slug }) => slug === slugOf(name))
  const account = { id, name, slug: isTaken ? `${slugOf(name)}-${id.slice(-12)}` : slugOf(name) }
  await run(
    db,
    sql`insert into ${unscoped('accounts')} (id, name, slug, currency)
      values (${id}, ${name}, ${account.slug}, ${currency})`,
  )
  return account
}

/** A new account has a pipeline, its stages, and the journal of that. */
const SEEDED = ['pipelines', 'stages', 'changes']

async function isEmpty(db: Db, accountId: string, tables: readonly AccountTable[]): Promise<boolean> {
  for (const { name } of tables.filter(table => !SEEDED.includes(table.name))) {
    const [row] = await run(db, sql`select 1 from ${unscoped(name)} where account_id = ${accountId} limit 1`)
    if (row) return false
  }
  return true
}

export interface People {
  /** from the archive's ids to those here */
  ids: ReadonlyMap<string, string>
  /** registered here and not made members */
  leftOut: readonly string[]
  ownerId: string
}

/**
 * People are identified by their addresses. Those who are not here yet are created, without a password. Those who are
 * registered here become members only if the operator says so: otherwise an archive could make any person a member of
 * its account, which shows it their name and makes X-Account-ID mandatory for them.
 */
export async function restorePeople(
  db: Db,
  { people }: Manifest,
  accountId: string,
  addMembers: boolean,
): Promise<People> {
  const ids = new Map<string, string>()
  const leftOut: string[] = []
  for (const person of people) {
    const [existing] = await run(
      db,
      sql<{ id: string; is_member: boolean }>`select u.id, exists (select from ${unscoped('members')} m
          where m.account_id = ${accountId} and m.user_id = u.id) as is_member
        from users u where lower(u.email) = lower(${person.email})`,
    )
    if (existing && !existing.is_member && !addMembers) {
      leftOut.push(person.email)
      continue
    }
    const userId = existing?.id ?? (await createdPerson(db, person))
    ids.set(person.id, userId)
    await run(
      db,
      sql`insert into ${unscoped('members')} (account_id, user_id, role)
        values (${accountId}, ${userId}, ${person.role}) on conflict do nothing`,
    )
  }
  return { ids, leftOut, ownerId: await ownerOf(db, accountId) }
}

async function createdPerson(
  db: Db,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<string> {
  const [taken] = await run(db, sql`select id from users where id = ${id}`)
  const userId = taken ? newId() : id
  await run(db, sql`insert into users (id, email, name) values (${userId}, ${email}, ${name})`)
  return userId
}

async function ownerOf(db: Db, accountId: string): Promise<string> {
  const [owner] = await run(
    db,
    sql<{ user_id: string }>`select user_id from ${unscoped('members')}
      where account_id = ${accountId} and role = 'owner' order by created_at, user_id limit 1`,
  )
  if (owner) return owner.user_id
  throw new Error(
    'The account would have no owner, because those in the archive are registered here already: run again with --add-members to make them members.',
  )
}

/** An account without any key is unreachable, so one is created. */
export async function firstKey(db: Db, accountId: string, ownerId: string): Promise<string | undefined> {
  const [existing] = await run(
    db,
    sql`select 1 from ${unscoped('api_keys')} where account_id = ${accountId} limit 1`,
  )
  if (existing) return undefined
  const key = newKey()
  await run(
    db,
    sql`insert into ${unscoped('api_keys')} (account_id, id, name, prefix, key_hash, created_by)
      values (${accountId}, ${newId()}, 'Restored', ${keyPrefix(key)}, ${keyHash(key)}, ${ownerId})`,
  )
  return key
}
