import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PlainValue, UnnamedLink } from '#components/fields/field-value.tsx'
import { isDay } from '#data/due.ts'
import type { Field } from '#data/field-types.ts'
import { useFields } from '#data/fields.ts'
import { GROUP_OF_KIND, type Kind } from '#data/groups.ts'
import { useMembers, usePipelines } from '#data/people.tsx'
import { formatDate, formatDateTime, humanize } from '#lib/format.ts'
import { valueText } from '#lib/value-text.ts'
import type { Change } from './history.ts'
import type { Subject } from './subject.ts'

const VERBS: Readonly<Record<string, string>> = {
  created: 'created this record',
  updated: 'changed',
  deleted: 'moved this record to the trash',
  restored: 'restored this record',
  stage_moved: 'moved this deal:',
  linked: 'linked',
  tagged: 'added the tag',
  untagged: 'removed the tag',
  unlinked: 'unlinked',
  link_changed: 'changed the link to',
  activity_added: 'added',
  file_added: 'added the file',
  file_updated: 'changed the file',
  file_deleted: 'deleted the file',
  file_restored: 'restored the file',
  merged: 'merged',
}

/** A tag is a link, too, but its events are named after tags. */
const TAG_TYPES: Readonly<Record<string, string>> = { linked: 'tagged', unlinked: 'untagged' }

/** Lists with their primary value, which is a field of its own. */
const WITH_LISTS: Readonly<Record<string, string>> = { email: 'emails', phone: 'phones' }

/** Two fields of the service that are one here. */
const DUE = ['due_at', 'due_date']

/** Derived fields, whose changes are not shown. */
const DERIVED = ['position', 'probability', 'closed_at', 'stage_entered_at', 'updated_at', 'amount_source']

/** A change as a sentence: who did what. */
export function ChangeText({ change, subject }: { change: Change; subject: Subject }) {
  const fields = useFields(subject.kind)
  const { actor, related } = change
  const type = (related?.entity_type === 'tag' && TAG_TYPES[change.type]) || change.type
  const isMove = type === 'stage_moved'
  const changes = (type === 'created' ? [] : change.changes)
    .filter(({ field }) => !DERIVED.includes(field))
    .filter(({ field }, _, all) => !all.some(one => one.field === WITH_LISTS[field]))
    // the stage first, then why the deal was lost
    .toSorted((one, other) => Number(other.field === 'stage_id') - Number(one.field === 'stage_id'))
  return (
    <div className="min-w-0 break-words">
      <b className="font-medium text-ink">{actor.user_name ?? humanize(actor.kind)}</b>{' '}
      {VERBS[type] ?? humanize(type).toLowerCase()} {related && <RelatedName related={related} />}
      {related && changes.length > 0 && ': '}
      {changes.map(({ field, from, to }, index) => {
        const known = fields.find(
          ({ key }) => key === (DUE.includes(field) ? 'falls_due_at' : field) || key === `cf.${field}`,
        )
        return (
          <span key={field}>
            {index > 0 && ', '}
            {!(isMove && field === 'stage_id') && `${(known?.label ?? humanize(field)).toLowerCase()} `}
            <Shown field={known} value={from} isOld />
            {' → '}
            <Shown field={known} value={to} />
          </span>
        )
      })}
    </div>
  )
}

function RelatedName({ related }: { related: NonNullable<Change['related']> }): ReactNode {
  const { entity_type, id, name } = related
  const text = name ?? `a ${humanize(entity_type).toLowerCase()}`
  if (!(entity_type in GROUP_OF_KIND) || entity_type === 'note')
    return <span className="text-ink">{text}</span>
  const group = GROUP_OF_KIND[entity_type as Kind]
  return (
    <Link
      to="/$group/$id"
      params={{ group, id }}
      className="text-ink underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {text}
    </Link>
  )
}

function Shown({ field, value, isOld }: { field: Field | undefined; value: unknown; isOld?: boolean }) {
  const { byId } = useMembers()
  const { stageById, pipelineById } = usePipelines()
  const id = String(value)
  const text = valueText(value)
  const name = byId.get(id)?.name ?? stageById.get(id)?.name ?? pipelineById.get(id)?.name
  const style = isOld ? 'text-ink-3' : 'text-ink'
  if (text === undefined) return <span className={style}>empty</span>
  if (name) return <span className={style}>{name}</span>
  if (typeof value !== 'string') return <span className={style}>{text.slice(0, 200)}</span>
  if (field?.type === 'reference') return <UnnamedLink field={field} id={id} isPlain />
  if (field?.type === 'due')
    return <span className={style}>{isDay(value) ? formatDate(value) : formatDateTime(value)}</span>
  const isPlain =
    field && !['money', 'reference', 'references', 'select', 'boolean', 'datetime'].includes(field.type)
  return (
    <span className={style}>
      {isPlain ? <PlainValue field={field} value={value} /> : humanize(id.slice(0, 200))}
    </span>
  )
}
