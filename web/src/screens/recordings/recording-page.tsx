/** One recording: what was said, when, and what it belongs to. */
import { useNavigate } from '@tanstack/react-router'
import { RotateCcw, SearchX, Trash2 } from 'lucide-react'
import { Button, IconButton } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Meter } from '#components/meter.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, messageOf } from '#data/client.ts'
import { useDelete } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { KeepAsNote } from './keep-as-note.tsx'
import { Player } from './player.tsx'
import { isRunning, type Recording, useRecording } from './recordings.ts'

export function RecordingPage({ id }: { id: string }) {
  const { data, error, refetch } = useRecording(id)
  if (error && !data) {
    return (
      <EmptyState icon={SearchX} title="The recording could not be read">
        {messageOf(error)}
      </EmptyState>
    )
  }
  const retry = async () => {
    await kith.request('POST', '/api/transcriptions/{transcription_id}/retry', {
      path: { transcription_id: id },
    })
    await refetch()
    toast('Transcribing it again')
  }
  return (
    <div className="mx-auto max-w-180 px-8 py-6 max-[719px]:px-4 max-[719px]:py-4">
      {data ? <Opened recording={data} onRetry={() => void retry().catch(showError)} /> : <PageSkeleton />}
    </div>
  )
}

function Opened({ recording, onRetry }: { recording: Recording; onRetry: () => void }) {
  const { id, file_name, created_at, language, error, status, summary, progress } = recording
  const isWriter = useIsWriter()
  const navigate = useNavigate()
  const remove = useDelete('transcriptions')
  return (
    <article aria-label={file_name}>
      <header className="mb-4 flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-xl font-semibold">{file_name}</h2>
          <p className="text-xs text-ink-2">
            <TimeAgo time={created_at} />
            {language && ` · ${language}`}
          </p>
        </div>
        {isWriter && !isRunning(recording) && (
          <Button size="sm" onClick={onRetry}>
            <RotateCcw size={13} /> Transcribe again
          </Button>
        )}
        {isWriter && (
          <IconButton
            label={`Delete ${file_name}`}
            onClick={() =>
              remove.mutate({ id, name: file_name, leave: () => navigate({ to: '/recordings' }) })
            }
          >
            <Trash2 size={15} />
          </IconButton>
        )}
      </header>
      {isRunning(recording) && (
        <div className="mb-4">
          <div className="mb-1 text-xs text-ink-2">
            {status === 'queued' ? 'Waiting to be transcribed' : 'Transcribing…'}
          </div>
          <Meter label="Progress of the transcription" value={progress / 100} />
        </div>
      )}
      {status === 'failed' && <p className="mb-4 rounded-md bg-bad-soft px-3 py-2 text-bad">{error}</p>}
      {isWriter && <KeepAsNote recording={recording} />}
      {summary && (
        <section aria-label="Summary" className="mb-4">
          <h3 className="mb-1 text-xs font-medium text-ink-3">Summary</h3>
          <p className="max-w-[68ch]">{summary}</p>
        </section>
      )}
      <Player recording={recording} />
    </article>
  )
}

const PageSkeleton = () => (
  <div className="flex flex-col gap-4" role="status" aria-label="Loading">
    <Skeleton className="h-6 w-64" />
    <Skeleton className="h-9 w-full" />
    <Skeleton className="h-24 w-full" />
  </div>
)
