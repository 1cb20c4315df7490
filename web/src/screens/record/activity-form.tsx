import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { DueInputs } from '#components/fields/due-control.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Select } from '#components/select.tsx'
import { useStoredDraft } from '#data/drafts.ts'
import { dueChanges, isDay } from '#data/due.ts'
import { useSignedIn } from '#data/session.ts'
import type { Activity } from './activity-row.tsx'
import { activitiesOf, linkTo, type Subject } from './subject.ts'
import { useAdd } from './use-add.ts'

const TYPES: readonly { value: Activity['type']; label: string }[] = [
  { value: 'task', label: 'Task' },
  { value: 'call', label: 'Call' },
  { value: 'meeting', label: 'Meeting' },
  { value: 'email', label: 'Email' },
  { value: 'other', label: 'Other' },
]

/** A new activity on the record in one line: what, which kind, and when. */
export function ActivityForm({ subject, autoFocus }: { subject: Subject; autoFocus?: boolean }) {
  const { user } = useSignedIn()
  const [text, setText] = useStoredDraft(`activity.${subject.kind}.${subject.id}`)
  const [type, setType] = useState<Activity['type']>('task')
  const [due, setDue] = useState<string | null>(null)
  const [added, setAdded] = useState(0)
  const create = useAdd('activities', activitiesOf(subject))
  // what takes place at a time begins then; anything else, and what has a day only, is due
  const isStart = (type === 'meeting' || type === 'call') && due !== null && !isDay(due)
  const send = async () => {
    if (!text.trim()) return
    await create.mutateAsync({
      subject: text.trim(),
      type,
      assignee_id: user.id,
      ...linkTo(subject),
      ...(isStart ? { start_at: due } : dueChanges(due)),
    })
    setText('')
    setDue(null)
    setAdded(added + 1)
  }
  return (
    <Form className="flex flex-wrap items-start gap-2" onSubmit={send}>
      <div className="w-28 shrink-0">
        <Select label="Type" value={type} options={TYPES} onChange={setType} />
      </div>
      <div className="min-w-48 flex-1">
        <Labelled name="subject" label="New activity" isLabelHidden>
          <FieldInput
            placeholder="What has to be done?"
            value={text}
            autoFocus={autoFocus ?? false}
            onChange={event => setText(event.currentTarget.value)}
          />
        </Labelled>
      </div>
      <div className="w-64 shrink-0">
        <Labelled name={isStart ? 'start_at' : 'due_at'} label="When" isLabelHidden>
          {/* the key empties the inputs for the next one */}
          <DueInputs key={added} label={isStart ? 'Start' : 'Due'} initial={null} onChange={setDue} />
        </Labelled>
      </div>
      <Button variant="primary" type="submit" disabled={text.trim() === '' || create.isPending}>
        Add
      </Button>
    </Form>
  )
}
