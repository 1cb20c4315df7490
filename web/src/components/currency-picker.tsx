/** A currency from the list of all, found by its code, name or sign. */
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { classes } from '#lib/classes.ts'
import { CURRENCIES, signOf } from '#lib/money.ts'
import { inputClass } from './input.tsx'
import { Picker, type PickerItem } from './picker.tsx'
import { Popover } from './popover.tsx'

let items: PickerItem[] | undefined

/** "EUR – Euro (€)". Made when the first list opens: 300 signs. */
export function currencyItems(): PickerItem[] {
  const names = new Intl.DisplayNames(navigator.language, { type: 'currency' })
  items ??= CURRENCIES.map(currency => {
    const sign = signOf(currency, navigator.language) ?? currency
    const label = `${currency} – ${names.of(currency)}${sign === currency ? '' : ` (${sign})`}`
    return { value: currency, label }
  })
  return items
}

interface CurrencyPickerProps {
  value: string
  onChange: (currency: string) => void
  isDisabled?: boolean
}

export function CurrencyPicker({ value, onChange, isDisabled = false }: CurrencyPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const trigger = (
    <button
      type="button"
      aria-label={`Currency: ${value}`}
      disabled={isDisabled}
      className={classes(inputClass, 'flex h-8 items-center justify-between gap-2 text-left')}
    >
      {value}
      <ChevronDown size={14} className="shrink-0 text-ink-3" />
    </button>
  )
  return (
    <Popover trigger={trigger} label="Currency" isOpen={isOpen} onOpenChange={setOpen} className="">
      {isOpen && (
        <Picker
          label="Currency"
          items={currencyItems()}
          value={currencyItems().find(item => item.value === value) ?? null}
          onChange={item => {
            setOpen(false)
            if (item) onChange(item.value)
          }}
        />
      )}
    </Popover>
  )
}
