import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { CopyField } from '#components/copy-field.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Select } from '#components/select.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useSignedIn } from '#data/session.ts'
import { humanize } from '#lib/format.ts'
import { NoRows, Part, Row, Rows, RowsSkeleton, RowText } from './part.tsx'
import { ROLES, type Role, useRole } from './role.ts'

const invitationsKey = (account_id: string) => keys.other('invitations', 'open', { account_id })

export function Invitations() {
  const account_id = useSignedIn().account.id
  const { data } = useQuery({
    queryKey: invitationsKey(account_id),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/accounts/{account_id}/invitations', {
        path: { account_id },
        query: { page_size: 100 },
        signal,
      }),
  })
  const withdraw = async (invitation_id: string, email: string) => {
    await kith.request('DELETE', '/api/accounts/{account_id}/invitations/{invitation_id}', {
      path: { account_id, invitation_id },
    })
    await queryClient.invalidateQueries({ queryKey: invitationsKey(account_id) })
    toast(`Withdrew the invitation of ${email}`)
  }
  return (
    <Part
      title="Invitations"
      description="A link is valid for seven days. Inviting an address again renews it."
    >
      {!data && <RowsSkeleton count={1} />}
      {data?.items.length === 0 && <NoRows>No one is invited at the moment.</NoRows>}
      {data && data.items.length > 0 && (
        <Rows label="Invitations">
          {data.items.map(({ id, email, role, expires_at }) => (
            <Row key={id}>
              <RowText
                title={email}
                detail={
                  <>
                    Expires <TimeAgo time={expires_at} />
                  </>
                }
              />
              <Badge>{humanize(role)}</Badge>
              <Button
                size="sm"
                variant="ghost-danger"
                aria-label={`Withdraw the invitation of ${email}`}
                onClick={() => void withdraw(id, email).catch(showError)}
              >
                Withdraw
              </Button>
            </Row>
          ))}
        </Rows>
      )}
    </Part>
  )
}

interface Created {
  email: string
  link: string
  isMailed: boolean
}

/** Creates an invitation and shows its link, which the service returns only this once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const account_id = useSignedIn().account.id
  const [created, setCreated] = useState<Created>()
  const invite = async (email: string, role: Role) => {
    const { token, mailed } = await kith.request('POST', '/api/accounts/{account_id}/invitations', {
      path: { account_id },
      body: { email, role },
    })
    setCreated({ email, link: `${location.origin}/invitation#token=${token}`, isMailed: mailed })
    void queryClient.invalidateQueries({ queryKey: invitationsKey(account_id) })
  }
  if (!created) return <InviteForm onClose={onClose} onInvite={invite} />
  const { email, link, isMailed } = created
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Invited ${email}`}
      description={
        isMailed
          ? 'They have got a mail. You can also send this link yourself.'
          : 'Send them this link. It is shown only now.'
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CopyField label="Link" text={link} />
    </Dialog>
  )
}

interface InviteFormProps {
  onClose: () => void
  onInvite: (email: string, role: Role) => Promise<void>
}

function InviteForm({ onClose, onInvite }: InviteFormProps) {
  const { isOwner } = useRole()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const roles = ROLES.filter(({ value }) => isOwner || value !== 'owner')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite a colleague"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="invite">
            Invite
          </Button>
        </>
      }
    >
      <Form id="invite" className="flex flex-col gap-3" onSubmit={() => onInvite(email.trim(), role)}>
        <Labelled name="email" label="Email">
          <FieldInput
            type="email"
            required
            autoFocus
            value={email}
            onChange={event => setEmail(event.currentTarget.value)}
          />
        </Labelled>
        <div className="flex flex-col gap-1">
          <span className="text-xs font-medium text-ink-2">Role</span>
          <Select
            label="Role"
            value={role}
            options={roles.map(({ value, label, text }) => ({ value, label: `${label}: ${text}` }))}
            onChange={setRole}
          />
        </div>
      </Form>
    </Dialog>
  )
}
