import type { ComponentProps } from 'react'
import { classes } from '#lib/classes.ts'

export const inputClass =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 py-1 text-ink outline-none transition-colors ' +
  'focus:border-accent focus:ring-2 focus:ring-accent/25 disabled:bg-sunken disabled:text-ink-3'

export const Input = ({ className, ...props }: ComponentProps<'input'>) => (
  <input className={classes(inputClass, 'h-8', className)} {...props} />
)

export const Textarea = ({ className, ...props }: ComponentProps<'textarea'>) => (
  <textarea className={classes(inputClass, 'min-h-20 resize-y leading-5', className)} {...props} />
)
