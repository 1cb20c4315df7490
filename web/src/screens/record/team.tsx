import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { CreateDialog } from '#components/create-dialog.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { AddressLink } from '#components/fields/field-value.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { refreshLists } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { Rows } from './rows.tsx'
import type { Subject } from './subject.ts'

/** The people of a company. */
export function Team({ subject: { id } }: { subject: Subject }) {
  const [isCreating, setCreating] = useState(false)
  const isWriter = useIsWriter()
  const { data: team, isPending } = useQuery({
    queryKey: keys.other('companies', 'team', { id }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/companies/{company_id}/team', { path: { company_id: id }, signal }),
  })
  const add = isWriter && (
    <Button size="sm" onClick={() => setCreating(true)}>
      <Plus size={14} />
      New contact
    </Button>
  )
  return (
    <div className="flex flex-col gap-2">
      {isPending ? (
        <Rows />
      ) : !team || team.length === 0 ? (
        <EmptyState icon={Users} title="No people yet" action={add}>
          {isWriter && 'Add the people you know at this company.'}
        </EmptyState>
      ) : (
        <>
          <div className="flex justify-end">{add}</div>
          {team.map(person => (
            <div key={person.person_id} className="flex min-h-10 items-center gap-3 border-b border-line">
              <Avatar name={person.full_name} size="md" />
              <Link
                to="/$group/$id"
                params={{ group: 'contacts', id: person.person_id }}
                className="min-w-0 flex-1 truncate font-medium hover:underline"
              >
                {person.full_name}
                <span className="ml-2 font-normal text-ink-3">{person.role ?? person.job_title}</span>
              </Link>
              {person.is_primary && <Badge tone="accent">Primary</Badge>}
              <span className="w-56 truncate text-xs text-ink-2 max-[1099px]:hidden">
                {person.email && <AddressLink kind="email" value={person.email} />}
              </span>
              <span className="w-28 shrink-0 text-right text-xs text-ink-3 max-[719px]:hidden">
                {person.last_interaction && <TimeAgo time={person.last_interaction} />}
              </span>
            </div>
          ))}
        </>
      )}
      <CreateDialog
        kind="contact"
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        preset={{ company_id: id }}
        onCreated={() => void refreshLists('companies')}
      />
    </div>
  )
}
