/** What the dashboard counts since yesterday, each with the list behind it. */
import {
  Building2,
  CalendarPlus,
  CircleCheck,
  CircleX,
  Handshake,
  ListChecks,
  type LucideIcon,
  UserPlus,
} from 'lucide-react'
import type { ListGroupName } from '#app/router.tsx'

type Condition = Record<string, unknown>

interface CountedChange {
  label: string
  icon: LucideIcon
  group: ListGroupName
  entity: string
  where: (since: string) => Condition
}

const after = (field: string) => (since: string) => ({ field, op: 'gte', value: since })
const closed = (status: 'won' | 'lost') => (since: string) => ({
  and: [
    { field: 'status', op: 'in', value: [status] },
    { field: 'closed_at', op: 'gte', value: since },
  ],
})

export const CHANGES: readonly CountedChange[] = [
  { label: 'Deals won', icon: CircleCheck, group: 'deals', entity: 'deal', where: closed('won') },
  { label: 'Deals lost', icon: CircleX, group: 'deals', entity: 'deal', where: closed('lost') },
  { label: 'New deals', icon: Handshake, group: 'deals', entity: 'deal', where: after('created_at') },
  { label: 'New contacts', icon: UserPlus, group: 'contacts', entity: 'contact', where: after('created_at') },
  {
    label: 'New companies',
    icon: Building2,
    group: 'companies',
    entity: 'company',
    where: after('created_at'),
  },
  {
    ...{ label: 'Activities done', icon: ListChecks, group: 'activities', entity: 'activity' },
    where: after('completed_at'),
  },
  {
    ...{ label: 'Activities planned', icon: CalendarPlus, group: 'activities', entity: 'activity' },
    where: after('created_at'),
  },
]
