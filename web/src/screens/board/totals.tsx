import type { Board, BoardColumn } from '#data/board.ts'
import { formatCount } from '#lib/format.ts'
import { sumsText } from './column.tsx'

/** The open deals of all columns, by currency. */
function openSums(board: Board): BoardColumn['sums'] {
  const sums = new Map<string, BoardColumn['sums'][number]>()
  for (const { stage, sums: own } of board.columns) {
    if (stage.type !== 'open') continue
    for (const { currency, amount, weighted_amount } of own) {
      const sum = sums.get(currency) ?? { currency, amount: 0, weighted_amount: 0 }
      sums.set(currency, {
        currency,
        amount: sum.amount + amount,
        weighted_amount: sum.weighted_amount + weighted_amount,
      })
    }
  }
  return [...sums.values()]
}

export function Totals({ board }: { board: Board }) {
  const sums = openSums(board)
  const count = board.columns
    .filter(({ stage }) => stage.type === 'open')
    .reduce((total, column) => total + column.count, 0)
  return (
    <p className="truncate text-ink-3 tabular max-[719px]:hidden">
      {formatCount(count, 'open deal')}
      {sums.length > 0 && (
        <>
          {' · '}
          <span className="text-ink-2">{sumsText(sums, 'amount')}</span>
          {` · ${sumsText(sums, 'weighted_amount')} weighted`}
        </>
      )}
    </p>
  )
}
