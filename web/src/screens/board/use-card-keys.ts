import { type KeyboardEvent, useEffect } from 'react'
import type { Board } from '#data/board.ts'
import { isFocusLost } from '#lib/focus.ts'
import type { Moves } from './use-moves.ts'

const ARROWS: Readonly<Record<string, readonly [columns: -1 | 0 | 1, places: -1 | 0 | 1]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export const cardOf = (id: string): HTMLElement | null =>
  document.querySelector(`[data-card="${CSS.escape(id)}"]`)

/** The deal that the arrow keys select next; empty columns are skipped. */
function neighbour(board: Board, id: string, columns: number, places: number): string | undefined {
  const column = board.columns.findIndex(({ deals }) => deals.some(deal => deal.id === id))
  const index = board.columns[column]?.deals.findIndex(deal => deal.id === id) ?? 0
  if (columns === 0) return board.columns[column]?.deals[index + places]?.id
  for (let next = column + columns; board.columns[next]; next += columns) {
    const deals = board.columns[next]?.deals ?? []
    const found = deals[Math.min(index, deals.length - 1)]
    if (found) return found.id
  }
  return undefined
}

/** Arrows go from card to card; with Shift they move the card. */
export function useCardKeys(
  board: Board | undefined,
  { step, moved }: Moves,
): (event: KeyboardEvent) => void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another board draws a moved card anew, without focus
  useEffect(() => {
    if (!moved.current) return
    const focus = () => {
      if (moved.current && isFocusLost()) cardOf(moved.current)?.focus()
    }
    focus()
    // the menu, whose card has moved, returns the focus to its button a moment later
    const frame = requestAnimationFrame(focus)
    return () => cancelAnimationFrame(frame)
  }, [board])
  return event => {
    const arrow = ARROWS[event.key]
    const id = event.target instanceof HTMLElement ? event.target.dataset.card : undefined
    if (!board || !arrow || !id || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (event.shiftKey) {
      step(id, ...arrow)
      return
    }
    moved.current = undefined
    const next = neighbour(board, id, ...arrow)
    if (next) cardOf(next)?.focus()
  }
}
