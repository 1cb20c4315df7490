import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { toast } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { Entrance, EntranceForm, linkToken } from './entrance.tsx'

/** The link of the mail: `/reset-password#token=…`. */
export default function ResetPassword() {
  const [token] = useState(linkToken)
  const router = useRouter()
  const submit = async ({ password = '' }: Readonly<Record<string, string>>) => {
    await kith.request('POST', '/api/auth/reset-password', { body: { token, password } })
    toast('Your password has been changed. Sign in with it.')
    await router.navigate({ to: '/sign-in' })
  }
  return (
    <Entrance title="Choose a new password">
      <EntranceForm action="Change the password" onSubmit={submit}>
        <Labelled name="password" label="New password" hint="8 characters or more">
          <FieldInput
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            autoFocus
          />
        </Labelled>
      </EntranceForm>
    </Entrance>
  )
}
