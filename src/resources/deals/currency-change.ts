/** The line items of a deal have prices in its currency, which another currency would turn into other prices. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { eachWrite, type Write } from '../../kernel/rules.ts'
import { rows } from '../../kernel/statements.ts'
import type { DealInput } from './fields.ts'

export async function refuseCurrencies(
  tx: Ctx,
  writes: readonly Write<DealInput, { currency: string }>[],
): Promise<void> {
  const changes = writes.filter(
    ({ values, before }) => before && values.currency !== undefined && values.currency !== before.currency,
  )
  if (changes.length === 0) return
  const priced = await query(
    tx,
    sql<{ id: string }>`select distinct l.deal_id as id from ${rows(tx, 'deal_line_items')} l
      where l.deal_id = any(${changes.map(({ id }) => id)}::uuid[])`,
  )
  const ids = new Set(priced.map(({ id }) => id))
  eachWrite(changes, ({ id, values, before }) => {
    if (!ids.has(id)) return
    const sentence = `the line items of the deal have prices in ${before?.currency}: remove them first, and set them again with prices in ${values.currency}`
    throw errors.invalidValue(['body', 'currency'], sentence, values.currency)
  })
}
