import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
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

interface LabelledProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}

/** A label above its control, with a hint or an error below. Use `FieldInput` inside. */
export function Labelled({ label, hint, error, children }: LabelledProps) {
  return (
    <Field.Root className="flex flex-col gap-1" invalid={error !== undefined}>
      <Field.Label className="text-xs font-medium text-ink-2">{label}</Field.Label>
      {children}
      {hint && !error && <Field.Description className="text-xs text-ink-3">{hint}</Field.Description>}
      {error && (
        <Field.Error match className="text-xs text-bad">
          {error}
        </Field.Error>
      )}
    </Field.Root>
  )
}

/** An input that the label of `Labelled` belongs to. */
export const FieldInput = ({
  className,
  ...props
}: Omit<ComponentProps<typeof Field.Control>, 'className'> & { className?: string }) => (
  <Field.Control className={classes(inputClass, 'h-8', className)} {...props} />
)
