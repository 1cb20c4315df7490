/** Asks before the screen is left while the microphone is on: leaving ends the recording. */
import { useBlocker } from '@tanstack/react-router'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import type { Recorder } from './use-recorder.ts'

export function LeaveQuestion({ recorder }: { recorder: Recorder }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => true,
    enableBeforeUnload: true,
    withResolver: true,
  })
  const leave = (end: () => void) => () => {
    end()
    proceed?.()
  }
  const footer = (
    <>
      <Button variant="ghost-danger" onClick={leave(recorder.cancel)}>
        Discard
      </Button>
      <Button onClick={() => reset?.()}>Keep recording</Button>
      <Button variant="primary" onClick={leave(recorder.stop)}>
        Stop and transcribe
      </Button>
    </>
  )
  return (
    <Dialog isOpen={status === 'blocked'} onClose={() => reset?.()} title="You are recording" footer={footer}>
      <p className="text-ink-2">The microphone is on only while this screen is open.</p>
    </Dialog>
  )
}
