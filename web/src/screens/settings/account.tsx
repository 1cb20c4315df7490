/** The account itself, and the other accounts of the person. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { CurrencyPicker } from '#components/currency-picker.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { refresh, switchAccount, useSignedIn } from '#data/session.ts'
import { humanize } from '#lib/format.ts'
import { DemoData } from './demo-data.tsx'
import { Part, Row, Rows, RowText } from './part.tsx'
import { useRole } from './role.ts'

export default function AccountSettings() {
  return (
    <>
      <Part title="Account" description="The name in the sidebar, and what new deals and public pages use.">
        <AccountForm />
      </Part>
      <Accounts />
      <DemoData />
    </>
  )
}

function AccountForm() {
  const { account } = useSignedIn()
  const { isAdmin } = useRole()
  const [values, setValues] = useState({ name: account.name, currency: account.currency, slug: account.slug })
  const set = (changes: Partial<typeof values>) => setValues({ ...values, ...changes })
  const isChanged =
    values.name !== account.name || values.currency !== account.currency || values.slug !== account.slug
  const save = async () => {
    await kith.request('PUT', '/api/accounts/{account_id}', {
      path: { account_id: account.id },
      body: values,
    })
    await refresh()
    toast('Saved the account')
  }
  return (
    <Form
      className="flex max-w-90 flex-col gap-3"
      onSubmit={save}
      footer={
        <div>
          <Button variant="primary" type="submit" disabled={!isChanged || !isAdmin}>
            Save
          </Button>
        </div>
      }
    >
      <Labelled name="name" label="Name">
        <FieldInput
          value={values.name}
          required
          maxLength={255}
          disabled={!isAdmin}
          onChange={event => set({ name: event.currentTarget.value })}
        />
      </Labelled>
      <Labelled name="currency" label="Currency" hint="Of new deals and products.">
        <div className="w-24">
          <CurrencyPicker
            value={values.currency}
            isDisabled={!isAdmin}
            onChange={currency => set({ currency })}
          />
        </div>
      </Labelled>
      <Labelled name="slug" label="Address of public pages" hint={`${location.origin}/kb/${values.slug}`}>
        <FieldInput
          value={values.slug}
          required
          maxLength={63}
          disabled={!isAdmin}
          onChange={event => set({ slug: event.currentTarget.value })}
        />
      </Labelled>
    </Form>
  )
}

function Accounts() {
  const { account, accounts } = useSignedIn()
  const navigate = useNavigate()
  const enter = async (id: string, name: string) => {
    await switchAccount(id)
    queryClient.clear()
    await navigate({ to: '/' })
    toast(`You are now in ${name}`)
  }
  return (
    <Part title="Your accounts" description="Records, members and keys of an account are its own.">
      <Rows label="Accounts">
        {accounts.map(({ id, name, role }) => (
          <Row key={id}>
            <Avatar name={name} isSquare size="md" />
            <RowText title={name} detail={`You are ${humanize(role).toLowerCase()}`} />
            {id === account.id ? (
              <Badge tone="good">Open</Badge>
            ) : (
              <Button size="sm" onClick={() => void enter(id, name).catch(showError)}>
                Switch to it
              </Button>
            )}
          </Row>
        ))}
      </Rows>
    </Part>
  )
}
