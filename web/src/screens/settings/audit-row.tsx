import type { Event } from '@kith/client'
import { RecordAnchor } from '#components/record-link.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { GROUP_OF_KIND, type Kind } from '#data/groups.ts'
import { useMembers } from '#data/people.tsx'
import { humanize } from '#lib/format.ts'
import type { Named } from './audit-events.ts'
import { actionText, fieldText } from './audit-text.ts'

const ACTORS: Readonly<Record<string, string>> = { system: 'Kith', import: 'An import', job: 'A job' }
/** Changes of these follow from others. */
const DERIVED = [
  ...['position', 'updated_at', 'created_at', 'stage_entered_at', 'probability'],
  ...['closed_at', 'amount_source', 'content_markdown'],
]
const SHOWN_FIELDS = 4

function fieldsOf({ type, changes }: Event): string {
  if (!type.endsWith('.updated')) return ''
  const shown = changes.flatMap(({ field }) => (DERIVED.includes(field) ? [] : fieldText(field)))
  const fields = [...new Set(shown)]
  const rest = fields.length - SHOWN_FIELDS
  return `${fields.slice(0, SHOWN_FIELDS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

export function AuditRow({ event, named }: { event: Event; named: Named | undefined }) {
  const { byId } = useMembers()
  const { record, actor, type, at } = event
  const { before, after } = actionText(type.slice(type.indexOf('.') + 1), record.entity_type)
  const who = byId.get(actor.user_id ?? '')?.name ?? ACTORS[actor.kind] ?? humanize(actor.kind)
  const fields = fieldsOf(event)
  const name = named?.name || namedIn(event)
  const group = record.entity_type === 'note' ? undefined : GROUP_OF_KIND[record.entity_type as Kind]
  return (
    <li className="flex min-h-9 items-baseline gap-3 py-2">
      <span className="min-w-0 flex-1 break-words text-ink-2">
        <b className="font-medium text-ink">{who}</b>
        {actor.kind === 'key' && <span className="text-ink-3"> by API key</span>} {before}
        {name && ' '}
        {named && !named.isDeleted && group ? (
          <RecordAnchor group={group} id={record.id} className="font-medium text-ink hover:underline">
            {name}
          </RecordAnchor>
        ) : (
          <span className="text-ink">{name}</span>
        )}
        {after && ` ${after}`}
        {fields && <span className="text-ink-3">: {fields}</span>}
      </span>
      <TimeAgo time={at} className="shrink-0 text-xs text-ink-3" />
    </li>
  )
}

/** A name among the values that the record was created with. */
const namedIn = ({ changes }: Event): string => {
  const named = changes.find(({ field }) => ['name', 'subject', 'title', 'first_name'].includes(field))
  return typeof named?.to === 'string' ? named.to : ''
}
