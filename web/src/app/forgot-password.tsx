import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { kith } from '#data/client.ts'
import { Entrance, EntranceForm } from './entrance.tsx'

export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState('')
  const submit = async ({ email = '' }: Readonly<Record<string, string>>) => {
    await kith.request('POST', '/api/auth/forgot-password', { body: { email } })
    setSentTo(email)
  }
  const back = (
    <Link to="/sign-in" className="mt-4 inline-block text-accent-text hover:underline">
      Back to the sign-in
    </Link>
  )
  if (sentTo) {
    return (
      <Entrance
        title="Look into your mail"
        description={`If ${sentTo} has a user here, a link is on its way.`}
      >
        {back}
      </Entrance>
    )
  }
  return (
    <Entrance title="Reset your password" description="You get a mail with a link.">
      <EntranceForm action="Send the link" onSubmit={submit}>
        <Labelled name="email" label="Email">
          <FieldInput name="email" type="email" autoComplete="username" required autoFocus />
        </Labelled>
      </EntranceForm>
      {back}
    </Entrance>
  )
}
