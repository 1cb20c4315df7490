/** Links to a chat: with an end, to revoke at any time. */
import type { Schemas } from '@kith/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { Checkbox } from '#components/checkbox.tsx'
import { CopyField } from '#components/copy-field.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { Select } from '#components/select.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { formatCount } from '#lib/format.ts'
import { sharedPath } from './shared-chat.tsx'

type Share = Schemas['ChatShare']

const DAYS = [
  { value: '1', label: 'A day' },
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '', label: 'Until it is revoked' },
]

const expiryIn = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString()

interface ShareDialogProps {
  chatId: string
  onClose: () => void
}

export function ShareDialog({ chatId, onClose }: ShareDialogProps) {
  const path = { chat_id: chatId }
  const queryKey = keys.other('chatShares', 'chat', path)
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/chats/{chat_id}/shares', { path, query: { page_size: 50 }, signal }),
  })
  const [days, setDays] = useState('7')
  const [isPublic, setPublic] = useState(false)
  const [isGrowing, setGrowing] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  const create = useMutation({
    mutationFn: () =>
      kith.request('POST', '/api/chats/{chat_id}/share', {
        path,
        body: { expires_at: expiryIn(days), is_public: isPublic, include_later: isGrowing },
      }),
    onSuccess: refresh,
  })
  const { page_url, token } = create.data ?? {}
  const link = page_url ?? (token && sharedPath(token))
  const living = data?.items.filter(({ revoked_at }) => !revoked_at) ?? []
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Share this chat"
      description="Who has the link reads questions and answers, but no records."
    >
      <Form className="flex flex-col gap-3" onSubmit={() => create.mutateAsync()}>
        <div className="flex items-center gap-2">
          <span className="flex-1 text-ink-2">The link works for</span>
          <Select
            label="The link works for"
            value={days}
            options={DAYS}
            onChange={setDays}
            className="max-w-44"
          />
        </div>
        <Choice label="Without signing in" isChecked={isPublic} onChange={setPublic} />
        <p className="-mt-2 pl-6 text-xs text-ink-3">
          {isPublic
            ? 'Anybody who has the link reads the chat.'
            : 'Only people who have signed in to this service read the chat.'}
        </p>
        <Choice label="With what is asked from now on" isChecked={isGrowing} onChange={setGrowing} />
        <Button variant="primary" type="submit" disabled={create.isPending} className="self-end">
          Create a link
        </Button>
      </Form>
      {link && (
        <div className="mt-3">
          <CopyField label="The link, shown this once" text={new URL(link, location.origin).href} />
        </div>
      )}
      <h3 className="mt-5 mb-1 text-xs font-medium text-ink-3">Links</h3>
      {!data ? (
        <Skeleton className="h-8 w-full" />
      ) : living.length === 0 ? (
        <p className="text-ink-3">This chat is not shared.</p>
      ) : (
        living.map(share => <ShareRow key={share.id} share={share} onRevoked={refresh} />)
      )}
    </Dialog>
  )
}

interface ChoiceProps {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

const Choice = ({ label, isChecked, onChange }: ChoiceProps) => (
  <div className="flex items-center gap-2">
    <Checkbox label={label} isChecked={isChecked} onChange={onChange} />
    <span aria-hidden="true">{label}</span>
  </div>
)

function ShareRow({ share, onRevoked }: { share: Share; onRevoked: () => void }) {
  const { id, created_at, expires_at, is_public, view_count } = share
  const isOver = expires_at !== null && new Date(expires_at) < new Date()
  const revoke = useMutation({
    mutationFn: () => kith.request('DELETE', '/api/chats/shares/{token}', { path: { token: id } }),
    onSuccess: () => {
      toast('Revoked the link')
      onRevoked()
    },
    onError: showError,
  })
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line">
      <span className="min-w-0 flex-1">
        Created <TimeAgo time={created_at} />
        <span className="block text-xs text-ink-3">
          {isOver ? 'Ended ' : expires_at ? 'Ends ' : 'No end'}
          {expires_at && <TimeAgo time={expires_at} />} · {formatCount(view_count, 'view')}
        </span>
      </span>
      <Badge tone={isOver ? 'neutral' : is_public ? 'warn' : 'accent'}>
        {isOver ? 'Ended' : is_public ? 'Public' : 'Signed in'}
      </Badge>
      <Button size="sm" variant="ghost-danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke
      </Button>
    </div>
  )
}
