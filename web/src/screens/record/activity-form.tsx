import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Input } from '#components/input.tsx'
import { Select } from '#components/select.tsx'
import { useStoredDraft } from '#data/drafts.ts'
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
  const [due, setDue] = useState('')
  const create = useAdd('activities', activitiesOf(subject))
  const send = async () => {
    if (!text.trim() || create.isPending) return
    const due_at = due ? new Date(due).toISOString() : null
    const created = await create
      .mutateAsync({
        subject: text.trim(),
        type,
        assignee_id: user.id,
        ...linkTo(subject),
        ...(type === 'meeting' || type === 'call' ? { start_at: due_at } : { due_at }),
      })
      .catch(() => undefined)
    if (!created) return
    setText('')
    setDue('')
  }
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <div className="w-28 shrink-0">
        <Select label="Type" value={type} options={TYPES} onChange={setType} />
      </div>
      <div className="min-w-48 flex-1">
        <Input
          aria-label="New activity"
          placeholder="What has to be done?"
          value={text}
          autoFocus={autoFocus ?? false}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <div className="w-48 shrink-0">
        <Input
          type="datetime-local"
          aria-label="When"
          value={due}
          onChange={event => setDue(event.target.value)}
        />
      </div>
      <Button variant="primary" type="submit" disabled={text.trim() === '' || create.isPending}>
        Add
      </Button>
    </form>
  )
}
