import { useQuery } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { kith } from '#data/client.ts'
import { signIn } from '#data/session.ts'
import { Entrance, EntranceForm } from './entrance.tsx'
import { useSetupNeeded } from './setup-state.ts'

/** Only addresses of this client: a link must not lead to another site after signing in. */
const safePath = (next: string | undefined): string =>
  next?.startsWith('/') && !next.startsWith('//') ? next : '/'

export default function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const isSetupNeeded = useSetupNeeded()
  const { data: settings } = useQuery({
    queryKey: ['sign-in-settings'],
    queryFn: () => kith.request('GET', '/api/auth/settings'),
  })
  const submit = async ({ email = '', password = '' }: Readonly<Record<string, string>>) => {
    await signIn(email, password)
    await router.navigate({ href: safePath(next) })
  }
  return (
    <Entrance title="Sign in">
      {isSetupNeeded && (
        <p className="mb-4 rounded-md bg-accent-soft px-3 py-2 text-accent-text">
          This service has no account yet. Open the link that it printed when it started to create the owner.
        </p>
      )}
      <EntranceForm action="Sign in" onSubmit={submit}>
        <Labelled name="email" label="Email">
          <FieldInput name="email" type="email" autoComplete="username" required autoFocus />
        </Labelled>
        <Labelled name="password" label="Password">
          <FieldInput name="password" type="password" autoComplete="current-password" required />
        </Labelled>
      </EntranceForm>
      {settings?.password_reset && (
        <Link to="/forgot-password" className="mt-4 inline-block text-accent-text hover:underline">
          Forgot your password?
        </Link>
      )}
    </Entrance>
  )
}
