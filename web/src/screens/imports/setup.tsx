/** Before the start: where each column goes, the rules, and what a dry run has found out. */
import type { Job } from '#data/jobs.ts'
import { useIsWriter } from '#data/session.ts'
import { Columns } from './columns.tsx'
import { useImportFields } from './fields.ts'
import { FileFacts } from './file-facts.tsx'
import type { Import } from './kinds.ts'
import { Outcome } from './outcome.tsx'
import { Preview } from './preview.tsx'
import { Problems } from './problems.tsx'
import { Rules } from './rules.tsx'
import { useSettings } from './use-import.ts'

export function Setup({ record, job }: { record: Import; job: Job | undefined }) {
  const settings = useSettings(record.id)
  const isWriter = useIsWriter()
  const mapped = Object.values(record.mapping).filter(name => typeof name === 'string')
  const fields = useImportFields(record.entity_type, mapped)
  const isChecked = record.status === 'ready'
  // below the columns of a narrow screen nobody would see what has happened
  const isTried = isChecked || record.status === 'validating'
  const outcome = <Outcome record={record} job={job} />
  return (
    <div className="flex min-h-full max-[959px]:flex-col">
      {isTried && <div className="border-b border-line bg-canvas p-4 min-[960px]:hidden">{outcome}</div>}
      <div className="min-w-0 flex-1 pb-10">
        <fieldset disabled={!isWriter} className="contents">
          <Columns record={record} fields={fields} onChange={settings.mutate} />
        </fieldset>
        {isChecked && record.error_count + record.warning_count + record.skipped_count > 0 ? (
          <Problems record={record} title="What the dry run found" />
        ) : (
          <Preview record={record} fields={fields} isSaving={settings.isPending} />
        )}
      </div>
      <aside
        aria-label="Rules of the import"
        className="flex w-80 shrink-0 flex-col gap-6 border-l border-line bg-canvas p-4 max-[959px]:w-full max-[959px]:border-t max-[959px]:border-l-0"
      >
        {isTried ? <div className="max-[959px]:hidden">{outcome}</div> : outcome}
        <fieldset disabled={!isWriter} className="contents">
          <Rules record={record} fields={fields} onChange={settings.mutate} />
          <FileFacts record={record} onChange={settings.mutate} />
        </fieldset>
      </aside>
    </div>
  )
}
