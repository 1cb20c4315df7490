/** Users and the accounts they belong to, as the service itself sees them: across accounts. */
import { sql } from 'kysely'
import { contextFor, one, query, queryOne, type Role, type ServiceCtx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { seedAccount } from './first-account.ts'
import { slugFor } from './slug.ts'

export interface User {
  id: string
  created_at: string
  updated_at: string
  email: string
  email_confirmed_at: string | null
  name: string
}

interface Secrets {
  password_hash: string | null
  external_subject: string | null
}

export interface Account {
  id: string
  created_at: string
  updated_at: string
  name: string
  slug: string
  currency: string
  role: Role
}

export const USER_COLUMNS = sql`id, created_at, updated_at, email, email_confirmed_at, name`

export const userById = (ctx: ServiceCtx, id: string) =>
  queryOne(
    ctx,
    sql<User & Secrets>`select ${USER_COLUMNS}, password_hash, external_subject from users where id = ${id}`,
  )

export const userByEmail = (ctx: ServiceCtx, email: string) =>
  queryOne(
    ctx,
    sql<User & Secrets>`select ${USER_COLUMNS}, password_hash, external_subject from users
      where lower(email) = lower(${email})`,
  )

export const withoutSecrets = ({
  id,
  created_at,
  updated_at,
  email,
  email_confirmed_at,
  name,
}: User): User => ({
  id,
  created_at,
  updated_at,
  email,
  email_confirmed_at,
  name,
})

export const emailTaken = () => errors.conflict('Somebody is registered with this email address already')

export async function createUser(
  tx: ServiceCtx,
  user: {
    email: string
    name: string
    passwordHash: string | null
    subject: string | null
    /** the address was verified, by mail or by an external issuer */
    isConfirmed?: boolean
  },
): Promise<User> {
  const created = await queryOne(
    tx,
    sql<User>`insert into users (id, email, name, password_hash, external_subject, email_confirmed_at)
      values (${newId()}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.subject},
        case when ${user.isConfirmed ?? false} then now() end)
      on conflict do nothing returning ${USER_COLUMNS}`,
  )
  if (!created) throw emailTaken()
  return created
}

/** Creates an account with its owner and its initial records. */
export async function createAccount(
  tx: ServiceCtx,
  userId: string,
  name: string,
  currency = 'USD',
): Promise<Account> {
  const accountId = newId()
  const slug = await slugFor(tx, name, accountId)
  await query(
    tx,
    sql`insert into accounts (id, name, slug, currency) values (${accountId}, ${name}, ${slug}, ${currency})`,
  )
  await query(
    tx,
    sql`insert into members (account_id, user_id, role) values (${accountId}, ${userId}, 'owner')`,
  )
  const owner = { kind: 'user', id: userId, userId, accountId, role: 'owner', scopes: ['*'] } as const
  await seedAccount({ ...contextFor(tx.services, owner), db: tx.db, inTransaction: true })
  return one(await accountsOf(tx, userId, accountId))
}

/** The accounts that a person belongs to, or the requested one of them. */
export const selectAccounts = (userId: string, accountId: string | undefined) =>
  sql<Account>`select a.id, a.created_at, a.updated_at, a.name, a.slug, a.currency, m.role
    from members m join accounts a on a.id = m.account_id
    where m.user_id = ${userId} ${accountId === undefined ? sql`` : sql`and a.id = ${accountId}`}`

export const accountsOf = (ctx: ServiceCtx, userId: string, accountId?: string): Promise<Account[]> =>
  query(ctx, sql<Account>`${selectAccounts(userId, accountId)} order by a.created_at, a.id`)
