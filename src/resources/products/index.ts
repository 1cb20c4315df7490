/** Products: what the account sells, at a price. */
import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { errors } from '../../kernel/errors.ts'
import type { SetResource } from '../../kernel/resource.ts'
import {
  boolean,
  dict,
  type Infer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { accountCurrency } from '../accounts/currency.ts'
import { currency } from '../deals/currency.ts'
import { deals } from '../deals/index.ts'
import { favoriteEndpoints } from '../favorites/mark.ts'
import { kind } from '../kinds.ts'
import { externalIdsInput, externalIdsOutput } from '../shared/external-ids.ts'
import {
  account,
  base,
  categoryNames,
  customFields,
  customFieldsMirror,
  favoriteFlag,
  isFavorite,
  longText,
} from '../shared/fields.ts'
import { customizable, recordOperations } from '../shared/record-operations.ts'
import { subLists } from '../shared/sub-lists.ts'

const BILLING_PERIODS = ['one_time', 'monthly', 'quarterly', 'yearly'] as const
/** The amount of a deal with a few products at this price is still exact. */
const MAX_PRICE = 1e12

const input = object(
  {
    name: text({ min: 1, max: 255 }),
    sku: optional(nullable(text({ min: 1, max: 100, description: 'Unique, ignoring case' }))),
    unit_price: optional(nullable(number({ min: 0, max: MAX_PRICE }))),
    currency: optional(currency),
    billing_period: withDefault(oneOf(BILLING_PERIODS), 'one_time'),
    description: longText(),
    active: withDefault(boolean({ description: 'Whether it is still sold' }), true),
    categories: categoryNames,
    metadata: optional(dict()),
    external_ids: externalIdsInput,
  },
  {
    title: 'ProductCreate',
    examples: [
      { name: 'Support plan', sku: 'SUP-1', unit_price: 49, currency: 'EUR', billing_period: 'monthly' },
    ],
  },
)

const product = customizable({
  ...kind('product'),
  input,
  output: object(
    {
      ...base,
      ...input.fields,
      currency: text({ examples: ['EUR'] }),
      metadata: dict(),
      external_ids: externalIdsOutput,
      created_by: nullable(uuid()),
      ...account,
      is_favorite: favoriteFlag,
      custom_fields: customFieldsMirror,
    },
    { title: 'Product' },
  ),
  computed: { is_favorite: isFavorite('product'), custom_fields: customFields },
  whenNew: { is_favorite: sql`false` },
  search: 'text',
  hasBytes: true,
  filters: {
    sku: { schema: text({ max: 100 }), where: (_, value) => sql`fold(r.sku) = fold(${value}::text)` },
    active: { schema: boolean(), where: (_, value) => (value ? sql`r.active` : sql`not r.active`) },
    billing_period: {
      schema: oneOf(BILLING_PERIODS),
      where: (_, value) => sql`r.billing_period = ${value}`,
    },
    currency: { schema: currency, where: (_, value) => sql`r.currency = ${value}` },
    unit_price_gte: { schema: number(), where: (_, value) => sql`r.unit_price >= ${value}::numeric` },
    unit_price_lte: { schema: number(), where: (_, value) => sql`r.unit_price <= ${value}::numeric` },
  },
})
type ProductInput = Infer<typeof product.input>
type Product = Infer<typeof product.output>

const operations = recordOperations(product, {
  author: 'created_by',
  async prepare(tx, writes) {
    const unpriced = writes.filter(({ isNew, input }) => isNew && input.currency === undefined)
    if (unpriced.length === 0) return
    const usual = await accountCurrency(tx)
    for (const write of unpriced) write.values = { ...write.values, currency: usual }
  },
  refusal: (error, { sku }) =>
    isUniqueViolation(error, 'products_sku')
      ? errors.conflict(`There is a product with the sku "${sku}" already`)
      : undefined,
})

const resource: SetResource<ProductInput, Product> = {
  name: 'products',
  idParam: 'product_id',
  tag: 'Products',
  record: operations.record,
  operations,
}

export const products: SetResource<ProductInput, Product> = {
  ...resource,
  endpoints: [...favoriteEndpoints(resource), ...subLists(deals, ['product'])],
}
