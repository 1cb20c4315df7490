/** Moves deals between stages, from the board and from a deal's page. */
import { useMutation } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { moveDeal, type StageMove } from './deal-moves.ts'
import { offerUndo } from './undo.ts'

export interface DealMove extends StageMove {
  /** where it was, for Undo */
  from: Omit<StageMove, 'id'>
}

export function useMoveDeal() {
  return useMutation({
    mutationFn: ({ from: _from, ...move }: DealMove) => moveDeal(move),
    onError: showError,
    onSuccess: (_deal, { id, from, stage_id, stageName }) => {
      if (from.stage_id === stage_id) return
      offerUndo(`Moved to ${stageName}`, { kind: 'move', move: { id, ...from } })
    },
  })
}
