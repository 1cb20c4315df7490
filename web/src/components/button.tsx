import { Button as Base } from '@base-ui/react/button'
import type { ComponentProps } from 'react'
import { classes } from '#lib/classes.ts'

const VARIANTS = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover font-medium',
  secondary: 'bg-raised text-ink border border-line-strong hover:bg-hover font-medium',
  ghost: 'text-ink-2 hover:bg-hover hover:text-ink',
  'ghost-danger': 'text-bad hover:bg-bad-soft',
  danger: 'bg-bad text-accent-ink hover:bg-bad-hover font-medium',
}
const SIZES = {
  sm: 'h-7 px-2 text-xs gap-1.5 rounded-md',
  md: 'h-8 px-3 gap-2 rounded-md',
  icon: 'size-7 justify-center rounded-md',
}

export interface ButtonProps extends Omit<ComponentProps<typeof Base>, 'className'> {
  variant?: keyof typeof VARIANTS
  size?: keyof typeof SIZES
  className?: string | undefined
}

export function Button({ variant = 'secondary', size = 'md', className, ...props }: ButtonProps) {
  return <Base className={buttonClass(variant, size, className)} {...props} />
}

/** For links that look like buttons. */
export const buttonClass = (
  variant: keyof typeof VARIANTS = 'secondary',
  size: keyof typeof SIZES = 'md',
  className?: string,
): string =>
  classes(
    'inline-flex shrink-0 items-center justify-center whitespace-nowrap transition-colors duration-75 select-none',
    'disabled:opacity-50 aria-disabled:opacity-50 data-[popup-open]:bg-active',
    VARIANTS[variant],
    SIZES[size],
    className,
  )

/** A button with only an icon; the label is for screen readers and the tooltip of the browser. */
export function IconButton({ label, ...props }: ButtonProps & { label: string }) {
  return <Button variant="ghost" size="icon" aria-label={label} title={label} {...props} />
}
