/** What an import has done. */
import { Link } from '@tanstack/react-router'
import { buttonClass } from '#components/button.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { classes } from '#lib/classes.ts'
import { formatCount, formatNumber } from '#lib/format.ts'
import { IMPORT_KINDS, type Import, listOf } from './kinds.ts'
import { FIGURES } from './outcome.tsx'
import { Problems } from './problems.tsx'

export function Result({ record }: { record: Import }) {
  const { many } = IMPORT_KINDS[record.entity_type]
  const list = listOf(record.entity_type)
  return (
    <div className="pb-10">
      <section aria-label="Result" className="flex flex-col gap-5 px-4 py-6">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="min-w-0 flex-1 text-ink-2">
            {sentenceOf(record)}{' '}
            {record.finished_at && <TimeAgo time={record.finished_at} className="text-ink-3" />}
          </p>
          {list && record.operation_id && record.status !== 'reverted' && (
            <Link
              to="/$group"
              params={{ group: list }}
              search={
                { where: { field: 'operation_id', op: 'eq', value: record.operation_id } } as Record<
                  string,
                  unknown
                >
              }
              className={buttonClass('secondary', 'sm')}
            >
              Open the imported {many}
            </Link>
          )}
        </div>
        <dl className="grid grid-cols-5 gap-px overflow-hidden rounded-lg border border-line bg-line max-[719px]:grid-cols-2">
          {FIGURES.map(({ key, after }) => (
            <div key={key} className="flex flex-col-reverse bg-surface px-3 py-2 max-[719px]:last:col-span-2">
              <dt className="text-xs text-ink-3">{after}</dt>
              <dd
                className={classes(
                  'text-xl font-semibold tracking-tight tabular',
                  record[key] === 0 && 'text-ink-3',
                  key === 'error_count' && record[key] > 0 && 'text-bad',
                )}
              >
                {formatNumber(record[key])}
              </dd>
            </div>
          ))}
        </dl>
        {record.error && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
            {record.error}
          </p>
        )}
        {record.status === 'reverted' && <Conflicts record={record} />}
      </section>
      <Problems record={record} title="Row by row" />
    </div>
  )
}

function sentenceOf({ status, total_rows, reverted_count }: Import): string {
  const rows = formatCount(total_rows, 'row')
  if (status === 'reverted') return `Undone: ${formatCount(reverted_count ?? 0, 'change')} taken back.`
  if (status === 'cancelled') return 'Stopped before the end. What was imported until then is here.'
  if (status === 'failed') return 'The import ended with an error. What was imported until then is here.'
  return `All ${rows} of the file have been read.`
}

/** What the undo left alone. */
function Conflicts({ record: { conflict_count, conflicts } }: { record: Import }) {
  if (!conflict_count) return null
  return (
    <div className="text-ink-2">
      {formatCount(conflict_count, 'record was', 'records were')} changed since and stay as they are:{' '}
      {conflicts?.map(({ entity_type, entity_id, fields }) => (
        <Link
          key={entity_id}
          to="/$group/$id"
          params={{
            group: IMPORT_KINDS[entity_type as Import['entity_type']]?.many ?? 'contacts',
            id: entity_id,
          }}
          className="mr-2 text-accent-text hover:underline"
        >
          {entity_type}
          {fields.length > 0 ? ` (${fields.join(', ')})` : ''}
        </Link>
      ))}
    </div>
  )
}
