/** When a mail goes out: a few usual times, or any. */
import { type ReactElement, useState } from 'react'
import { Button } from '#components/button.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Popover } from '#components/popover.tsx'
import { formatDateTime } from '#lib/format.ts'

/** So many days later, at this hour of the reader's day. */
function at(days: number, hour: number): Date {
  const time = new Date()
  time.setDate(time.getDate() + days)
  time.setHours(hour, 0, 0, 0)
  return time
}

const untilMonday = (): number => (8 - new Date().getDay()) % 7 || 7

const usual = () => [
  { label: 'Tomorrow morning', time: at(1, 9) },
  { label: 'Tomorrow afternoon', time: at(1, 14) },
  { label: 'Monday morning', time: at(untilMonday(), 9) },
]

interface SendLaterProps {
  trigger: ReactElement
  onChoose: (time: string) => void
}

export function SendLater({ trigger, onChoose }: SendLaterProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const choose = (time: Date) => {
    setOpen(false)
    onChoose(time.toISOString())
  }
  const typed = text === '' ? undefined : new Date(text)
  return (
    <Popover
      label="Send later"
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={setOpen}
      align="end"
      className="w-72 p-1"
    >
      {usual().map(({ label, time }) => (
        <button
          key={label}
          type="button"
          onClick={() => choose(time)}
          className="menu-item w-full justify-between hover:bg-active"
        >
          {label}
          <span className="text-xs text-ink-3">{formatDateTime(time)}</span>
        </button>
      ))}
      <form
        className="mt-1 flex items-end gap-2 border-t border-line p-2"
        onSubmit={event => {
          event.preventDefault()
          if (typed) choose(typed)
        }}
      >
        <div className="min-w-0 flex-1">
          <Labelled label="At another time">
            <FieldInput
              type="datetime-local"
              required
              value={text}
              onChange={event => setText(event.target.value)}
            />
          </Labelled>
        </div>
        <Button type="submit" disabled={!typed || typed < new Date()}>
          Send
        </Button>
      </form>
    </Popover>
  )
}
