import { Link } from '@tanstack/react-router'
import { Handshake, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { CreateDialog } from '#components/create-dialog.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Member, Stage } from '#components/fields/field-value.tsx'
import type { ListQuery } from '#data/groups.ts'
import { useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { formatDate, formatMoney } from '#lib/format.ts'
import { Rows } from './rows.tsx'
import { linkedTo, type Subject } from './subject.ts'

/** The initial values of a new deal of this record. */
export const dealPreset = ({ kind, id }: Subject): object =>
  kind === 'company' ? { company_id: id } : kind === 'contact' ? { primary_contact_id: id } : {}

export function Deals({ subject }: { subject: Subject }) {
  const query = { ...linkedTo(subject), page_size: 100 } as ListQuery<'deals'>
  const { items, isPending, hasNextPage, fetchNextPage } = useList('deals', query)
  const [isCreating, setCreating] = useState(false)
  const canAdd = useIsWriter() && subject.kind !== 'product'
  const add = (
    <Button size="sm" onClick={() => setCreating(true)}>
      <Plus size={14} />
      New deal
    </Button>
  )
  return (
    <div className="flex flex-col gap-2">
      {isPending ? (
        <Rows />
      ) : items.length === 0 ? (
        <EmptyState icon={Handshake} title="No deals" {...(canAdd ? { action: add } : {})}>
          {canAdd ? 'Create one to follow it through the stages.' : `No deal has this ${subject.kind} yet.`}
        </EmptyState>
      ) : (
        <>
          {canAdd && <div className="flex justify-end">{add}</div>}
          {items.map(deal => (
            <div key={deal.id} className="flex min-h-10 items-center gap-3 border-b border-line">
              <Link
                to="/$group/$id"
                params={{ group: 'deals', id: deal.id }}
                className="min-w-0 flex-1 truncate font-medium hover:underline"
              >
                {deal.name}
              </Link>
              <Stage id={deal.stage_id} />
              <span className="w-40 text-xs text-ink-2 max-[1099px]:hidden">
                {deal.owner_id && <Member id={deal.owner_id} />}
              </span>
              <span className="w-24 text-xs text-ink-3 max-[719px]:hidden">
                {deal.expected_close_date && formatDate(deal.expected_close_date)}
              </span>
              <span className="w-24 shrink-0 text-right tabular">
                {deal.amount !== null && formatMoney(deal.amount, deal.currency)}
              </span>
            </div>
          ))}
          {hasNextPage && (
            <Button size="sm" className="self-start" onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
        </>
      )}
      <CreateDialog
        kind="deal"
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        preset={dealPreset(subject)}
      />
    </div>
  )
}
