/** A control with its label. Apart from input.tsx, so that lists, which have no forms, need not load it first: 6 kB. */
import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from '#lib/classes.ts'
import { useProblem } from './form.tsx'
import { inputClass, Textarea } from './input.tsx'

interface LabelledProps {
  label: string
  /** for screen readers only, where a placeholder says the same */
  isLabelHidden?: boolean
  /** the key in the request of the `Form` around it, whose problem is shown here */
  name?: string
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}

/** A label above its control, with a hint or an error below. Use `FieldInput` inside. */
export function Labelled({ label, isLabelHidden, name, hint, error: ownError, children }: LabelledProps) {
  const refusal = useProblem(name)
  const error = ownError ?? refusal
  return (
    <Field.Root className="flex flex-col gap-1" invalid={error !== undefined} data-field={name}>
      <Field.Label className={isLabelHidden ? 'sr-only' : 'text-xs font-medium text-ink-2'}>
        {label}
      </Field.Label>
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

/** The same for a text of several lines. */
export const FieldTextarea = ({
  className,
  ...props
}: Omit<ComponentProps<typeof Field.Control>, 'className' | 'render'> & { className?: string }) => (
  <Field.Control render={<Textarea className={className} />} {...props} />
)
