import { KithError } from '@kith/client'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { kith, messageOf } from '#data/client.ts'
import { signIn } from '#data/session.ts'
import { Entrance, EntranceForm, linkToken } from './entrance.tsx'

/** The link of an invitation's mail: `/invitation#token=…`. */
export default function Invitation() {
  const [token] = useState(linkToken)
  const router = useRouter()
  const { data: invitation, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => kith.request('POST', '/api/auth/read-invitation', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const submit = async ({ name = '', password = '' }: Readonly<Record<string, string>>) => {
    const { user } = await kith.request('POST', '/api/auth/accept-invitation', {
      body: { token, password, ...(name ? { name } : {}), start_session: false },
    })
    await signIn(user.email, password)
    await router.navigate({ to: '/' })
  }
  if (error) {
    return (
      <Entrance
        title="This invitation is not valid"
        description={
          isRefused(error)
            ? 'It was accepted or withdrawn, or it is older than seven days. Ask the person who sent it for a new one.'
            : messageOf(error)
        }
      >
        {null}
      </Entrance>
    )
  }
  return (
    <Entrance
      title={invitation ? `Join ${invitation.account_name}` : 'Join your team'}
      description={
        invitation ? (
          <>
            <b className="font-medium text-ink">{invitation.email}</b> is invited as {invitation.role}. Choose
            a password. If you have one for this service already, enter that.
          </>
        ) : (
          <Skeleton className="h-10 w-full" />
        )
      }
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

/** The service does not say why: the token could be a guess. */
const isRefused = (error: Error): boolean =>
  error instanceof KithError && (error.status === 404 || error.status === 422)
