/** What an import would do, or has done, in figures. */
import { Meter } from '#components/meter.tsx'
import type { Job } from '#data/jobs.ts'
import { classes } from '#lib/classes.ts'
import { formatNumber } from '#lib/format.ts'
import type { Import } from './kinds.ts'

/** The dry run: how to start it, how far it is, what it has found out. */
export function Outcome({ record, job }: { record: Import; job: Job | undefined }) {
  const { status, total_rows } = record
  const done = job?.progress.done ?? 0
  return (
    <section aria-label="Dry run" className="flex min-h-34 flex-col gap-2">
      <h2 className="text-xs font-medium text-ink-2">Dry run</h2>
      {status === 'validating' ? (
        <>
          <Meter label="Dry run" value={total_rows > 0 && job ? done / total_rows : undefined} />
          <p className="text-xs text-ink-3 tabular" role="status">
            {formatNumber(done)} of {formatNumber(total_rows)} rows
          </p>
        </>
      ) : status === 'ready' ? (
        <Figures record={record} />
      ) : (
        <>
          <p className="text-ink-2">
            It does everything that the import would do and takes it back, so that you see what would happen.
            Nothing stays.
          </p>
          {record.error && <p className="text-bad">{record.error}</p>}
        </>
      )}
    </section>
  )
}

export const FIGURES = [
  { key: 'created_count', label: 'New', after: 'Created' },
  { key: 'updated_count', label: 'Changed', after: 'Updated' },
  { key: 'skipped_count', label: 'Here already', after: 'Skipped' },
  { key: 'error_count', label: 'Would fail', after: 'Failed' },
  { key: 'warning_count', label: 'Values left out', after: 'Values left out' },
] as const

function Figures({ record }: { record: Import }) {
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-1">
      {FIGURES.map(({ key, label }) => {
        const isBad = key === 'error_count' && record[key] > 0
        return (
          <div key={key} className="col-span-2 grid grid-cols-subgrid">
            <dt className={isBad ? 'text-bad' : 'text-ink-2'}>{label}</dt>
            <dd
              className={classes(
                'text-right font-medium tabular',
                isBad && 'text-bad',
                record[key] === 0 && 'font-normal text-ink-3',
              )}
            >
              {formatNumber(record[key])}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
