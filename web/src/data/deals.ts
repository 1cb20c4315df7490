/** Moves deals between stages, from the board and from a deal's page. */
import { useMutation } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { moveDeal, type StageMove } from './deal-moves.ts'
import { offerUndo } from './undo.ts'

export interface DealMove extends StageMove {
  /** where it was, for Undo */
  from: Omit<StageMove, 'id'>
}

/** `isForm`: what a refused move throws is shown by the form, so no message is */
export function useMoveDeal({ isForm = false }: { isForm?: boolean } = {}) {
  return useMutation({
    mutationFn: ({ from: _from, ...move }: DealMove) => moveDeal(move),
    onError: error => {
      if (!isForm) showError(error)
    },
    onSuccess: (_deal, { id, from, stage_id, stageName }) => {
      if (from.stage_id === stage_id) return
      offerUndo(`Moved to ${stageName}`, { kind: 'move', move: { id, ...from } })
    },
  })
}
