/** Adds a product to the line items. A product without a price in the deal's currency needs one. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { useRecordSearch } from '#components/fields/reference-editor.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Picker } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { showError } from '#components/toast.tsx'
import { methodsOf, type RecordOf } from '#data/groups.ts'
import { formatMoney } from '#lib/format.ts'
import { priceIn } from './line-row.tsx'
import type { LineInput } from './use-line-items.ts'

type Product = RecordOf<'products'>

interface AddProductProps {
  /** of the deal */
  currency: string
  onAdd: (line: LineInput) => void
}

export function AddProduct({ currency, onAdd }: AddProductProps) {
  const { text: _text, ...search } = useRecordSearch('product')
  const [isOpen, setOpen] = useState(false)
  const [unpriced, setUnpriced] = useState<Product>()
  const open = (next: boolean) => {
    setOpen(next)
    setUnpriced(undefined)
  }
  const add = (line: LineInput) => {
    open(false)
    onAdd(line)
  }
  const choose = async (id: string) => {
    const product = await methodsOf<Product>('products').get(id)
    if (product.unit_price !== null && product.currency === currency) add({ product_id: id })
    else setUnpriced(product)
  }
  const trigger = (
    <Button size="sm">
      <Plus size={14} />
      Add product
    </Button>
  )
  return (
    <Popover trigger={trigger} label="Add product" isOpen={isOpen} onOpenChange={open} className="">
      {unpriced ? (
        <PriceForm
          product={unpriced}
          currency={currency}
          onPrice={unit_price => add({ product_id: unpriced.id, unit_price })}
        />
      ) : (
        <Picker
          label="Product"
          {...search}
          value={null}
          onChange={item => item && void choose(item.value).catch(showError)}
        />
      )}
    </Popover>
  )
}

interface PriceFormProps {
  product: Product
  currency: string
  onPrice: (unit_price: number) => void
}

function PriceForm({ product: { name, unit_price, currency: own }, currency, onPrice }: PriceFormProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = async () => {
    const price = priceIn(text, currency)
    if (typeof price === 'string') setProblem(price)
    else onPrice(price)
  }
  const hint =
    unit_price === null
      ? 'The product has no price.'
      : `The product costs ${formatMoney(unit_price, own)}, and the deal is in ${currency}.`
  return (
    <Form className="flex w-64 flex-col gap-2 p-3" onSubmit={submit}>
      <p className="truncate font-medium">{name}</p>
      <Labelled label={`Unit price in ${currency}`} hint={hint} error={problem}>
        <FieldInput
          inputMode="decimal"
          autoFocus
          value={text}
          onChange={event => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </Labelled>
      <Button variant="primary" size="sm" type="submit">
        Add
      </Button>
    </Form>
  )
}
