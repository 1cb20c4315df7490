/** Keys of programs: created, shown once, revoked. */
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { Confirm } from '#components/dialog.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useMembers } from '#data/people.tsx'
import { NewKeyDialog, ShownKey } from './new-key.tsx'
import { NoRows, Part, Row, Rows, RowsSkeleton, RowText } from './part.tsx'

const queryKey = keys.other('apiKeys', 'all')

export const refreshKeys = () => queryClient.invalidateQueries({ queryKey })

const DAY = 86_400

export default function ApiKeys() {
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => kith.apiKeys.list({ revoked: false, page_size: 200 }, { signal }),
  })
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<{ id: string; name: string }>()
  const [rotating, setRotating] = useState<{ id: string; name: string }>()
  const [rotated, setRotated] = useState('')
  const { byId } = useMembers()
  const revoke = async (id: string, name: string) => {
    await kith.apiKeys.delete(id)
    await refreshKeys()
    toast(`Revoked ${name}`)
  }
  const rotate = async (key_id: string) => {
    const { key } = await kith.request('POST', '/api/api-keys/{key_id}/rotate', {
      path: { key_id },
      body: { grace_seconds: DAY },
    })
    await refreshKeys()
    setRotated(key)
  }
  return (
    <Part
      title="API keys"
      description={
        <>
          Programs send a key in <code className="font-mono text-xs">X-API-Key</code>. It acts as the person
          who created it, within its scopes. The{' '}
          <a href="/docs" className="text-accent-text underline underline-offset-2">
            reference
          </a>{' '}
          lists every operation.
        </>
      }
      action={
        <Button variant="primary" onClick={() => setCreating(true)}>
          <Plus size={15} /> New key
        </Button>
      }
    >
      {!data && <RowsSkeleton />}
      {data?.items.length === 0 && <NoRows>There is no key yet. Create one for each program.</NoRows>}
      {data && data.items.length > 0 && (
        <Rows label="API keys">
          {data.items.map(({ id, name, prefix, scopes, last_used_at, expires_at, created_by }) => (
            <Row key={id}>
              <KeyRound size={15} className="shrink-0 text-ink-3" />
              <RowText
                title={
                  <>
                    {name} <code className="ml-1 font-mono text-xs font-normal text-ink-3">{prefix}…</code>
                  </>
                }
                detail={
                  <>
                    {byId.get(created_by)?.name ?? 'A former member'} ·{' '}
                    {last_used_at ? (
                      <>
                        used <TimeAgo time={last_used_at} />
                      </>
                    ) : (
                      'never used'
                    )}
                    {expires_at && (
                      <>
                        {' '}
                        · expires <TimeAgo time={expires_at} />
                      </>
                    )}
                  </>
                }
              />
              <Badge>{scopes.includes('*') ? 'Everything' : scopes.slice(0, 2).join(', ')}</Badge>
              <span className="flex gap-1">
                <Button size="sm" onClick={() => setRotating({ id, name })} aria-label={`Rotate ${name}`}>
                  Rotate
                </Button>
                <Button
                  size="sm"
                  variant="ghost-danger"
                  onClick={() => setRevoking({ id, name })}
                  aria-label={`Revoke ${name}`}
                >
                  Revoke
                </Button>
              </span>
            </Row>
          ))}
        </Rows>
      )}
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
      {rotated && <ShownKey apiKey={rotated} onClose={() => setRotated('')} />}
      {rotating && (
        <Confirm
          isOpen
          onClose={() => setRotating(undefined)}
          title={`Rotate ${rotating.name}?`}
          action="Rotate"
          onConfirm={() => void rotate(rotating.id).catch(showError)}
        >
          You get a new key. The old one works for another 24 hours, so that you can change the programs that
          use it. If somebody else has the old one, revoke it instead.
        </Confirm>
      )}
      {revoking && (
        <Confirm
          isOpen
          onClose={() => setRevoking(undefined)}
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          onConfirm={() => void revoke(revoking.id, revoking.name).catch(showError)}
        >
          Programs that use it are refused at once. A revoked key cannot be used again.
        </Confirm>
      )}
    </Part>
  )
}
