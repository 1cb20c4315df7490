/** One import: its settings until it starts, its progress, and then its result. */
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, SearchX, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button, buttonClass } from '#components/button.tsx'
import { Confirm } from '#components/dialog.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { ScreenSkeleton } from '#components/skeleton.tsx'
import { messageOf } from '#data/client.ts'
import { useIsWriter } from '#data/session.ts'
import { formatCount } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { IMPORT_KINDS, type Import, isBusy, isOpen, STATUSES } from './kinds.ts'
import { Progress } from './progress.tsx'
import { Result } from './result.tsx'
import { Setup } from './setup.tsx'
import { useImport, useStep } from './use-import.ts'

export function ImportPage({ id }: { id: string }) {
  const { data, error, job } = useImport(id)
  const navigate = useNavigate()
  useShortcuts({ escape: () => void navigate({ to: '/imports' }) })
  const back = (
    <Link
      to="/imports"
      aria-label="All imports"
      title="All imports"
      className={buttonClass('ghost', 'icon', '-ml-1.5')}
    >
      <ArrowLeft size={16} />
    </Link>
  )
  if (!data) {
    return (
      <Screen title="Import" before={back}>
        {error ? (
          <EmptyState icon={SearchX} title="The import could not be read">
            {messageOf(error)}
          </EmptyState>
        ) : (
          <ScreenSkeleton />
        )}
      </Screen>
    )
  }
  // an import that has finished runs again only to be undone
  const isReverting = data.status === 'running' && data.finished_at !== null
  return (
    <Screen
      title={data.file_name}
      before={back}
      aside={
        <span className="shrink-0 max-[719px]:hidden">
          <Badge tone={STATUSES[data.status].tone}>{STATUSES[data.status].label}</Badge>
        </span>
      }
      actions={<Actions record={data} isReverting={isReverting} />}
    >
      {data.status === 'running' ? (
        <Progress record={data} job={job} isReverting={isReverting} />
      ) : isOpen(data) ? (
        <Setup record={data} job={job} />
      ) : (
        <Result record={data} />
      )}
    </Screen>
  )
}

/** After the dry run: those that would fail or are here already are not imported. */
const rowsToWrite = ({ status, total_rows, created_count, updated_count }: Import): number =>
  status === 'ready' ? created_count + updated_count : total_rows

function Actions({ record, isReverting }: { record: Import; isReverting: boolean }) {
  const step = useStep(record.id)
  const isWriter = useIsWriter()
  const [isAsking, setAsking] = useState(false)
  const { one, many } = IMPORT_KINDS[record.entity_type]
  if (!isWriter) return null
  if (isBusy(record)) {
    if (isReverting) return null
    return (
      <Button size="sm" onClick={() => step.mutate('cancel')} disabled={step.isPending}>
        {record.status === 'running' ? 'Stop' : 'Stop the dry run'}
      </Button>
    )
  }
  if (isOpen(record)) {
    const isReady = record.status === 'ready'
    return (
      <>
        {!isReady && (
          <Button
            size="sm"
            variant="primary"
            disabled={step.isPending}
            onClick={() => step.mutate('validate')}
          >
            Dry run
          </Button>
        )}
        <Button
          size="sm"
          variant={isReady ? 'primary' : 'secondary'}
          disabled={step.isPending || rowsToWrite(record) === 0}
          onClick={() => step.mutate('start')}
        >
          Import {formatCount(rowsToWrite(record), one, many)}
        </Button>
      </>
    )
  }
  if (record.status === 'reverted' || !record.operation_id) return null
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)} disabled={step.isPending}>
        <Undo2 size={14} /> Undo this import
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Undo this import?"
        action="Undo"
        onConfirm={() => step.mutate('revert')}
      >
        What it created goes to the trash, and what it changed is put back. What people have changed since
        stays as it is.
      </Confirm>
    </>
  )
}
