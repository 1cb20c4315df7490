import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'

interface NameDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  action: string
  initial?: string
  /** the key of the name in the request */
  field?: string
  onSave: (name: string) => Promise<unknown>
}

/** Asks for a name. */
export function NameDialog({
  isOpen,
  onClose,
  title,
  action,
  initial = '',
  field = 'name',
  onSave,
}: NameDialogProps) {
  const [name, setName] = useState(initial)
  const save = async () => {
    if (name.trim() === '') return
    await onSave(name.trim())
    setName(initial)
    onClose()
  }
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" type="submit" form="name" disabled={name.trim() === ''}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} footer={footer}>
      <Form id="name" className="flex flex-col gap-3" onSubmit={save}>
        <Labelled name={field} label="Name">
          <FieldInput
            autoFocus
            maxLength={255}
            value={name}
            onChange={event => setName(event.target.value)}
          />
        </Labelled>
      </Form>
    </Dialog>
  )
}
