import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import type { BoardColumn } from '#data/board.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { formatCompactMoney, formatCount, formatNumber } from '#lib/format.ts'
import { Card } from './card.tsx'
import { useColumnDrop } from './use-drag.ts'

const DOTS = { open: 'bg-accent', won: 'bg-good', lost: 'bg-bad' }

interface ColumnProps {
  column: BoardColumn
  stages: readonly BoardColumn['stage'][]
  onMove: (id: string, stage: string) => void
  onAdd: (stage: string) => void
  /** the first column of a board without deals asks for one */
  isFirstOfNone: boolean
}

/** Amounts in several currencies are not added up. */
export const sumsText = (sums: BoardColumn['sums'], key: 'amount' | 'weighted_amount'): string =>
  sums.map(sum => formatCompactMoney(sum[key], sum.currency)).join(' + ')

export function Column({ column, stages, onMove, onAdd, isFirstOfNone }: ColumnProps) {
  const { stage, count, sums, deals } = column
  const ref = useRef<HTMLElement>(null)
  const isOver = useColumnDrop(ref, stage.id)
  const isWriter = useIsWriter()
  const listed: Record<string, unknown> = { where: { field: 'stage_id', op: 'in', value: [stage.id] } }
  return (
    <section
      ref={ref}
      aria-label={stage.name}
      className={classes(
        // six columns fit beside the sidebar on a screen of 1280 pixels
        'group/column flex h-full min-w-40 max-w-80 flex-1 snap-center flex-col rounded-lg bg-canvas max-[719px]:min-w-[84vw]',
        isOver && 'bg-accent-soft',
      )}
    >
      <header className="flex h-18 shrink-0 flex-col px-3 pt-2">
        <div className="flex h-7 items-center gap-2">
          <span className={classes('size-2 shrink-0 rounded-full', DOTS[stage.type])} />
          <h2 className="truncate font-semibold" title={stage.name}>
            {stage.name}
          </h2>
          <span className="text-ink-3 tabular">{formatNumber(count)}</span>
          {isWriter && stage.type === 'open' && (
            <IconButton
              label={`New deal in ${stage.name}`}
              className="ml-auto"
              onClick={() => onAdd(stage.id)}
            >
              <Plus size={14} />
            </IconButton>
          )}
        </div>
        <p className="truncate text-xs text-ink-2 tabular">{sumsText(sums, 'amount')}</p>
        {stage.type === 'open' && sums.length > 0 && (
          <p className="truncate text-xs text-ink-3 tabular" title={`Weighted with ${stage.probability} %`}>
            {sumsText(sums, 'weighted_amount')} weighted
          </p>
        )}
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto px-2 pt-1 pb-2 scroll-thin">
        {deals.map(deal => (
          <Card key={deal.id} deal={deal} stages={stages} onMove={onMove} />
        ))}
        {deals.length === 0 && isWriter && isFirstOfNone && (
          <Button onClick={() => onAdd(stage.id)}>Create the first deal</Button>
        )}
        {deals.length === 0 && !isFirstOfNone && (
          <p className="rounded-md border border-line-strong border-dashed p-4 text-center text-xs text-ink-3">
            {isWriter ? 'Drag a deal here' : 'No deals'}
          </p>
        )}
        {count > deals.length && (
          <Link
            to="/$group"
            params={{ group: 'deals' }}
            search={listed}
            className="rounded-md p-2 text-center text-xs text-ink-2 hover:bg-hover hover:text-ink"
          >
            {formatCount(count - deals.length, 'more deal')} in the list
          </Link>
        )}
      </div>
    </section>
  )
}
