import { isUniqueViolation } from '../../db/sqlstate.ts'
import { errors } from '../../kernel/errors.ts'
import type { SetResource } from '../../kernel/resource.ts'
import { accountCurrency } from '../accounts/currency.ts'
import { deals } from '../deals/index.ts'
import { favoriteEndpoints } from '../favorites/mark.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { subLists } from '../shared/sub-lists.ts'
import { type Product, type ProductInput, product } from './record.ts'

const operations = recordOperations(product, {
  author: 'created_by',
  async prepare(tx, writes) {
    const unpriced = writes.filter(({ isNew, input }) => isNew && input.currency === undefined)
    if (unpriced.length === 0) return
    const currency = await accountCurrency(tx)
    for (const write of unpriced) write.values = { ...write.values, currency }
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
