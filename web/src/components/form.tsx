/** A form whose refused values are explained at their fields. */
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useState,
} from 'react'
import { messageOf, problemsOf } from '#data/client.ts'
import { textOf } from '#lib/problems.ts'

type Problems = Readonly<Record<string, string>>

const FormProblems = createContext<Problems>({})

/** What the service said about the field with this key when the form was sent last. */
export const useProblem = (name: string | undefined): string | undefined =>
  useContext(FormProblems)[name ?? '']

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** what it throws is shown, and the form stays as it is */
  onSubmit: (form: HTMLFormElement) => Promise<unknown>
  /** the buttons, below the problems */
  footer?: ReactNode
}

/** Fields are `Labelled` with the `name` of the key in the request; problems of no field are shown at the end. */
export function Form({ onSubmit, footer, children, ...props }: FormProps) {
  const [problems, setProblems] = useState<Problems>({})
  const [other, setOther] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    setBusy(true)
    setProblems({})
    setOther('')
    try {
      await onSubmit(form)
    } catch (error) {
      show(form, error)
    } finally {
      setBusy(false)
    }
  }
  const show = (form: HTMLFormElement, error: unknown) => {
    const fields = [...form.querySelectorAll<HTMLElement>('[data-field]')]
    const all = problemsOf(error)
    const fieldOf = (name: string) => fields.find(({ dataset }) => dataset.field === name)
    const placed = all.filter(({ field }) => fieldOf(field))
    setProblems(Object.fromEntries(placed.toReversed().map(({ field, sentence }) => [field, sentence])))
    setOther(all.length === 0 ? messageOf(error) : textOf(all.filter(one => !placed.includes(one))))
    fieldOf(placed[0]?.field ?? '')
      ?.querySelector<HTMLElement>('input, textarea, button')
      ?.focus()
  }
  /** A field that is edited again is no longer the one that was refused. */
  const forget = ({ target }: FormEvent<HTMLFormElement>) => {
    const name = target instanceof Element && target.closest<HTMLElement>('[data-field]')?.dataset.field
    if (name && name in problems) setProblems(({ [name]: _refused, ...rest }) => rest)
  }
  return (
    <FormProblems value={problems}>
      <form {...props} onSubmit={submit} onInput={forget} aria-busy={isBusy}>
        {children}
        {other && (
          <p role="alert" className="col-span-full rounded-md bg-bad-soft px-3 py-2 text-bad">
            {other}
          </p>
        )}
        {footer}
      </form>
    </FormProblems>
  )
}
