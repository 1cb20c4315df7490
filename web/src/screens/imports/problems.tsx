/** The rows that failed, were skipped or lost a value, each with its reason. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Segments } from '#components/segments.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { csvFor, usualDelimiter } from '#lib/csv.ts'
import { saveFile } from '#lib/download.ts'
import { formatNumber } from '#lib/format.ts'
import { plainSentence } from '#lib/problems.ts'
import type { Import } from './kinds.ts'
import { worded } from './warnings.ts'

type Severity = 'error' | 'warning' | 'skipped'

const PAGE = 50
const TABS = [
  { value: 'error', label: 'Failed', count: 'error_count' },
  { value: 'warning', label: 'Left out', count: 'warning_count' },
  { value: 'skipped', label: 'Skipped', count: 'skipped_count' },
] as const

/** Like the file that was imported: people correct it in the same program. */
async function saveFailed({ id, file_name, format, delimiter }: Import): Promise<void> {
  const path = { import_id: id }
  const text = await kith.request('GET', '/api/imports/{import_id}/errors.csv', { path })
  const file = csvFor(format === 'csv' ? delimiter : usualDelimiter(), text)
  saveFile(file, `${file_name.replace(/\.[^.]*$/, '')}-errors.csv`)
}

export function Problems({ record, title }: { record: Import; title: string }) {
  const [severity, setSeverity] = useState<Severity>(
    () => TABS.find(({ count }) => record[count] > 0)?.value ?? 'error',
  )
  const { data, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: keys.other('imports', 'errors', { id: record.id, severity, updated_at: record.updated_at }),
    queryFn: ({ pageParam, signal }) =>
      kith.request('GET', '/api/imports/{import_id}/errors', {
        path: { import_id: record.id },
        query: { severity, page: pageParam, page_size: PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total_pages }) => (page < total_pages ? page + 1 : undefined),
  })
  const items = data?.pages.flatMap(page => page.items) ?? []
  return (
    <section aria-label={title}>
      <div className="flex min-h-10 flex-wrap items-center gap-3 border-y border-line bg-canvas px-4 py-1.5">
        <h2 className="text-xs font-medium text-ink-3 max-[719px]:sr-only">{title}</h2>
        <Segments
          label="Rows"
          value={severity}
          options={TABS.map(({ value, label, count }) => ({
            value,
            label: `${label} ${formatNumber(record[count])}`,
          }))}
          onChange={setSeverity}
        />
        {record.error_count > 0 && (
          <Button size="sm" className="ml-auto" onClick={() => void saveFailed(record).catch(showError)}>
            <Download size={14} /> Failed rows
          </Button>
        )}
      </div>
      {isPending ? (
        <div className="p-4">
          <Skeleton className="h-3 w-80" />
        </div>
      ) : items.length === 0 ? (
        <EmptyState icon={CircleCheck} title={NONE[severity]} />
      ) : (
        <ul>
          {items.map(item => (
            <li
              key={`${item.row} ${item.column} ${item.code} ${item.value}`}
              className="flex gap-3 border-b border-line px-4 py-2"
            >
              <span className="w-12 shrink-0 text-right text-ink-3 tabular">{item.row}</span>
              <span className="min-w-0 flex-1">
                {item.column && <span className="mr-2 font-medium">{item.column}</span>}
                {severity !== 'skipped' && item.value && (
                  <span className="mr-2 text-ink-3">“{item.value}”</span>
                )}
                <span className={severity === 'error' ? 'text-bad' : 'text-ink-2'}>
                  {plainSentence(worded(item.message))}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="ghost" size="sm" className="m-3" onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  )
}

const NONE: Readonly<Record<Severity, string>> = {
  error: 'No row failed',
  warning: 'No value was left out',
  skipped: 'No row was skipped',
}
