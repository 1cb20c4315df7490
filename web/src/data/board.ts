/** A deal board after a move, before the service has answered. */
import type { Schemas } from '@kith/client'

export type Board = Schemas['Board']
export type BoardColumn = Board['columns'][number]
export type Deal = Schemas['Deal']

type Sums = BoardColumn['sums']

/** The sums of a column with a deal's amount added, or with `sign` −1 taken away. */
function added(sums: Sums, deal: Deal, probability: number, sign: 1 | -1): Sums {
  if (deal.amount === null) return sums
  const amount = sign * deal.amount
  const weighted_amount = (amount * probability) / 100
  const existing = sums.find(({ currency }) => currency === deal.currency)
  if (!existing) return [...sums, { currency: deal.currency, amount, weighted_amount }]
  return sums.map(sum =>
    sum === existing
      ? {
          ...sum,
          amount: sum.amount + amount,
          weighted_amount: sum.weighted_amount + weighted_amount,
        }
      : sum,
  )
}

export const findDeal = (board: Board, id: string): Deal | undefined =>
  board.columns.flatMap(({ deals }) => deals).find(deal => deal.id === id)

export interface Move {
  id: string
  stage_id: string
  /** among the other deals of the stage; absent: last */
  position?: number | undefined
  lost_reason?: string | null | undefined
}

/** The board with the deal at its new position; the same board if it has neither the deal nor the stage. */
export function moveOnBoard(board: Board, { id, stage_id, position, lost_reason }: Move): Board {
  const deal = findDeal(board, id)
  const target = board.columns.find(({ stage }) => stage.id === stage_id)
  if (!deal || !target) return board
  const isOther = deal.stage_id !== stage_id
  const { type, probability, name } = target.stage
  const moved: Deal = {
    ...deal,
    ...(isOther
      ? {
          stage_id,
          stage: { id: stage_id, name },
          status: type,
          probability,
          days_in_stage: 0,
          is_rotten: false,
        }
      : {}),
    ...(lost_reason === undefined ? {} : { lost_reason }),
  }
  const columns = board.columns.map(column => {
    const wasHere = column.deals.some(one => one.id === id)
    const isHere = column === target
    if (!wasHere && !isHere) return column
    const rest = column.deals.filter(one => one.id !== id)
    const sums = wasHere ? added(column.sums, deal, deal.probability, -1) : column.sums
    const count = column.count - (wasHere ? 1 : 0) + (isHere ? 1 : 0)
    if (!isHere) return { ...column, count, sums, deals: rest }
    const deals = rest.toSpliced(position ?? rest.length, 0, moved)
    return { ...column, count, sums: added(sums, moved, moved.probability, 1), deals }
  })
  return { ...board, columns }
}
