/** The context of an account's owner, for commands of the operator. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { type Ctx, contextFor, queryOne, type Services, systemDb } from '../../kernel/context.ts'

/** Of the account with this id or slug, or else of the first one. */
export async function ownerContext(
  services: Services,
  account?: string,
  db: Db = systemDb(services),
): Promise<Ctx> {
  const owner = await queryOne(
    { db },
    sql<{ account_id: string; user_id: string }>`select m.account_id, m.user_id from accounts a
      join members m on m.account_id = a.id and m.role = 'owner'
      where a.closed_at is null and (${account ?? null}::text is null or ${account ?? null} in (a.id::text, a.slug))
      order by a.created_at, a.id, m.created_at, m.user_id limit 1`,
  )
  if (!owner) throw new Error(account ? `There is no account ${account}.` : 'There is no account yet.')
  const { account_id: accountId, user_id: userId } = owner
  return contextFor(services, { kind: 'user', id: userId, userId, accountId, role: 'owner', scopes: ['*'] })
}
