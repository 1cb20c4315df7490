import { isUniqueViolation } from '../../db/sqlstate.ts'
import type { Ctx } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import type { Resource, Stamps } from '../../kernel/resource.ts'
import { accountCurrency } from '../accounts/currency.ts'
import { deals } from '../deals/index.ts'
import { favoriteEndpoints } from '../favorites/mark.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { subLists } from '../shared/sub-lists.ts'
import { type Product, type ProductInput, product } from './record.ts'

const base = crud(product)

const skuTaken = (sku: string | null | undefined) => (error: unknown) => {
  if (!isUniqueViolation(error, 'products_sku')) throw error
  throw errors.conflict(`There is a product with the sku "${sku}" already`)
}

async function create(ctx: Ctx, input: ProductInput, writing: { set?: Stamps } = {}): Promise<Product> {
  const priced = { ...input, currency: input.currency ?? (await accountCurrency(ctx)) }
  return base
    .create(ctx, priced, { set: { ...writing.set, created_by: ctx.user } })
    .catch(skuTaken(input.sku))
}

const update = (ctx: Ctx, id: string, input: Partial<ProductInput>): Promise<Product> =>
  base.update(ctx, id, input).catch(skuTaken(input.sku))

const resource: Resource<ProductInput, Product> = {
  name: 'products',
  idParam: 'product_id',
  tag: 'Products',
  record: base.record,
  operations: recordOperations(product, {
    ...base,
    create,
    update,
    updateMany: base.updatingMany(['sku']),
  }),
}

export const products: Resource<ProductInput, Product> = {
  ...resource,
  endpoints: [...favoriteEndpoints(resource), ...subLists(deals, ['product'])],
}
