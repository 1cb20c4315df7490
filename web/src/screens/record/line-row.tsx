import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#components/button.tsx'
import { toast } from '#components/toast.tsx'
import { formatMoney } from '#lib/format.ts'
import { parseMoney } from '#lib/money.ts'
import { numberText, parseNumber } from '#lib/numbers.ts'
import type { LineInput, LineItem } from './use-line-items.ts'

const NUMBERS = ['quantity', 'unit_price', 'discount', 'tax'] as const

interface LineRowProps {
  item: LineItem
  isWriter: boolean
  onChange: (changes: LineInput) => void
  onRemove: () => void
}

export const LineRow = ({ item, isWriter, onChange, onRemove }: LineRowProps) => (
  <tr className="h-10 border-b border-line">
    <td className="max-w-0 truncate pr-2 font-medium">
      {item.product_id ? (
        <Link
          to="/$group/$id"
          params={{ group: 'products', id: item.product_id }}
          className="hover:underline"
        >
          {item.name}
        </Link>
      ) : (
        item.name
      )}
    </td>
    {NUMBERS.map(key => (
      <td key={key} className="px-1">
        <NumberCell
          label={`${key.replace('_', ' ')} of ${item.name}`}
          value={item[key]}
          read={key === 'unit_price' ? text => priceIn(text, item.currency) : readNumber}
          isDisabled={!isWriter}
          onCommit={value => onChange({ [key]: value })}
        />
      </td>
    ))}
    <td className="pr-3 pl-1 text-right tabular">{formatMoney(item.net_amount, item.currency)}</td>
    <td>
      {isWriter && (
        <IconButton label={`Remove ${item.name}`} onClick={onRemove}>
          <X size={14} />
        </IconButton>
      )}
    </td>
  </tr>
)

const readNumber = (text: string): number | string => parseNumber(text) ?? 'Write a number'

/** The price that was typed, or why it cannot be that of a line of a deal in this currency. */
export function priceIn(text: string, currency: string): number | string {
  const money = parseMoney(text, currency)
  if (typeof money === 'string') return money
  if (!money.currency || money.currency === currency) return money.amount
  return `The deal is in ${currency}: write the price in ${currency}`
}

interface NumberCellProps {
  label: string
  value: number
  /** the number, or why the text is none */
  read: (text: string) => number | string
  isDisabled: boolean
  onCommit: (value: number) => void
}

/** A number that is written when the person leaves it or presses Enter. */
function NumberCell({ label, value, read, isDisabled, onCommit }: NumberCellProps) {
  const [text, setText] = useState<string>()
  const next = text === undefined ? value : read(text)
  const commit = () => {
    if (typeof next === 'string') return toast(next)
    setText(undefined)
    if (next !== value) onCommit(next)
  }
  return (
    <input
      aria-label={label}
      aria-invalid={typeof next === 'string'}
      inputMode="decimal"
      disabled={isDisabled}
      value={text ?? numberText(value)}
      onChange={event => setText(event.target.value)}
      onFocus={event => event.target.select()}
      onBlur={commit}
      onKeyDown={event => {
        if (event.key === 'Enter') commit()
        if (event.key === 'Escape') setText(undefined)
      }}
      className="h-7 w-full rounded-md border border-transparent bg-transparent px-2 text-right tabular outline-none not-disabled:hover:border-line aria-invalid:text-bad focus:border-accent focus:ring-2 focus:ring-accent/25"
    />
  )
}
