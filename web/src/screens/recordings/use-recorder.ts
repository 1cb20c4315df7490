/** Records the microphone with the browser's own recorder. */
import { useEffect, useRef, useState } from 'react'
import { showError } from '#components/toast.tsx'
import { today } from '#lib/format.ts'

/** What the service can read, in order of preference. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']

/** Holds recorders until they have stopped: one whose screen has gone could be collected before its recording is sent. */
const stopping = new Set<MediaRecorder>()

export interface Recorder {
  isRecording: boolean
  seconds: number
  start: () => Promise<void>
  stop: () => void
  cancel: () => void
}

function nameOf(type: string): string {
  const now = new Date()
  const time = `${String(now.getHours()).padStart(2, '0')}.${String(now.getMinutes()).padStart(2, '0')}`
  const ending = type.includes('mp4') ? 'm4a' : type.includes('ogg') ? 'ogg' : 'webm'
  return `Recording ${today(now)} ${time}.${ending}`
}

/** Why the microphone cannot be used, as a sentence that says what to do. */
const refusal = (error: unknown): Error =>
  error instanceof DOMException && error.name === 'NotAllowedError'
    ? new Error('The browser may not use the microphone. Allow it in the address bar, or drop a file.')
    : new Error('No microphone was found. Connect one, or drop a file.')

export function useRecorder(onRecorded: (file: File) => void): Recorder {
  const [startedAt, setStartedAt] = useState<number>()
  const [seconds, setSeconds] = useState(0)
  const recorder = useRef<MediaRecorder>(undefined)
  const isCancelled = useRef(false)

  useEffect(() => {
    if (startedAt === undefined) return
    const timer = setInterval(() => setSeconds((Date.now() - startedAt) / 1000), 500)
    return () => clearInterval(timer)
  }, [startedAt])
  useEffect(() => () => end(recorder.current), [])

  const start = async () => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const mimeType = TYPES.find(type => MediaRecorder.isTypeSupported(type)) ?? ''
      const current = new MediaRecorder(stream, mimeType ? { mimeType } : {})
      const pieces: Blob[] = []
      isCancelled.current = false
      current.addEventListener('dataavailable', ({ data }) => pieces.push(data))
      current.addEventListener('stop', () => {
        for (const track of stream.getTracks()) track.stop()
        setStartedAt(undefined)
        stopping.delete(current)
        if (isCancelled.current) return
        const type = current.mimeType.split(';')[0] ?? ''
        onRecorded(new File(pieces, nameOf(type), { type }))
      })
      stopping.add(current)
      current.start(1000)
      recorder.current = current
      setSeconds(0)
      setStartedAt(Date.now())
    } catch (error) {
      showError(refusal(error))
    }
  }
  return {
    isRecording: startedAt !== undefined,
    seconds,
    start,
    stop: () => end(recorder.current),
    cancel: () => {
      isCancelled.current = true
      end(recorder.current)
    },
  }
}

function end(recorder: MediaRecorder | undefined): void {
  if (recorder && recorder.state !== 'inactive') recorder.stop()
}
