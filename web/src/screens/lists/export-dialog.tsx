/** Exports the rows of the list, or the selected ones, as a file. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListGroupName } from '#app/router.tsx'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Meter } from '#components/meter.tsx'
import { Segments } from '#components/segments.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import type { Field, FieldType } from '#data/field-types.ts'
import { kindOf } from '#data/groups.ts'
import { followJob, type Job } from '#data/jobs.ts'
import { saveFile } from '#lib/download.ts'
import { countOf } from './bulk-actions.ts'
import type { Column } from './columns.ts'

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
] as const
const EXTENTS = [
  { value: 'all', label: 'All fields' },
  { value: 'columns', label: 'The columns shown' },
] as const

const NAMED: readonly FieldType[] = ['user', 'stage', 'pipeline', 'reference', 'references']

/** Two columns for a day with an optional time. */
const exportedNames = (field: Field): string[] =>
  field.type === 'due' ? ['due_at', 'due_date'] : [exportedName(field)]

/** In a file a link is more use as a name than as an id. */
const exportedName = ({ key, type }: Field): string =>
  NAMED.includes(type) ? key.replace(/_ids$/, '_names').replace(/_id$/, '_name') : key

interface ExportDialogProps {
  group: ListGroupName
  /** the search and condition of the list */
  query: Readonly<Record<string, unknown>>
  /** these records instead, if there are any */
  ids: ReadonlySet<string>
  total: number
  columns: readonly Column[]
  onClose: () => void
}

export function ExportDialog({ group, query, ids, total, columns, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<'csv' | 'json'>('csv')
  const [extent, setExtent] = useState<'all' | 'columns'>('all')
  const [job, setJob] = useState<Job>()
  const kind = kindOf(group)
  const count = countOf(kind, ids.size || total)
  const run = useMutation({
    mutationFn: async () => {
      const selection = ids.size > 0 ? { ids: [...ids] } : selectionOf(query)
      const fields = extent === 'columns' ? columns.flatMap(({ field }) => exportedNames(field)) : undefined
      const created = await kith.request('POST', '/api/exports', {
        body: {
          entity_type: kind,
          format,
          bom: format === 'csv',
          filter: {},
          ...selection,
          ...(fields ? { fields } : {}),
        },
      })
      for await (const state of followJob(created.job_id ?? '')) setJob(state)
      const path = { export_id: created.id }
      const { file_name, error, row_count } = await kith.request('GET', '/api/exports/{export_id}', { path })
      if (error) throw new Error(error)
      saveFile(await kith.request('GET', '/api/exports/{export_id}/download', { path }), file_name)
      toast(`Exported ${countOf(kind, row_count ?? 0)} to ${file_name}`)
      onClose()
    },
    onError: showError,
  })
  const done = job ? job.progress.done / (job.progress.total ?? (ids.size || total)) : undefined
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" disabled={run.isPending} onClick={() => run.mutate()}>
        {run.isPending ? 'Exporting…' : 'Export'}
      </Button>
    </>
  )
  const isFiltered = ids.size === 0 && ('search' in query || 'where' in query)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Export ${count}`}
      description={
        ids.size > 0 ? 'The selected rows.' : isFiltered ? 'Those that match the filter.' : 'All of them.'
      }
      footer={footer}
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Segments label="Format" value={format} options={FORMATS} onChange={setFormat} />
          <Segments label="Fields" value={extent} options={EXTENTS} onChange={setExtent} />
        </div>
        <p className="text-xs text-ink-3">
          {extent === 'all'
            ? 'A file with all fields can be imported again.'
            : 'Links are exported as names.'}
        </p>
        <div className="h-1.5">{run.isPending && <Meter label="Export" value={done} />}</div>
      </div>
    </Dialog>
  )
}

/** What an export takes of a list: the order is that of the file. */
const selectionOf = ({ search, where }: Readonly<Record<string, unknown>>) => ({
  filter: search ? { search } : {},
  ...(where ? { where: where as Record<string, unknown> } : {}),
})
