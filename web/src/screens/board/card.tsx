import { Link } from '@tanstack/react-router'
import { ArrowRight, Clock, Ellipsis } from 'lucide-react'
import { memo, useRef } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { IconButton } from '#components/button.tsx'
import { Menu, MenuItem, MenuLabel } from '#components/menu.tsx'
import type { BoardColumn, Deal } from '#data/board.ts'
import { useMembers } from '#data/people.tsx'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { formatCount, formatDate, formatMoney, today } from '#lib/format.ts'
import { useCardDrag } from './use-drag.ts'

interface CardProps {
  deal: Deal
  stages: readonly BoardColumn['stage'][]
  onMove: (id: string, stage: string) => void
}

/** A deal on the board. The whole card opens it; dragging, Shift with arrows or the menu moves it. */
export const Card = memo(function Card({ deal, stages, onMove }: CardProps) {
  const ref = useRef<HTMLElement>(null)
  const isWriter = useIsWriter()
  const { isDragged, edge } = useCardDrag(ref, deal.id, isWriter)
  const company = deal.associated_company_ids?.find(({ id }) => id === deal.company_id)
  return (
    <article
      ref={ref}
      aria-label={deal.name}
      className={classes(
        'group relative flex flex-col gap-1.5 rounded-md border bg-raised p-3 shadow-[0_1px_1px_#0000000a]',
        'has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent',
        deal.is_rotten ? 'border-warn/50' : 'border-line hover:border-line-strong',
        isDragged && 'opacity-40',
      )}
    >
      {edge && (
        <span
          className={classes(
            'absolute inset-x-0 h-0.5 rounded-full bg-accent',
            edge === 'top' ? '-top-[5px]' : '-bottom-[5px]',
          )}
        />
      )}
      <Link
        to="/$group/$id"
        params={{ group: 'deals', id: deal.id }}
        draggable={false}
        data-card={deal.id}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown"
        className="line-clamp-3 pr-5 font-medium break-words outline-none after:absolute after:inset-0"
      >
        {deal.name}
      </Link>
      {company && <span className="truncate text-xs text-ink-3">{company.name}</span>}
      <Facts deal={deal} />
      {isWriter && (
        <div className="absolute top-1.5 right-1.5 z-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          <Menu
            align="end"
            trigger={
              <IconButton label={`Move ${deal.name}`}>
                <Ellipsis size={14} />
              </IconButton>
            }
          >
            <MenuLabel>Move to</MenuLabel>
            {stages
              .filter(({ id }) => id !== deal.stage_id)
              .map(({ id, name }) => (
                <MenuItem key={id} icon={<ArrowRight size={14} />} onSelect={() => onMove(deal.id, id)}>
                  {name}
                </MenuItem>
              ))}
          </Menu>
        </div>
      )}
    </article>
  )
})

function Facts({ deal }: { deal: Deal }) {
  const { byId } = useMembers()
  const owner = deal.owner_id ? byId.get(deal.owner_id)?.name : undefined
  const { status, expected_close_date: close, lost_reason, is_rotten, days_in_stage } = deal
  const isLate = status === 'open' && close !== null && close < today()
  return (
    <div className="flex min-h-5 flex-wrap items-center gap-x-2 text-xs">
      <span className="font-medium tabular">
        {deal.amount === null ? (
          <span className="text-ink-3">No amount</span>
        ) : (
          formatMoney(deal.amount, deal.currency)
        )}
      </span>
      {status === 'open' && close && (
        <span className={classes('tabular', isLate ? 'text-bad' : 'text-ink-3')} title="Expected close">
          {formatDate(close)}
        </span>
      )}
      {status === 'lost' && lost_reason && <span className="min-w-0 truncate text-ink-3">{lost_reason}</span>}
      <span className="ml-auto flex shrink-0 items-center gap-1.5">
        {is_rotten && (
          <span
            className="inline-flex items-center gap-1 font-medium text-warn tabular"
            title={`Rotten: ${formatCount(days_in_stage, 'day')} in this stage`}
          >
            <Clock size={12} aria-label="Rotten" />
            {days_in_stage} d
          </span>
        )}
        {owner && (
          <span title={owner}>
            <Avatar name={owner} />
            <span className="sr-only">{owner}</span>
          </span>
        )}
      </span>
    </div>
  )
}
