/** Moves deals between stages, from the board and from a deal's page. */
import { useMutation } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { type Board, findDeal, type Move, moveOnBoard } from './board.ts'
import { changeCached, restoreCached, type Snapshot } from './cache.ts'
import { kith, queryClient } from './client.ts'
import { keys } from './keys.ts'
import { offerUndo } from './undo.ts'

export interface DealMove extends Move {
  /** the name of the stage, for the message */
  stageName: string
  type: 'open' | 'won' | 'lost'
  /** where it was, for Undo */
  from: { stage_id: string; position?: number | undefined; lost_reason: string | null }
}

const isBoard = (queryKey: readonly unknown[]): boolean => queryKey[1] === 'deals' && queryKey[3] === 'board'

const send = ({ id, stage_id, position, lost_reason }: Move) =>
  kith.request('POST', '/api/deals/{deal_id}/move', {
    path: { deal_id: id },
    body: {
      stage_id,
      ...(position === undefined ? {} : { position }),
      ...(lost_reason ? { lost_reason } : {}),
    },
  })

/** Shows the deal in its place at once, on every board and list that has been read. */
function show({ stageName, type, ...move }: DealMove): Snapshot {
  const { id, stage_id, lost_reason = null } = move
  const before = changeCached(queryClient, 'deals', id, record => ({
    ...record,
    stage_id,
    stage: { id: stage_id, name: stageName },
    status: type,
    lost_reason,
  }))
  for (const [key, board] of queryClient.getQueriesData<Board>({
    predicate: query => isBoard(query.queryKey),
  })) {
    if (!board || !findDeal(board, id)) continue
    before.push([key, board])
    queryClient.setQueryData(key, moveOnBoard(board, move))
  }
  return before
}

const refresh = (id: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.record('deals', id) }),
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] === 'deals' && queryKey[0] !== 'record',
    }),
  ])

export function useMoveDeal() {
  return useMutation({
    mutationFn: (move: DealMove) => send(move),
    onMutate: async (move): Promise<Snapshot> => {
      await queryClient.cancelQueries({ predicate: ({ queryKey }) => isBoard(queryKey) })
      return show(move)
    },
    onError: (error, { id }, before) => {
      if (before) restoreCached(queryClient, before)
      // the boards before this move lack what else has moved since
      void refresh(id)
      showError(error)
    },
    onSuccess: (deal, { id, from, stage_id, stageName }) => {
      changeCached(queryClient, 'deals', id, () => deal)
      void refresh(id)
      if (from.stage_id === stage_id) return
      offerUndo(`Moved to ${stageName}`, async () => {
        const back = await send({ id, ...from })
        changeCached(queryClient, 'deals', id, () => back)
        await refresh(id)
      })
    },
  })
}
