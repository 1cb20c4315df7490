import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '#components/button.tsx'
import { kith } from '#data/client.ts'
import { Entrance, EntranceForm, linkToken } from './entrance.tsx'

/** The link of the mail: `/confirm-email#token`. A button, because some mail programs open links by themselves. */
export default function ConfirmEmail() {
  const [token] = useState(linkToken)
  const [email, setEmail] = useState('')
  const submit = async () => {
    const user = await kith.request('POST', '/api/auth/confirm-email', { body: { token } })
    setEmail(user.email)
  }
  if (email) {
    return (
      <Entrance title="Your address is confirmed" description={`${email} is yours.`}>
        <Link to="/" className={buttonClass('primary')}>
          Go to Kith
        </Link>
      </Entrance>
    )
  }
  return (
    <Entrance title="Confirm your email address" description="Then Kith can send you mails.">
      <EntranceForm action="Confirm" onSubmit={submit}>
        {null}
      </EntranceForm>
    </Entrance>
  )
}
