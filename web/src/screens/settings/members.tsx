/** Who can work in the account and in which role, and who is invited. */
import type { Schemas } from '@kith/client'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { Select } from '#components/select.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { refreshMembers, useMembers } from '#data/people.tsx'
import { useSignedIn } from '#data/session.ts'
import { offerUndo } from '#data/undo.ts'
import { humanize } from '#lib/format.ts'
import { Invitations, InviteDialog } from './invitations.tsx'
import { Part, Row, Rows, RowsSkeleton, RowText } from './part.tsx'
import { RemoveMember } from './remove-member.tsx'
import { ROLES, type Role, useRole } from './role.ts'

type Member = Schemas['Member']

const setRole = async ({ account_id, user_id }: Member, role: Role) => {
  await kith.request('PUT', '/api/accounts/{account_id}/members/{user_id}', {
    path: { account_id, user_id },
    body: { role },
  })
  await refreshMembers()
}

export default function Members() {
  const { members } = useMembers()
  const { isAdmin } = useRole()
  const [isInviting, setInviting] = useState(false)
  const [leaving, setLeaving] = useState<Member>()
  return (
    <>
      <Part
        title="Members"
        description={`${ROLES.map(({ label, text }) => `${label}: ${text}`).join('. ')}.`}
        action={
          isAdmin && (
            <Button variant="primary" onClick={() => setInviting(true)}>
              <UserPlus size={15} /> Invite
            </Button>
          )
        }
      >
        {members.length === 0 ? (
          <RowsSkeleton />
        ) : (
          <Rows label="Members">
            {members.map(member => (
              <MemberRow key={member.id} member={member} onRemove={() => setLeaving(member)} />
            ))}
          </Rows>
        )}
      </Part>
      {isAdmin && <Invitations />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {leaving && <RemoveMember member={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

function MemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const { user } = useSignedIn()
  const { isAdmin, isOwner } = useRole()
  const { name, email, role, user_id } = member
  // only an owner changes owners
  const canChange = isAdmin && (isOwner || role !== 'owner')
  const change = async (next: Role) => {
    await setRole(member, next)
    offerUndo(`${name} is now ${next}`, () => setRole(member, role))
  }
  return (
    <Row>
      <Avatar name={name || email} size="md" />
      <RowText
        title={
          <>
            {name || email} {user_id === user.id && <span className="font-normal text-ink-3">(you)</span>}
          </>
        }
        detail={email}
      />
      {canChange ? (
        <>
          <div className="w-28 shrink-0">
            <Select
              label={`Role of ${name || email}`}
              value={role}
              options={ROLES.filter(({ value }) => isOwner || value !== 'owner')}
              onChange={next => next !== role && void change(next).catch(showError)}
            />
          </div>
          <Button variant="ghost-danger" size="sm" onClick={onRemove} aria-label={`Remove ${name || email}`}>
            Remove
          </Button>
        </>
      ) : (
        <Badge>{humanize(role)}</Badge>
      )}
    </Row>
  )
}
