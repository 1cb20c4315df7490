import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Confirm } from '#components/dialog.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { formatCount } from '#lib/format.ts'
import { Part } from './part.tsx'
import { useRole } from './role.ts'

/** The demo data of the first run, as long as it is here: it was added as one operation, which can be undone. */
export function DemoData() {
  const { isAdmin } = useRole()
  const [isAsking, setAsking] = useState(false)
  const query = { kind: 'demo', page_size: 10 }
  const { data } = useQuery({
    queryKey: keys.other('operations', 'demo', query),
    queryFn: ({ signal }) => kith.request('GET', '/api/operations', { query, signal }),
    enabled: isAdmin,
  })
  const demo = data?.items.find(({ undone_at }) => undone_at === null)
  const remove = useMutation({
    mutationFn: (operation_id: string) =>
      kith.request('POST', '/api/operations/{operation_id}/undo', { path: { operation_id }, timeoutMs: 0 }),
    onSuccess: ({ conflicts }) => {
      toast(
        conflicts.length === 0
          ? 'Removed the demo data'
          : `Removed the demo data, except ${formatCount(conflicts.length, 'record')} that you changed`,
      )
      return queryClient.invalidateQueries()
    },
    onError: showError,
  })
  if (!demo) return null
  return (
    <Part
      title="Demo data"
      description={`${formatCount(demo.record_count, 'record')} of an invented company, to look around.`}
    >
      <Button disabled={remove.isPending} onClick={() => setAsking(true)}>
        {remove.isPending ? 'Removing…' : 'Remove the demo data'}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the demo data?"
        action="Remove"
        onConfirm={() => remove.mutate(demo.id)}
      >
        Records of the demo that you changed since stay as they are. Your own records are not touched.
      </Confirm>
    </Part>
  )
}
