import { Square } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { formatDuration } from './recordings.ts'
import type { Recorder } from './use-recorder.ts'

/** Floats above the screen while the microphone is on. */
export const RecorderBar = ({ recorder }: { recorder: Recorder }) => (
  <div
    role="toolbar"
    aria-label="Recording"
    className="absolute inset-x-0 bottom-4 z-20 mx-auto flex w-fit items-center gap-3 rounded-lg bg-raised p-2 pl-4 shadow-float"
  >
    <span className="size-2.5 animate-pulse rounded-full bg-bad" />
    <span className="min-w-12 font-medium tabular" role="timer">
      {formatDuration(recorder.seconds)}
    </span>
    <Button size="sm" variant="ghost" onClick={recorder.cancel}>
      Discard
    </Button>
    <Button size="sm" variant="primary" onClick={recorder.stop}>
      <Square size={12} fill="currentColor" /> Stop and transcribe
    </Button>
  </div>
)
