import { type ComponentProps, useEffect, useRef } from 'react'
import { classes } from '#lib/classes.ts'

interface CheckboxProps extends Pick<ComponentProps<'input'>, 'tabIndex'> {
  isChecked: boolean
  /** some of several are checked */
  isMixed?: boolean
  onChange: (isChecked: boolean) => void
  label: string
  isDisabled?: boolean
  className?: string
  'data-cell'?: string
}

/** The browser's own, in the accent colour. */
export function Checkbox({
  isChecked,
  isMixed = false,
  onChange,
  label,
  isDisabled,
  className,
  ...rest
}: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed
  }, [isMixed])
  return (
    <input
      {...rest}
      ref={input}
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      disabled={isDisabled}
      onChange={event => onChange(event.target.checked)}
      className={classes('size-3.5 shrink-0', className)}
    />
  )
}
