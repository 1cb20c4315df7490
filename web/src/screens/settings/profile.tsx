/** The signed-in person: name, address, password, and where they are signed in. */
import { KithError } from '@kith/client'
import { useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, messageOf } from '#data/client.ts'
import { refreshMembers } from '#data/people.tsx'
import { refresh, useSignedIn } from '#data/session.ts'
import { Part } from './part.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'

export default function Profile() {
  return (
    <>
      <Part title="Profile" description="How your colleagues see you.">
        <ProfileForm />
      </Part>
      <Part title="Password" description="A new password ends your other sessions.">
        <PasswordForm />
      </Part>
      <Sessions />
    </>
  )
}

function ProfileForm() {
  const { user } = useSignedIn()
  const [name, setName] = useState(user.name)
  const [email, setEmail] = useState(user.email)
  const [password, setPassword] = useState('')
  const isNewEmail = email.trim().toLowerCase() !== user.email.toLowerCase()
  const isChanged = name.trim() !== user.name || isNewEmail
  const save = async () => {
    await kith.request('PUT', '/api/auth/me', {
      body: { name: name.trim(), ...(isNewEmail ? { email: email.trim(), current_password: password } : {}) },
    })
    setPassword('')
    await refresh()
    await refreshMembers()
    toast('Saved your profile')
  }
  return (
    <Form
      className="flex max-w-90 flex-col gap-3"
      onSubmit={save}
      footer={
        <div>
          <Button variant="primary" type="submit" disabled={!isChanged}>
            Save
          </Button>
        </div>
      }
    >
      <Labelled name="name" label="Name">
        <FieldInput
          value={name}
          required
          maxLength={255}
          autoComplete="name"
          onChange={event => setName(event.currentTarget.value)}
        />
      </Labelled>
      <Labelled name="email" label="Email">
        <FieldInput
          type="email"
          value={email}
          required
          autoComplete="email"
          onChange={event => setEmail(event.currentTarget.value)}
        />
      </Labelled>
      {!user.email_confirmed_at && !isNewEmail && (
        <div className="flex items-center gap-2">
          <Badge tone="warn">Not confirmed</Badge>
          <ConfirmationButton />
        </div>
      )}
      {isNewEmail && (
        <Labelled
          name="current_password"
          label="Current password"
          hint="A new address needs it, and must be confirmed."
        >
          <FieldInput
            type="password"
            value={password}
            required
            autoComplete="current-password"
            onChange={event => setPassword(event.currentTarget.value)}
          />
        </Labelled>
      )}
    </Form>
  )
}

/** A service without a mail server refuses: then the reason takes the place of what cannot be done. */
function ConfirmationButton() {
  const [reason, setReason] = useState('')
  const send = async () => {
    await kith.request('POST', '/api/auth/send-confirmation')
    toast('Sent a mail with a link that confirms your address')
  }
  const refuse = (error: unknown) => {
    if (error instanceof KithError && error.status === 409) setReason(messageOf(error))
    else showError(error)
  }
  if (reason) return <span className="text-xs text-ink-2">{reason}</span>
  return (
    <Button size="sm" onClick={() => void send().catch(refuse)}>
      Send the confirmation mail
    </Button>
  )
}
