/** The first run: create the owner, choose demo data, see the first API key. */
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { CopyField } from '#components/copy-field.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { callSession, enterWith } from '#data/session.ts'
import { Entrance, EntranceForm, linkToken } from './entrance.tsx'

type Answer = Parameters<typeof enterWith>[0] & { api_key: string }

export default function Setup() {
  const [apiKey, setApiKey] = useState('')
  const [token] = useState(linkToken)
  const submit = async ({ demo, ...values }: Readonly<Record<string, string>>) => {
    const body = { ...values, token, demo: demo === 'yes' }
    const { api_key, ...session } = await callSession<Answer>('POST', '/api/setup', body)
    enterWith(session)
    setApiKey(api_key)
  }
  if (apiKey) return <FirstKey apiKey={apiKey} />
  if (!token) {
    return (
      <Entrance
        title="Set up Kith"
        description="Open the link that the service printed when it started. It has a secret after the # that this page needs."
      >
        {null}
      </Entrance>
    )
  }
  return (
    <Entrance title="Welcome to Kith" description="Create the owner of this installation.">
      <EntranceForm action="Create the account" onSubmit={submit}>
        <Labelled name="name" label="Your name">
          <FieldInput name="name" autoComplete="name" required maxLength={255} autoFocus />
        </Labelled>
        <Labelled name="email" label="Email">
          <FieldInput name="email" type="email" autoComplete="username" required />
        </Labelled>
        <Labelled name="password" label="Password" hint="8 characters or more">
          <FieldInput name="password" type="password" autoComplete="new-password" required minLength={8} />
        </Labelled>
        <Labelled name="account_name" label="Name of the account" hint="Usually your company">
          <FieldInput name="account_name" autoComplete="organization" required maxLength={255} />
        </Labelled>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-xs font-medium text-ink-2">Start with</legend>
          <DemoChoice
            value="yes"
            title="Demo data"
            text="An invented company’s records, to look around. One click removes it."
          />
          <DemoChoice value="no" title="An empty account" text="To import or enter your own records." />
        </fieldset>
      </EntranceForm>
    </Entrance>
  )
}

const DemoChoice = ({ value, title, text }: { value: 'yes' | 'no'; title: string; text: string }) => (
  <label className="flex items-start gap-3 rounded-md border border-line-strong p-3 has-checked:border-accent has-checked:bg-accent-soft">
    <input type="radio" name="demo" value={value} defaultChecked={value === 'yes'} className="mt-1" />
    <span>
      <span className="block font-medium">{title}</span>
      <span className="text-ink-2">{text}</span>
    </span>
  </label>
)

function FirstKey({ apiKey }: { apiKey: string }) {
  const router = useRouter()
  return (
    <Entrance
      title="Your first API key"
      description="It is shown this once. Programs use it; you sign in with your email."
    >
      <div className="flex flex-col gap-4">
        <CopyField label="API key" text={apiKey} />
        <CopyField label="Try it" text={`curl -H 'X-API-Key: ${apiKey}' ${location.origin}/api/companies`} />
        <Button variant="primary" onClick={() => router.navigate({ to: '/' })}>
          Start working
        </Button>
      </div>
    </Entrance>
  )
}
