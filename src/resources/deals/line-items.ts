/** The products of a deal, with quantities and prices. Triggers update the deal's amount (functions/deals.sql). */
import { sql } from 'kysely'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { checkMayRead } from '../../kernel/reach.ts'
import {
  datetime,
  type Infer,
  list,
  nullable,
  number,
  object,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { deleteRows, insertRows, living, rows, updateRows } from '../../kernel/statements.ts'
import { targets } from '../kinds.ts'
import { MAX_AMOUNT } from './fields.ts'

const MAX_LINES = 500
const percent = (description: string) =>
  optional(number({ min: 0, max: 100, description: `${description}. Default for a new line: 0` }))

const lineInput = object(
  {
    id: optional(
      uuid({
        description:
          'The id of an existing line to update; without it, an existing line with the same product is updated',
      }),
    ),
    product_id: optional(
      nullable(uuid({ description: 'A line without a product needs a name and a unit_price' })),
    ),
    name: optional(
      nullable(
        text({ min: 1, max: 255, description: 'Default for a new line or product: that of the product' }),
      ),
    ),
    quantity: optional(number({ min: 0, max: 1e9, description: 'Default for a new line: 1' })),
    unit_price: optional(
      nullable(
        number({
          min: 0,
          max: 1e12,
          description:
            'In the deal’s currency; default for a new line or product: the product’s price, if that is in the same currency',
        }),
      ),
    ),
    discount: percent('Percent off the price'),
    tax: percent('Percent of the price after the discount; not part of the deal’s amount'),
  },
  { title: 'LineItemInput', examples: [{ product_id: '01993a60-8c00-7000-8000-000000000001', quantity: 2 }] },
)
type LineInput = Infer<typeof lineInput>

const lineOutput = object(
  {
    id: uuid(),
    created_at: datetime(),
    deal_id: uuid(),
    product_id: nullable(uuid({ description: 'null once the product is erased' })),
    name: text(),
    quantity: number(),
    unit_price: number(),
    currency: text({ description: 'The deal’s' }),
    discount: number({ description: 'Percent' }),
    tax: number({ description: 'Percent' }),
    net_amount: number({ description: 'quantity × unit_price less the discount, rounded to the currency' }),
    tax_amount: number(),
  },
  { title: 'LineItem' },
)
type Line = Infer<typeof lineOutput>

const linesOf = (ctx: Ctx, dealId: string): Promise<Line[]> =>
  query(
    ctx,
    sql<Line>`select n.id, n.created_at, n.deal_id, n.product_id, n.name, n.quantity, n.unit_price, n.currency, n.discount,
        n.tax, n.net_amount, round(n.net_amount * n.tax / 100, currency_places(n.currency)) as tax_amount from (
        select l.id, l.created_at, l.deal_id, l.product_id, l.name, l.quantity, l.unit_price, d.currency, l.discount,
          l.tax, line_net(l.quantity, l.unit_price, l.discount, d.currency) as net_amount, l.position
        from ${rows(ctx, 'deal_line_items')} l join ${living(ctx, 'deals')} d on d.id = l.deal_id
        where l.deal_id = ${dealId}) n order by n.position, n.id`,
  )

async function dealCurrency(ctx: Ctx, dealId: string, lock = sql``): Promise<string> {
  const deal = await queryOne(
    ctx,
    sql<{
      currency: string
    }>`select d.currency from ${living(ctx, 'deals')} d where d.id = ${dealId} ${lock}`,
  )
  if (!deal) throw errors.notFound('Deal')
  return deal.currency
}

interface Offered {
  id: string
  name: string
  unit_price: number | null
  currency: string
}

/** The products that new lines name. */
async function productsOf(tx: Ctx, ids: readonly string[]): Promise<Map<string, Offered>> {
  if (ids.length === 0) return new Map()
  checkMayRead(tx, 'products')
  const products = await query(
    tx,
    sql<Offered>`select p.id, p.name, p.unit_price, p.currency from ${living(tx, 'products')} p
      where p.id = any(${ids}::uuid[]) for key share`,
  )
  return new Map(products.map(product => [product.id, product]))
}

/** The existing line that each input updates, if any: the one with its id, or the first with its product. */
function continued(present: readonly Line[], inputs: readonly LineInput[]): (Line | undefined)[] {
  const free = new Map(present.map(line => [line.id, line]))
  const byId = inputs.map((input, i) => {
    if (input.id === undefined) return undefined
    const line = free.get(input.id)
    if (!line) throw errors.referenceNotFound(['body', i, 'id'], 'Line item', input.id)
    free.delete(line.id)
    return line
  })
  return inputs.map((input, i) => {
    if (byId[i] || input.product_id == null) return byId[i]
    const line = [...free.values()].find(one => one.product_id === input.product_id)
    if (line) free.delete(line.id)
    return line
  })
}

function priceOf(product: Offered | undefined, currency: string, index: number): number {
  const refuse = (rule: string) => errors.invalidValue(['body', index, 'unit_price'], rule, null)
  if (!product) throw refuse('a line without a product needs a unit_price')
  if (product.unit_price === null) throw refuse('the product has no price: give a unit_price')
  if (product.currency !== currency)
    throw refuse(`the product’s price is in ${product.currency}: give a unit_price in ${currency}`)
  return product.unit_price
}

/** `later`: the writer of several statements computes the amount itself, so that it changes once, from the old to the new. */
const setFollow = (tx: Ctx, when: 'later' | '') =>
  query(tx, sql`select set_config('kith.amounts_follow', ${when}, true)`)

function replaceLines(ctx: Ctx, dealId: string, inputs: readonly LineInput[]): Promise<Line[]> {
  return transaction(ctx, async tx => {
    const currency = await dealCurrency(tx, dealId, sql`for no key update`)
    const before = continued(await linesOf(tx, dealId), inputs)
    const isNew = ({ product_id }: LineInput, i: number) =>
      product_id != null && product_id !== before[i]?.product_id
    const products = await productsOf(
      tx,
      inputs.filter(isNew).flatMap(({ product_id }) => product_id ?? []),
    )
    const lines = inputs.map((input, i) => {
      const product_id = input.product_id === undefined ? (before[i]?.product_id ?? null) : input.product_id
      const product = product_id === null ? undefined : products.get(product_id)
      if (isNew(input, i) && !product)
        throw errors.referenceNotFound(['body', i, 'product_id'], targets.product.label, product_id)
      const previous = isNew(input, i) ? undefined : before[i]
      const name = input.name ?? previous?.name ?? product?.name
      if (name === undefined)
        throw errors.invalidValue(['body', i, 'name'], 'a line without a product needs a name', null)
      const unit_price = input.unit_price ?? previous?.unit_price ?? priceOf(product, currency, i)
      return {
        id: before[i]?.id ?? newId(),
        product_id,
        name,
        quantity: input.quantity ?? before[i]?.quantity ?? 1,
        unit_price,
        discount: input.discount ?? before[i]?.discount ?? 0,
        tax: input.tax ?? before[i]?.tax ?? 0,
        position: i,
      }
    })
    const total = lines.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)
    if (total > MAX_AMOUNT)
      throw errors.invalidValue(['body'], `the lines may add up to ${MAX_AMOUNT} at most`, null)
    const staying = lines.map(line => line.id)
    await setFollow(tx, 'later')
    await deleteRows(tx, 'deal_line_items', sql`r.deal_id = ${dealId} and r.id <> all(${staying}::uuid[])`)
    await insertRows(
      tx,
      'deal_line_items',
      lines.map(line => ({ ...line, deal_id: dealId })),
      {
        onConflict: sql`(account_id, id) do update set product_id = excluded.product_id, name = excluded.name,
          quantity = excluded.quantity, unit_price = excluded.unit_price, discount = excluded.discount,
          tax = excluded.tax, position = excluded.position`,
      },
    )
    await setFollow(tx, '')
    // The trigger of amount_source computes the amount.
    const set = { amount_source: sql`r.amount_source`, updated_at: sql`now()` }
    await updateRows(tx, 'deals', set, sql`r.id = ${dealId}`)
    return linesOf(tx, dealId)
  })
}

const shared = { path: '/api/deals/{deal_id}/line-items', tag: 'Deals', response: list(lineOutput) } as const

export const lineItemEndpoints = [
  endpoint({
    ...shared,
    method: 'GET',
    permission: 'deals:read',
    summary: 'List the line items of a deal',
    description:
      'In their order. A line keeps its name and price when the product is changed, deleted or erased.',
    async run(ctx, { params }) {
      await dealCurrency(ctx, params.deal_id)
      return linesOf(ctx, params.deal_id)
    },
  }),
  endpoint({
    ...shared,
    method: 'PUT',
    permission: 'deals:write',
    summary: 'Replace the line items of a deal',
    description:
      'Lines that are not in the list are removed. An existing line keeps the values that are not sent; it is the one with the `id`, or else the first one with the `product_id`. The deal’s amount follows the line items, before tax, unless it was set by hand (`amount_source`); set it to null to make it follow them. Prices are in the deal’s currency.',
    body: list(lineInput, { max: MAX_LINES }),
    run: (ctx, { params, body }) => replaceLines(ctx, params.deal_id, body),
  }),
]
