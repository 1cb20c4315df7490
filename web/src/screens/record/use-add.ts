import { type InfiniteData, useMutation } from '@tanstack/react-query'
import { queryClient } from '#data/client.ts'
import { type CreateOf, type ListQuery, methodsOf, type Page, type RecordOf } from '#data/groups.ts'
import { keys } from '#data/keys.ts'
import { refreshLists } from '#data/records.ts'

type Added = 'notes' | 'activities'

const idOf = ({ id }: { id: string }): string => id

/**
 * Creates a note or activity and shows it first in its list; reading the list again may take a moment. Its form shows
 * why one is refused.
 */
export function useAdd<G extends Added>(group: G, query: ListQuery<G>) {
  return useMutation({
    mutationFn: (record: CreateOf<G>) => methodsOf<RecordOf<G>>(group).create(record),
    onSuccess: created => {
      queryClient.setQueryData<InfiniteData<Page<RecordOf<G>>>>(keys.list(group, query), data => {
        const [first, ...others] = data?.pages ?? []
        if (!data || !first) return data
        // the live update may have been faster than the answer
        if (data.pages.some(({ items }) => items.some(item => idOf(item) === idOf(created)))) return data
        const page = { ...first, total: first.total + 1, items: [created, ...first.items] }
        return { ...data, pages: [page, ...others] }
      })
      void refreshLists(group)
    },
  })
}
