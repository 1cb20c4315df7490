import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { toast } from '#components/toast.tsx'
import { kith, messageOf, queryClient } from '#data/client.ts'
import { useSignedIn } from '#data/session.ts'
import { sessionsKey } from './sessions.tsx'

/** The service checks the current password; its refusal is shown at the field. */
export function PasswordForm() {
  const { user } = useSignedIn()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    setProblem(undefined)
    try {
      await kith.request('PUT', '/api/auth/me', { body: { password: next, current_password: current } })
    } catch (error) {
      return setProblem(messageOf(error))
    }
    setCurrent('')
    setNext('')
    void queryClient.invalidateQueries({ queryKey: sessionsKey })
    toast('Changed your password and ended your other sessions')
  }
  return (
    <form
      className="flex max-w-90 flex-col gap-3"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      {/* password managers store the password for this name */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <Labelled label="Current password" error={problem}>
        <FieldInput
          type="password"
          value={current}
          required
          autoComplete="current-password"
          onChange={event => setCurrent(event.currentTarget.value)}
        />
      </Labelled>
      <Labelled label="New password" hint="8 characters or more">
        <FieldInput
          type="password"
          value={next}
          required
          minLength={8}
          autoComplete="new-password"
          onChange={event => setNext(event.currentTarget.value)}
        />
      </Labelled>
      <div>
        <Button type="submit" disabled={!current || !next}>
          Change the password
        </Button>
      </div>
    </form>
  )
}
