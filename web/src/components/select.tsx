import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '#lib/classes.ts'
import { inputClass } from './input.tsx'

export interface SelectOption<V extends string> {
  value: V
  label: string
  icon?: ReactNode
}

interface SelectProps<V extends string> {
  value: V | null
  options: readonly SelectOption<V>[]
  onChange: (value: V) => void
  label: string
  placeholder?: string
  className?: string
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** A choice of one of a few values. For records, members and long lists use `Picker`. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, options, onChange, label, placeholder = 'Choose…', className, isOpen, onOpenChange } = props
  const text = options.find(option => option.value === value)?.label ?? placeholder
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={next => next !== null && onChange(next as V)}
      {...(isOpen === undefined ? {} : { open: isOpen })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <Base.Trigger
        aria-label={`${label}: ${text}`}
        className={classes(inputClass, 'flex h-8 items-center justify-between gap-2 text-left', className)}
      >
        <Base.Value className="truncate">{() => text}</Base.Value>
        <Base.Icon>
          <ChevronDown size={14} className="text-ink-3" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="popup max-h-[min(var(--available-height),320px)] min-w-[var(--anchor-width)] overflow-y-auto p-1 scroll-thin">
            {options.map(option => (
              <Base.Item key={option.value} value={option.value} className="menu-item">
                {option.icon}
                <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                <Base.ItemIndicator>
                  <Check size={14} className="text-accent-text" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
