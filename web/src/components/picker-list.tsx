import { Combobox } from '@base-ui/react/combobox'
import { Check } from 'lucide-react'
import type { CommonProps, MultiPickerProps, PickerItem, PickerProps } from './picker.tsx'

/** A search field above a list, for popovers: pick one. */
export function OneList({ value, onChange, ...common }: PickerProps) {
  return (
    <Combobox.Root
      inline
      autoHighlight
      items={common.items}
      value={value}
      onValueChange={item => onChange(item)}
      isItemEqualToValue={isSame}
      {...(common.onSearch ? { filter: null, onInputValueChange: common.onSearch } : {})}
    >
      <PickerBody {...common} />
    </Combobox.Root>
  )
}

/** The same for several. */
export function SeveralList({ value, onChange, ...common }: MultiPickerProps) {
  return (
    <Combobox.Root
      inline
      autoHighlight
      multiple
      items={common.items}
      value={value}
      onValueChange={onChange}
      isItemEqualToValue={isSame}
      {...(common.onSearch ? { filter: null, onInputValueChange: common.onSearch } : {})}
    >
      <PickerBody {...common} />
    </Combobox.Root>
  )
}

const isSame = (item: PickerItem, value: PickerItem) => item.value === value.value

function PickerBody({ label, placeholder = 'Search…', isLoading }: CommonProps) {
  return (
    <div className="flex w-64 flex-col">
      <Combobox.Input
        aria-label={label}
        placeholder={placeholder}
        autoFocus
        className="h-9 border-b border-line bg-transparent px-3 outline-none"
      />
      <Combobox.Empty className="px-3 text-ink-3 not-empty:py-3">
        {isLoading ? 'Searching…' : 'Nothing matches'}
      </Combobox.Empty>
      <Combobox.List className="max-h-72 overflow-y-auto scroll-thin not-empty:p-1">
        {(item: PickerItem) => (
          <Combobox.Item key={item.value} value={item} className="menu-item">
            {item.icon}
            <span className="min-w-0 flex-1 truncate">
              {item.label}
              {item.detail && <span className="ml-2 text-ink-3">{item.detail}</span>}
            </span>
            <Combobox.ItemIndicator>
              <Check size={14} className="text-accent-text" />
            </Combobox.ItemIndicator>
          </Combobox.Item>
        )}
      </Combobox.List>
    </div>
  )
}
