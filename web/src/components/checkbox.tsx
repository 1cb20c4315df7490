import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import { classes } from '#lib/classes.ts'

interface CheckboxProps {
  isChecked: boolean
  /** some of several are checked */
  isMixed?: boolean
  onChange: (isChecked: boolean, event: Event) => void
  label: string
  isDisabled?: boolean
  className?: string
}

export function Checkbox({ isChecked, isMixed, onChange, label, isDisabled, className }: CheckboxProps) {
  return (
    <Base.Root
      checked={isChecked}
      indeterminate={isMixed ?? false}
      disabled={isDisabled ?? false}
      onCheckedChange={(checked, { event }) => onChange(checked, event)}
      aria-label={label}
      className={classes(
        'flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface',
        'data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent',
        className,
      )}
    >
      <Base.Indicator className="text-accent-ink">
        {isMixed ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
      </Base.Indicator>
    </Base.Root>
  )
}
