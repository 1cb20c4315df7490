import { Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { classes } from '#lib/classes.ts'
import { formatDuration, isRunning, type Recording } from './recordings.ts'

/** The sound and its segments. The sound is loaded when it is played: an address alone would lack the session. */
export function Player({ recording }: { recording: Recording }) {
  const { id, segments, text, file_name } = recording
  const [url, setUrl] = useState('')
  const [time, setTime] = useState(-1)
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => () => URL.revokeObjectURL(url), [url])

  const load = async (): Promise<void> => {
    const path = { transcription_id: id }
    const response = await kith.response('GET', '/api/transcriptions/{transcription_id}/audio', { path })
    setUrl(URL.createObjectURL(await response.blob()))
  }
  const playFrom = async (start: number) => {
    if (!url) await load()
    // the element is there after the next paint
    requestAnimationFrame(() => {
      if (!audio.current) return
      audio.current.currentTime = start
      void audio.current.play().catch(() => {})
    })
  }
  return (
    <section aria-label="Transcript">
      <div className="mb-3 flex h-10 items-center gap-2">
        {url ? (
          // biome-ignore lint/a11y/useMediaCaption: the segments below are its text
          <audio
            ref={audio}
            src={url}
            controls
            aria-label={file_name}
            className="h-10 w-full"
            onTimeUpdate={event => setTime(event.currentTarget.currentTime)}
          />
        ) : (
          <Button size="sm" onClick={() => void playFrom(0).catch(showError)}>
            <Play size={13} /> Play
          </Button>
        )}
      </div>
      <ol aria-label="Segments" aria-live="polite">
        {segments.map(({ start, end, text: words }) => (
          <li key={start}>
            <button
              type="button"
              onClick={() => void playFrom(start).catch(showError)}
              className={classes(
                '-mx-2 flex w-[calc(100%+16px)] gap-3 rounded-md px-2 py-1.5 text-left hover:bg-hover',
                time >= start && time < end && 'bg-accent-soft',
              )}
            >
              <span className="w-10 shrink-0 pt-px text-right text-xs text-ink-2 tabular">
                {formatDuration(start)}
              </span>
              <span className="max-w-[68ch] text-base">{words}</span>
            </button>
          </li>
        ))}
      </ol>
      {segments.length === 0 && !isRunning(recording) && (
        <p className="text-ink-2">{text || 'Nothing was said in this recording.'}</p>
      )}
    </section>
  )
}
