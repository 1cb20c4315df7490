import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { classes } from '#lib/classes.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { ActivityForm } from './activity-form.tsx'
import { NoteForm } from './note-form.tsx'
import { hasActivities, type Subject } from './subject.ts'

const LABELS = { note: 'Note', activity: 'Activity' }
type Mode = keyof typeof LABELS
const MODES: readonly Mode[] = ['note', 'activity']

/** Adds a note or an activity; `n` and `a` begin one. */
export function Composer({ subject }: { subject: Subject }) {
  const { add }: Record<string, unknown> = useSearch({ from: '/app/$group/$id' })
  const [mode, setMode] = useState<Mode>(add === 'activity' ? 'activity' : 'note')
  const [started, setStarted] = useState(add ? 1 : 0)
  const start = (next: Mode) => {
    setMode(next)
    setStarted(count => count + 1)
  }
  const canPlan = hasActivities(subject.kind)
  useShortcuts({ n: () => start('note'), a: canPlan ? () => start('activity') : undefined })
  const shared = { subject, autoFocus: started > 0 }
  return (
    <section aria-label="Add" className="rounded-lg border border-line bg-canvas p-3">
      {canPlan && (
        <div className="mb-2 flex gap-1">
          {MODES.map(one => (
            <button
              key={one}
              type="button"
              aria-pressed={mode === one}
              onClick={() => start(one)}
              className={classes(
                'h-6 rounded-md px-2 text-xs font-medium',
                mode === one ? 'bg-active text-ink' : 'text-ink-3 hover:bg-hover hover:text-ink-2',
              )}
            >
              {LABELS[one]}
            </button>
          ))}
        </div>
      )}
      {mode === 'note' ? (
        <NoteForm {...shared} key={`note ${started}`} />
      ) : (
        <ActivityForm {...shared} key={`activity ${started}`} />
      )}
    </section>
  )
}
