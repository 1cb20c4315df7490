import type { Schemas } from '@kith/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { offerUndo } from '#data/undo.ts'

export type LineItem = Schemas['LineItem']
export type LineInput = Schemas['LineItemInput']

/** A line in the form of the API; missing values are those of the product. */
export const inputOf = ({
  id,
  product_id,
  name,
  quantity,
  unit_price,
  discount,
  tax,
}: LineItem): LineInput => ({
  id,
  product_id,
  name,
  quantity,
  unit_price,
  discount,
  tax,
})

/** The line items of a deal; all of them are written together. */
export function useLineItems(deal_id: string) {
  const queryKey = keys.other('deals', 'line-items', { deal_id })
  const { data: items, isPending } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/deals/{deal_id}/line-items', { path: { deal_id }, signal }),
  })
  const put = async (body: LineInput[]) => {
    const written = await kith.request('PUT', '/api/deals/{deal_id}/line-items', { path: { deal_id }, body })
    queryClient.setQueryData(queryKey, written)
    // the amount of the deal follows
    await queryClient.invalidateQueries({ queryKey: keys.record('deals', deal_id) })
  }
  const write = useMutation({
    mutationFn: ({ lines }: { lines: LineInput[]; message: string }) => put(lines),
    // shown at once; a new line waits for the price of its product, and the sums for the service
    onMutate: async ({ lines }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = items ?? []
      const shown = lines.flatMap(line => {
        const item = before.find(({ id }) => id === line.id)
        return item ? { ...item, ...line } : []
      })
      queryClient.setQueryData(queryKey, shown)
      return before
    },
    onError: (error, _write, before) => {
      queryClient.setQueryData(queryKey, before)
      showError(error)
    },
    onSuccess: (_nothing, { message }, before) => {
      // the id of a removed line no longer exists, so Undo creates a new one
      const lines = before.map(item => {
        const { id: _removed, ...line } = inputOf(item)
        return line
      })
      offerUndo(message, () => put(lines))
    },
  })
  return { items: items ?? [], isPending, write }
}
