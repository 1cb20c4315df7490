import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { kith } from '#data/client.ts'
import { signIn } from '#data/session.ts'
import { Entrance, EntranceForm, linkToken } from './entrance.tsx'

/** The link of an invitation's mail: `/invitation#token=…`. */
export default function Invitation() {
  const [token] = useState(linkToken)
  const router = useRouter()
  const submit = async ({ name = '', password = '' }: Readonly<Record<string, string>>) => {
    const { user } = await kith.request('POST', '/api/auth/accept-invitation', {
      body: { token, password, ...(name ? { name } : {}) },
    })
    await signIn(user.email, password)
    await router.navigate({ to: '/' })
  }
  return (
    <Entrance
      title="Join your team"
      description="Choose a password. If you have one for this service already, enter that."
    >
      <EntranceForm action="Accept the invitation" onSubmit={submit}>
        <Labelled name="name" label="Your name">
          <FieldInput name="name" autoComplete="name" maxLength={255} autoFocus />
        </Labelled>
        <Labelled name="password" label="Password" hint="8 characters or more">
          <FieldInput name="password" type="password" autoComplete="new-password" required minLength={8} />
        </Labelled>
      </EntranceForm>
    </Entrance>
  )
}
