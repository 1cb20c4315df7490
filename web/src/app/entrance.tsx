/** The frame and form of the pages for people who are not signed in. */
import { type ReactNode, useEffect } from 'react'
import { Button } from '#components/button.tsx'
import { Form } from '#components/form.tsx'

interface EntranceProps {
  title: string
  description?: ReactNode
  children: ReactNode
}

export function Entrance({ title, description, children }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · Kith`
  }, [title])
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-90">
        <div className="mb-6 flex items-center gap-2">
          <img src="/favicon.svg" alt="" className="size-6" />
          <span className="text-base font-semibold">Kith</span>
        </div>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {description && <p className="mt-1 text-ink-2">{description}</p>}
        <div className="mt-5">{children}</div>
      </div>
    </main>
  )
}

interface EntranceFormProps {
  action: string
  onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>
  children: ReactNode
}

/** Submits its named inputs. */
export const EntranceForm = ({ action, onSubmit, children }: EntranceFormProps) => (
  <Form
    className="flex flex-col gap-4"
    onSubmit={form =>
      onSubmit(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])))
    }
    footer={
      <Button type="submit" variant="primary">
        {action}
      </Button>
    }
  >
    {children}
  </Form>
)

/**
 * The secret of a link, in the fragment, which browsers do not send to the server: `#token=…` at the first run, only the
 * token in mails, whose links also work without this client.
 */
export function linkToken(): string {
  const hash = location.hash.slice(1)
  return new URLSearchParams(hash).get('token') ?? hash
}
