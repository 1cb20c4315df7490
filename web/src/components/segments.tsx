import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'

interface SegmentsProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

/** A choice between two to four views, all visible. The arrow keys select. */
export function Segments<V extends string>({ label, value, options, onChange }: SegmentsProps<V>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={next => onChange(next as V)}
      className="flex h-7 shrink-0 items-center gap-0.5 rounded-md bg-active p-0.5"
    >
      {options.map(option => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className="flex h-6 items-center rounded-sm px-2 text-xs text-ink-2 select-none hover:text-ink data-checked:bg-raised data-checked:font-medium data-checked:text-ink"
        >
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
