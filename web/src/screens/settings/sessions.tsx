import { useQuery } from '@tanstack/react-query'
import { Laptop } from 'lucide-react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { Part, Row, Rows, RowsSkeleton, RowText } from './part.tsx'

export const sessionsKey = keys.other('sessions', 'all')

/** Where the person is signed in. Ending a session signs that browser out at once. */
export function Sessions() {
  const { data } = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => kith.request('GET', '/api/sessions', { signal }),
  })
  const end = async (session_id: string, device: string) => {
    await kith.request('DELETE', '/api/sessions/{session_id}', { path: { session_id } })
    await queryClient.invalidateQueries({ queryKey: sessionsKey })
    toast(`Signed out ${device}`)
  }
  return (
    <Part title="Sessions" description="Where you are signed in. End those that you do not recognise.">
      {data ? (
        <Rows label="Sessions">
          {data.items.map(({ id, device, is_current, last_used_at, created_at }) => (
            <Row key={id}>
              <Laptop size={15} className="shrink-0 text-ink-3" />
              <RowText
                title={device}
                detail={
                  <>
                    Signed in <TimeAgo time={created_at} />, last used <TimeAgo time={last_used_at} />
                  </>
                }
              />
              {is_current ? (
                <Badge tone="good">This browser</Badge>
              ) : (
                <Button size="sm" onClick={() => void end(id, device).catch(showError)}>
                  Sign out
                </Button>
              )}
            </Row>
          ))}
        </Rows>
      ) : (
        <RowsSkeleton />
      )}
    </Part>
  )
}
