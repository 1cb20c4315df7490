import { Package } from 'lucide-react'
import { EmptyState } from '#components/empty-state.tsx'
import type { RecordOf } from '#data/groups.ts'
import { useIsWriter } from '#data/session.ts'
import { formatMoney } from '#lib/format.ts'
import { AddProduct } from './add-product.tsx'
import { LineRow } from './line-row.tsx'
import { Rows } from './rows.tsx'
import { inputOf, type LineInput, useLineItems } from './use-line-items.ts'

const HEADS = ['Quantity', 'Unit price', 'Discount %', 'Tax %', 'Net']

export function LineItems({ deal }: { deal: RecordOf<'deals'> }) {
  const { items, isPending, write } = useLineItems(deal.id)
  const isWriter = useIsWriter()
  const change = (id: string, changes: LineInput) =>
    write.mutate({
      lines: items.map(item => ({ ...inputOf(item), ...(item.id === id ? changes : {}) })),
      message: 'Changed line item',
    })
  const remove = (id: string) =>
    write.mutate({
      lines: items.filter(item => item.id !== id).map(inputOf),
      message: 'Removed line item',
    })
  const add = (line: LineInput) =>
    write.mutate({ lines: [...items.map(inputOf), { ...line, quantity: 1 }], message: 'Added line item' })
  const addProduct = isWriter && <AddProduct currency={deal.currency} onAdd={add} />
  const net = items.reduce((sum, item) => sum + item.net_amount, 0)
  const tax = items.reduce((sum, item) => sum + item.tax_amount, 0)
  const isByHand = deal.amount_source === 'manual'
  if (isPending) return <Rows />
  if (items.length === 0) {
    return (
      <EmptyState icon={Package} title="No line items" action={addProduct}>
        {isWriter &&
          (isByHand
            ? 'The amount was set by hand. Clear it, and it follows from the products that you add.'
            : 'Add products, and the amount of the deal follows from them.')}
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="overflow-x-auto">
        <table className="w-full min-w-140 border-collapse">
          <thead>
            <tr className="h-8 border-b border-line text-left text-xs text-ink-3">
              <th className="font-medium">Product</th>
              {HEADS.map(head => (
                <th key={head} className="w-22 pr-3 pl-1 text-right font-medium">
                  {head}
                </th>
              ))}
              <td className="w-8" />
            </tr>
          </thead>
          <tbody>
            {items.map(item => (
              <LineRow
                key={item.id}
                item={item}
                isWriter={isWriter}
                onChange={changes => change(item.id, changes)}
                onRemove={() => remove(item.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex items-start">
        {addProduct}
        <dl className="ml-auto grid grid-cols-[auto_auto] gap-x-6 gap-y-0.5 pr-11 text-right tabular">
          <dt className="text-ink-3">Net</dt>
          <dd className="font-medium">{formatMoney(net, deal.currency)}</dd>
          <dt className="text-ink-3">Tax</dt>
          <dd>{formatMoney(tax, deal.currency)}</dd>
          <dt className="text-ink-3">Total</dt>
          <dd className="font-semibold">{formatMoney(net + tax, deal.currency)}</dd>
        </dl>
      </div>
      {isByHand && (
        <p className="text-ink-3">
          The amount of the deal was set by hand.{isWriter && ' Clear it, and it follows from these items.'}
        </p>
      )}
    </div>
  )
}
