import { sql } from 'kysely'
import { type Ctx, one, query } from '../../kernel/context.ts'

/** The account's currency, for amounts without one. */
export async function accountCurrency(ctx: Ctx): Promise<string> {
  const accounts = await query(
    ctx,
    sql<{ currency: string }>`select a.currency from accounts a where a.id = ${ctx.account}`,
  )
  return one(accounts).currency
}
