/** Drag and drop: cards can be dragged; cards and columns are drop targets. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachClosestEdge,
  type Edge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Board } from '#data/board.ts'

type Target = RefObject<HTMLElement | null>

export function useCardDrag(ref: Target, deal: string, isEnabled: boolean) {
  const [isDragged, setDragged] = useState(false)
  const [edge, setEdge] = useState<Edge | null>(null)
  useEffect(() => {
    const element = ref.current
    if (!element || !isEnabled) return
    return combine(
      draggable({
        element,
        getInitialData: () => ({ deal }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.deal !== undefined && source.data.deal !== deal,
        getData: ({ input }) =>
          attachClosestEdge({ beside: deal }, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => setEdge(extractClosestEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: () => setEdge(null),
      }),
    )
  }, [ref, deal, isEnabled])
  return { isDragged, edge }
}

/** Whether a card is over the column. */
export function useColumnDrop(ref: Target, stage: string): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.deal !== undefined,
      getData: () => ({ stage }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    })
  }, [ref, stage])
  return isOver
}

/** Calls `onMove` when a card is dropped. */
export function useDrops(
  board: Board | undefined,
  onMove: (id: string, stage: string, position?: number) => void,
): void {
  const current = useRef({ board, onMove })
  current.current = { board, onMove }
  useEffect(
    () =>
      monitorForElements({
        onDrop: ({ source, location }) => {
          const targets = location.current.dropTargets
          const stage = targets.find(({ data }) => data.stage !== undefined)?.data.stage
          const column = current.current.board?.columns.find(one => one.stage.id === stage)
          if (!column) return
          const deal = String(source.data.deal)
          const beside = targets.find(({ data }) => data.beside !== undefined)
          const others = column.deals.filter(({ id }) => id !== deal)
          const index = others.findIndex(({ id }) => id === beside?.data.beside)
          const isBelow = beside !== undefined && extractClosestEdge(beside.data) === 'bottom'
          current.current.onMove(deal, column.stage.id, index < 0 ? undefined : index + (isBelow ? 1 : 0))
        },
      }),
    [],
  )
}
