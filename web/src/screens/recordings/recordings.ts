/** Uploading recordings, and following their transcription. */
import type { Schemas } from '@kith/client'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showError, showRefusal } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { refreshLists, useRecord } from '#data/records.ts'

export type Recording = Schemas['Transcription']

interface Progress {
  status: Recording['status']
  progress: number
  segments: Recording['segments']
}

export const isRunning = ({ status }: Recording): boolean => status === 'queued' || status === 'processing'

export function useUploadRecording(onUploaded: (recording: Recording) => void) {
  const upload = useMutation({
    mutationFn: (file: File) => kith.request('POST', '/api/transcriptions', { body: { file } }),
    onSuccess: recording => {
      void refreshLists('transcriptions')
      onUploaded(recording)
    },
    // what was recorded exists nowhere else
    onError: (error, file) => showRefusal(error, { label: 'Try again', run: () => upload.mutate(file) }),
  })
  return upload
}

/** A recording; while it is transcribed its segments appear as they are recognised. */
export function useRecording(id: string) {
  const result = useRecord('transcriptions', id)
  const isActive = result.data !== undefined && isRunning(result.data)
  useEffect(() => {
    if (!isActive) return
    const stop = new AbortController()
    follow(id, stop.signal).catch(error => {
      if (!stop.signal.aborted) showError(error)
    })
    return () => stop.abort()
  }, [id, isActive])
  return result
}

async function follow(transcription_id: string, signal: AbortSignal): Promise<void> {
  const key = keys.record('transcriptions', transcription_id)
  let segments: Recording['segments'] = []
  const path = { transcription_id }
  for await (const { event, data } of kith.stream('/api/transcriptions/{transcription_id}/events', {
    path,
    signal,
  })) {
    const next = JSON.parse(data) as Progress
    // the first event has all segments so far, later ones the new ones
    segments = [...segments, ...next.segments]
    if (event === 'end') break
    queryClient.setQueryData<Recording>(
      key,
      old =>
        old && {
          ...old,
          progress: next.progress,
          segments,
          ...(event === 'progress' ? { status: next.status } : {}),
        },
    )
  }
  await Promise.all([queryClient.invalidateQueries({ queryKey: key }), refreshLists('transcriptions')])
}

/** 6.88 → 0:07, 3725 → 1:02:05 */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const pad = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
}
