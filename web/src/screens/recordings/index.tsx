/** Recordings: record or drop a file, read the text as it is recognised, keep it as a note. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, Mic, Upload } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { toast } from '#components/toast.tsx'
import { useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { formatNumber } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { usePhone } from '#lib/use-media.ts'
import { LeaveQuestion } from './leave-question.tsx'
import { RecorderBar } from './recorder-bar.tsx'
import { ListSkeleton, RecordingList } from './recording-list.tsx'
import { RecordingPage } from './recording-page.tsx'
import { useUploadRecording } from './recordings.ts'
import { useRecorder } from './use-recorder.ts'

export default function Recordings() {
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const isPhone = usePhone()
  const isWriter = useIsWriter()
  const { items, total, isLoading, hasNextPage, fetchNextPage } = useList('transcriptions', {
    sort_by: 'created_at',
    sort_order: 'desc',
    page_size: 50,
  })
  const open = (recording: string) => void navigate({ to: '/recordings/$id', params: { id: recording } })
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const upload = useUploadRecording(({ id: uploaded, file_name }) => {
    // who has left the screen is not brought back
    if (isHere.current) open(uploaded)
    else toast(`${file_name} is being transcribed`, { label: 'Open', run: () => open(uploaded) })
  })
  const recorder = useRecorder(file => upload.mutate(file))
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const shown = id ?? (isPhone ? undefined : items[0]?.id)
  useShortcuts({ r: () => void (recorder.isRecording ? recorder.stop() : isWriter && recorder.start()) })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && isWriter) upload.mutate(file)
  }
  const actions = isWriter && (
    <>
      <input
        ref={input}
        type="file"
        accept="audio/*,video/*"
        hidden
        aria-label="File of a recording"
        onChange={event => {
          const [file] = event.target.files ?? []
          if (file) upload.mutate(file)
          event.target.value = ''
        }}
      />
      <Button size="sm" disabled={upload.isPending} onClick={() => input.current?.click()}>
        <Upload size={15} /> {upload.isPending ? 'Uploading…' : 'Upload'}
      </Button>
      <Button
        variant="primary"
        size="sm"
        disabled={recorder.isRecording}
        onClick={() => void recorder.start()}
      >
        <Mic size={15} /> Record
      </Button>
    </>
  )
  const back = isPhone && id !== undefined && (
    <IconButton label="Back to the recordings" onClick={() => void navigate({ to: '/recordings' })}>
      <ArrowLeft size={16} />
    </IconButton>
  )
  return (
    <Screen
      title="Recordings"
      before={back}
      aside={<span className="text-ink-3 tabular">{isLoading ? '' : formatNumber(total)}</span>}
      actions={actions}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button */}
      <div
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classes('flex h-full', isOver && 'bg-accent-soft')}
      >
        {isLoading ? (
          <ListSkeleton />
        ) : items.length === 0 ? (
          <div className="flex-1">
            <EmptyState icon={Mic} title="No recordings yet">
              Record a call or a thought, or drop an audio file here. The service writes down what is said, on
              your own machine.
            </EmptyState>
          </div>
        ) : (
          <>
            {(!isPhone || id === undefined) && (
              <RecordingList
                items={items}
                openId={shown}
                onMore={hasNextPage ? () => void fetchNextPage() : undefined}
              />
            )}
            {shown && (
              <div className="min-w-0 flex-1 overflow-y-auto scroll-thin">
                <RecordingPage key={shown} id={shown} />
              </div>
            )}
          </>
        )}
      </div>
      {recorder.isRecording && (
        <>
          <RecorderBar recorder={recorder} />
          <LeaveQuestion recorder={recorder} />
        </>
      )}
    </Screen>
  )
}
