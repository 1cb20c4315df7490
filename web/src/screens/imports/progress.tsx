/** An import while it runs, or while it is undone. */
import { Meter } from '#components/meter.tsx'
import type { Job } from '#data/jobs.ts'
import { formatNumber } from '#lib/format.ts'
import { IMPORT_KINDS, type Import } from './kinds.ts'

interface ProgressProps {
  record: Import
  job: Job | undefined
  isReverting: boolean
}

export function Progress({ record, job, isReverting }: ProgressProps) {
  const total = isReverting ? job?.progress.total : record.total_rows
  const done = isReverting
    ? (job?.progress.done ?? 0)
    : Math.max(record.processed_rows, job?.progress.done ?? 0)
  const { many } = IMPORT_KINDS[record.entity_type]
  const title = isReverting ? `Undoing the import of ${many}` : `Importing ${many}`
  return (
    <div className="mx-auto flex max-w-130 flex-col gap-3 px-4 py-16">
      <h2 className="text-base font-semibold">{title}</h2>
      <Meter label={title} value={total ? done / total : undefined} />
      <p role="status" className="flex justify-between text-ink-2 tabular">
        <span>
          {formatNumber(done)}
          {total ? ` of ${formatNumber(total)}` : ''} {isReverting ? 'changes' : 'rows'}
        </span>
        {!isReverting && (
          <span className="text-ink-3">
            {formatNumber(record.created_count)} new, {formatNumber(record.updated_count)} changed,{' '}
            {formatNumber(record.error_count)} failed
          </span>
        )}
      </p>
      <p className="text-xs text-ink-3">You can leave this page: it goes on without it.</p>
    </div>
  )
}
