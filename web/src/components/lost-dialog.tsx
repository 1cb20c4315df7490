/** Asks why a deal was lost, before it is moved to a lost stage. */
import { useState } from 'react'
import { classes } from '#lib/classes.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { FieldInput, Labelled } from './labelled.tsx'

const REASONS = ['Price', 'Competitor', 'No budget', 'No decision', 'Timing', 'Project cancelled']

interface LostDialogProps {
  /** the deal's name; undefined: closed */
  name: string | undefined
  onClose: () => void
  /** what it throws is shown, and the dialog stays open */
  onLost: (reason: string | null) => Promise<unknown>
  returnFocus?: () => HTMLElement | null
}

export function LostDialog({ name, onClose, onLost, ...focus }: LostDialogProps) {
  const [reason, setReason] = useState('')
  const close = () => {
    setReason('')
    onClose()
  }
  const submit = async () => {
    await onLost(reason.trim() || null)
    close()
  }
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button variant="primary" type="submit" form="lost">
        Mark as lost
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen={name !== undefined}
      onClose={close}
      title="Why was it lost?"
      description={name}
      footer={footer}
      {...focus}
    >
      <Form id="lost" className="flex flex-col gap-3 pt-1" onSubmit={submit}>
        <div className="flex flex-wrap gap-1.5">
          {REASONS.map(one => (
            <button
              key={one}
              type="button"
              aria-pressed={reason === one}
              onClick={() => setReason(one)}
              className={classes(
                'h-7 rounded-md border px-2 text-xs',
                reason === one
                  ? 'border-accent bg-accent-soft text-accent-text'
                  : 'border-line-strong text-ink-2 hover:bg-hover',
              )}
            >
              {one}
            </button>
          ))}
        </div>
        <Labelled name="lost_reason" label="Reason" hint="Reports group lost deals by it. It can stay empty.">
          <FieldInput
            value={reason}
            maxLength={255}
            autoFocus
            onChange={event => setReason(event.currentTarget.value)}
          />
        </Labelled>
      </Form>
    </Dialog>
  )
}
