import { type RefObject, useRef, useState } from 'react'
import { type Board, type BoardColumn, type Deal, findDeal } from '#data/board.ts'
import { type DealMove, useMoveDeal } from '#data/deals.ts'
import { useIsWriter } from '#data/session.ts'

export interface Moves {
  /** `position` is among the other deals of the column; absent: last */
  move: (id: string, stage_id: string, position?: number) => void
  /** by arrow keys: to the column at the side, or one place up or down */
  step: (id: string, columns: -1 | 0 | 1, places: -1 | 0 | 1) => void
  /** the deal whose lost reason is being asked for */
  losing: (DealMove & { name: string }) | undefined
  lose: (reason: string | null) => Promise<void>
  cancel: () => void
  /** the text for screen readers */
  announcement: string
  /** the deal that was moved last, whose card keeps the focus */
  moved: RefObject<string | undefined>
}

const columnOf = (board: Board, id: string): BoardColumn | undefined =>
  board.columns.find(({ deals }) => deals.some(deal => deal.id === id))

/** Moves deals on the board; a lost stage asks for the reason first. */
export function useMoves(board: Board | undefined, canOrder: boolean): Moves {
  const { mutate } = useMoveDeal()
  const { mutateAsync } = useMoveDeal({ isForm: true })
  const [losing, setLosing] = useState<DealMove & { name: string }>()
  const [announcement, setAnnouncement] = useState('')
  const moved = useRef<string>(undefined)

  const announce = (move: DealMove, deal: Deal) => {
    const place = move.position === undefined ? 'last' : `place ${move.position + 1}`
    setAnnouncement(`${deal.name}: ${move.stageName}, ${place}`)
    moved.current = move.id
  }
  const isWriter = useIsWriter()
  const move = (id: string, stage_id: string, wanted?: number) => {
    const deal = isWriter && board && findDeal(board, id)
    const from = board && columnOf(board, id)
    const stage = board?.columns.find(column => column.stage.id === stage_id)?.stage
    if (!deal || !from || !stage) return
    const position = canOrder ? wanted : undefined
    const index = from.deals.findIndex(one => one.id === id)
    const isSame = deal.stage_id === stage_id
    if (isSame && (position === undefined || position === index)) return
    const next: DealMove = {
      id,
      stage_id,
      position,
      stageName: stage.name,
      type: stage.type,
      from: {
        stage_id: deal.stage_id,
        stageName: from.stage.name,
        type: from.stage.type,
        lost_reason: deal.lost_reason,
        ...(canOrder ? { position: index } : {}),
      },
      ...(isSame ? { lost_reason: deal.lost_reason } : {}),
    }
    if (stage.type === 'lost' && !isSame) {
      moved.current = undefined
      setLosing({ ...next, name: deal.name })
    } else {
      announce(next, deal)
      mutate(next)
    }
  }
  const step = (id: string, columns: -1 | 0 | 1, places: -1 | 0 | 1) => {
    const column = board && columnOf(board, id)
    if (!board || !column) return
    const index = column.deals.findIndex(deal => deal.id === id)
    const target = board.columns[board.columns.indexOf(column) + columns]
    if (!target) return
    const last = columns === 0 ? column.deals.length - 1 : target.deals.length
    move(id, target.stage.id, Math.max(0, Math.min(last, index + places)))
  }
  return {
    move,
    step,
    losing,
    lose: async lost_reason => {
      const deal = losing && board && findDeal(board, losing.id)
      if (!deal) return
      await mutateAsync({ ...losing, lost_reason })
      announce(losing, deal)
    },
    cancel: () => setLosing(undefined),
    announcement,
    moved,
  }
}
