import { useMutation } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { changeCached, restoreCached } from '#data/cache.ts'
import { kith, queryClient } from '#data/client.ts'
import type { AnyRecord, Subject } from './subject.ts'

/** Whether the record is one of the person's favorites; undefined for kinds that have none. */
export const starOf = (record: AnyRecord): boolean | undefined =>
  'is_favorite' in record ? record.is_favorite : undefined

function write({ kind, id }: Subject, isStarred: boolean): Promise<unknown> {
  if (kind === 'product') {
    return kith.request(isStarred ? 'PUT' : 'DELETE', '/api/products/{product_id}/favorite', {
      path: { product_id: id },
    })
  }
  const body = { entity_type: kind as 'company' | 'contact' | 'deal', entity_id: id }
  return kith.request('POST', '/api/favorites/toggle', { body })
}

export function useStar(subject: Subject) {
  return useMutation({
    mutationFn: (isStarred: boolean) => write(subject, isStarred),
    onMutate: is_favorite =>
      changeCached(
        queryClient,
        subject.group,
        subject.id,
        record => ({ ...record, is_favorite }) as typeof record,
      ),
    onError: (error, _isStarred, before) => {
      if (before) restoreCached(queryClient, before)
      showError(error)
    },
  })
}
