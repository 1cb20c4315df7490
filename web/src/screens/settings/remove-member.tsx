import type { Schemas } from '@kith/client'
import { useState } from 'react'
import { Confirm } from '#components/dialog.tsx'
import { Select } from '#components/select.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { refreshMembers, useMembers } from '#data/people.tsx'

const NO_ONE = 'no-one'

/** Asks first, and who takes over: removing a member cannot be undone. */
export function RemoveMember({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const { members } = useMembers()
  const [heir, setHeir] = useState(NO_ONE)
  const { account_id, user_id, email } = member
  const name = member.name || email
  const remove = async () => {
    await kith.request('DELETE', '/api/accounts/{account_id}/members/{user_id}', {
      path: { account_id, user_id },
      ...(heir === NO_ONE ? {} : { query: { reassign_to: heir } }),
    })
    await refreshMembers()
    toast(`Removed ${name}`)
  }
  const others = members.filter(other => other.user_id !== user_id)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Remove ${name}?`}
      action="Remove"
      onConfirm={() => void remove().catch(showError)}
    >
      <p className="mb-3">
        They can no longer open this account, and the API keys that they created stop working.
      </p>
      <div className="mb-1 text-xs font-medium">Their companies, contacts, deals and activities go to</div>
      <Select
        label="New owner of their records"
        value={heir}
        options={[
          { value: NO_ONE, label: 'No owner' },
          ...others.map(other => ({ value: other.user_id, label: other.name || other.email })),
        ]}
        onChange={setHeir}
      />
    </Confirm>
  )
}
