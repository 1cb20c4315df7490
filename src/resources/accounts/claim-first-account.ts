/** The first start's account has an owner who cannot sign in; a person takes their place. */
import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { type Ctx, one, query, type ServiceCtx } from '../../kernel/context.ts'
import { ownerContext } from './owner-context.ts'
import { emailTaken, USER_COLUMNS, type User } from './people.ts'
import { slugFor, slugOf } from './slug.ts'

export interface FirstOwner {
  name: string
  email: string
  account_name: string
  passwordHash: string
}

/** The user, and their context in this transaction. */
export async function claimFirstAccount(
  tx: ServiceCtx,
  { name, email, account_name, passwordHash }: FirstOwner,
): Promise<{ user: User; owner: Ctx }> {
  const owner = { ...(await ownerContext(tx.services, undefined, tx.db)), db: tx.db, inTransaction: true }
  const claimed = await query(
    tx,
    sql<User>`update users set name = ${name}, email = ${email}, email_confirmed_at = null,
        password_hash = ${passwordHash}, updated_at = now()
      where id = ${owner.user} returning ${USER_COLUMNS}`,
  ).catch(error => {
    throw isUniqueViolation(error) ? emailTaken() : error
  })
  await rename(tx, owner.account, account_name)
  return { user: one(claimed), owner }
}

async function rename(tx: ServiceCtx, account: string, name: string): Promise<void> {
  const accounts = await query(tx, sql<{ slug: string }>`select slug from accounts where id = ${account}`)
  const { slug } = one(accounts)
  const renamed = slug === slugOf(name) ? slug : await slugFor(tx, name, account)
  await query(
    tx,
    sql`update accounts set name = ${name}, slug = ${renamed}, updated_at = now() where id = ${account}`,
  )
}
