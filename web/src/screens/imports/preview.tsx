/** What the first rows would become. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Badge } from '#components/badge.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { kith, messageOf } from '#data/client.ts'
import type { Tone } from '#data/field-types.ts'
import { keys } from '#data/keys.ts'
import { formatDate, humanize } from '#lib/format.ts'
import type { ImportField } from './fields.ts'
import type { Import } from './kinds.ts'
import { worded } from './warnings.ts'

const ROWS = 8

const OUTCOMES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  created: { label: 'New', tone: 'good' },
  updated: { label: 'Changed', tone: 'accent' },
  skipped: { label: 'Here already', tone: 'neutral' },
  failed: { label: 'Fails', tone: 'bad' },
}

interface PreviewProps {
  record: Import
  fields: readonly ImportField[]
  /** the settings on the screen are not at the service yet */
  isSaving: boolean
}

export function Preview({ record, fields, isSaving }: PreviewProps) {
  const { id, updated_at, status } = record
  const { data, error } = useQuery({
    queryKey: keys.other('imports', 'preview', { id, updated_at }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/imports/{import_id}/preview', {
        path: { import_id: id },
        query: { rows: ROWS },
        signal,
      }),
    enabled: !isSaving && status !== 'validating',
    placeholderData: keepPreviousData,
    meta: { hasOwnMessage: true },
  })
  const labels = new Map(fields.map(({ name, label }) => [name, label]))
  return (
    <section aria-label="First rows">
      <h2 className="flex h-9 items-center border-b border-line bg-canvas px-4 text-xs font-medium text-ink-3">
        The first rows
      </h2>
      {error ? (
        <p className="px-4 py-3 text-bad">{messageOf(error)}</p>
      ) : data ? (
        data.items.map(item => <Row key={item.row} item={item} labels={labels} />)
      ) : (
        [72, 56, 64, 60].map(width => (
          <div key={width} className="flex h-9 items-center border-b border-line px-4">
            <span style={{ width: `${width}%` }}>
              <Skeleton className="h-3 w-full" />
            </span>
          </div>
        ))
      )}
    </section>
  )
}

interface Item {
  row: number
  outcome: string
  values: Record<string, unknown>
  errors: { message: string; column: string | null }[]
  warnings: { message: string; column: string | null }[]
}

function Row({ item, labels }: { item: Item; labels: ReadonlyMap<string, string> }) {
  const { label, tone } = OUTCOMES[item.outcome] ?? { label: item.outcome, tone: 'neutral' }
  const values = Object.entries(item.values).flatMap(([name, value]) => shown(name, value))
  return (
    <div className="flex min-h-9 items-start gap-3 border-b border-line px-4 py-2">
      <span className="w-8 shrink-0 text-right text-ink-3 tabular">{item.row}</span>
      <span className="w-20 shrink-0">
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap gap-x-4">
          {values.map(([name, text]) => (
            <span key={name} className="max-w-72 truncate">
              <span className="mr-1.5 text-xs text-ink-3">{labels.get(name) ?? humanize(name)}</span>
              {text}
            </span>
          ))}
        </span>
        {item.errors.map(({ column, message }) => (
          <span key={`${column} ${message}`} className="block text-xs text-bad">
            {[column, worded(message)].filter(Boolean).join(': ')}
          </span>
        ))}
        {item.warnings.map(({ column, message }) => (
          <span key={`${column} ${message}`} className="block text-xs text-warn">
            {[column, worded(message)].filter(Boolean).join(': ')}
          </span>
        ))}
      </span>
    </div>
  )
}

/** Ids of linked records say nothing to people. */
function shown(name: string, value: unknown): [string, string][] {
  if (value === null || value === '' || /_ids?$/.test(name) || name === 'id') return []
  if (Array.isArray(value)) return value.length > 0 ? [[name, value.map(textOf).join(', ')]] : []
  if (typeof value !== 'object') return [[name, textOf(value)]]
  const nested = Object.entries(value as object)
  return nested.map(([key, item]) => [name === 'metadata' ? `cf.${key}` : `${name}.${key}`, textOf(item)])
}

const DAY = /^\d{4}-\d\d-\d\d$/

const textOf = (value: unknown): string => {
  if (typeof value === 'string' && DAY.test(value)) return formatDate(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return String(Object.values(value)[0] ?? '')
}
