/** Finds the member to whom a calendar token belongs. */
import { sql } from 'kysely'
import { queryOne, type Role, type ServiceCtx } from '../../kernel/context.ts'

export const feedOwner = (ctx: ServiceCtx, tokenHash: Buffer) =>
  queryOne(
    ctx,
    sql<{ accountId: string; userId: string; role: Role }>`
      select f.account_id as "accountId", f.user_id as "userId", m.role
      from calendar_feeds f
      join members m on m.account_id = f.account_id and m.user_id = f.user_id
      join accounts a on a.id = f.account_id and a.closed_at is null
      where f.token_hash = ${tokenHash}`,
  )
