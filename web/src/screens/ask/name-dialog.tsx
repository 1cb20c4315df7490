import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'

interface NameDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  action: string
  initial?: string
  onSave: (name: string) => void
}

/** Asks for a name. */
export function NameDialog({ isOpen, onClose, title, action, initial = '', onSave }: NameDialogProps) {
  const [name, setName] = useState(initial)
  const save = () => {
    if (name.trim() === '') return
    onSave(name.trim())
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
      <form
        id="name"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Labelled label="Name">
          <FieldInput
            autoFocus
            maxLength={255}
            value={name}
            onChange={event => setName(event.target.value)}
          />
        </Labelled>
      </form>
    </Dialog>
  )
}
