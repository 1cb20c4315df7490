/** A deal moves to a stage: shown at once on every board and list that has been read. */
import { type Board, type Deal, findDeal, type Move, moveOnBoard } from './board.ts'
import { changeCached, restoreCached, type Snapshot } from './cache.ts'
import { kith, queryClient, refreshLists } from './client.ts'
import { keys } from './keys.ts'
import { whileUnanswered } from './unanswered.ts'

export interface StageMove extends Move {
  /** the name of the stage, for the message */
  stageName: string
  type: 'open' | 'won' | 'lost'
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

function show({ stageName, type, ...move }: StageMove): Snapshot {
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

/** Moves that the service has not answered: a board that is read meanwhile would lack them. */
let pending = 0

/** A refused move is taken back. */
export async function moveDeal(move: StageMove): Promise<Deal> {
  const { id } = move
  pending++
  await queryClient.cancelQueries({ predicate: ({ queryKey }) => isBoard(queryKey) })
  const before = show(move)
  try {
    const deal = await whileUnanswered(() => send(move))
    changeCached(queryClient, 'deals', id, () => deal)
    return deal
  } catch (error) {
    restoreCached(queryClient, before)
    throw error
  } finally {
    pending--
    void queryClient.invalidateQueries({ queryKey: keys.record('deals', id) })
    if (pending === 0) void refreshLists('deals')
  }
}
