import { useMutation } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { changeCached } from '#data/cache.ts'
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
  const show = (is_favorite: boolean) => {
    changeCached(
      queryClient,
      subject.group,
      subject.id,
      record => ({ ...record, is_favorite }) as typeof record,
    )
  }
  return useMutation({
    mutationFn: (isStarred: boolean) => write(subject, isStarred),
    onMutate: show,
    onError: (error, isStarred) => {
      show(!isStarred)
      showError(error)
    },
  })
}
