import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { useSignedIn } from '#data/session.ts'
import { sessionsKey } from './sessions.tsx'

export function PasswordForm() {
  const { user } = useSignedIn()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const save = async () => {
    await kith.request('PUT', '/api/auth/me', { body: { password: next, current_password: current } })
    setCurrent('')
    setNext('')
    void queryClient.invalidateQueries({ queryKey: sessionsKey })
    toast('Changed your password and ended your other sessions')
  }
  return (
    <Form
      className="flex max-w-90 flex-col gap-3"
      onSubmit={save}
      footer={
        <div>
          <Button type="submit" disabled={!current || !next}>
            Change the password
          </Button>
        </div>
      }
    >
      {/* password managers store the password for this name */}
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      <Labelled name="current_password" label="Current password">
        <FieldInput
          type="password"
          value={current}
          required
          autoComplete="current-password"
          onChange={event => setCurrent(event.currentTarget.value)}
        />
      </Labelled>
      <Labelled name="password" label="New password" hint="8 characters or more">
        <FieldInput
          type="password"
          value={next}
          required
          minLength={8}
          autoComplete="new-password"
          onChange={event => setNext(event.currentTarget.value)}
        />
      </Labelled>
    </Form>
  )
}
