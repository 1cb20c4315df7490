/** An amount in a form, with its currency beside it: "€ 500" sets both. */
import { useState } from 'react'
import { CurrencyPicker } from '#components/currency-picker.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import type { Field } from '#data/field-types.ts'
import { parseMoney } from '#lib/money.ts'
import { numberText } from '#lib/numbers.ts'

interface MoneyControlProps {
  field: Field
  initial?: unknown
  currency: string
  /** a text that is no amount stays one, and the service refuses it */
  onChange: (amount: unknown) => void
  onCurrency: (currency: string) => void
}

export function MoneyControl({ field, initial, currency, onChange, onCurrency }: MoneyControlProps) {
  const [text, setText] = useState(typeof initial === 'number' ? numberText(initial) : '')
  const [problem, setProblem] = useState<string>()
  const write = (next: string) => {
    setText(next)
    setProblem(undefined)
    if (!next.trim()) return onChange(null)
    const money = parseMoney(next, currency)
    if (typeof money === 'string') return onChange(next.trim())
    onChange(money.amount)
    if (money.currency) onCurrency(money.currency)
  }
  // the currency is shown beside the number, which alone remains: another one could be chosen later
  const settle = () => {
    const money = text.trim() ? parseMoney(text, currency) : undefined
    if (typeof money === 'string') setProblem(money)
    else if (money) setText(numberText(money.amount))
  }
  return (
    <Labelled name={field.key} label={field.label} error={problem}>
      <div className="flex gap-1.5">
        <FieldInput
          inputMode="decimal"
          required={field.isRequired ?? false}
          value={text}
          onChange={event => write(event.currentTarget.value)}
          onBlur={settle}
        />
        <div className="w-20 shrink-0">
          <CurrencyPicker value={currency} onChange={onCurrency} />
        </div>
      </div>
    </Labelled>
  )
}
