import type { FormEvent } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { useCreate } from '#data/records.ts'
import { type View, viewOf } from './views.ts'
import type { ViewsMenuProps } from './views-menu.tsx'

interface SaveDialogProps extends Omit<ViewsMenuProps, 'label' | 'change'> {
  isOpen: boolean
  onClose: () => void
  onSaved: (view: View) => void
}

export function SaveDialog({ isOpen, onClose, kind, state, columns, onSaved }: SaveDialogProps) {
  const create = useCreate('views')
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = {
      ...viewOf(kind, state, columns),
      name: String(form.get('name')),
      is_shared: form.get('shared') === 'on',
    }
    const view = await create.mutateAsync(body).catch(() => undefined)
    if (!view) return
    onClose()
    onSaved(view)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Save as a view"
      description="Filters, order and columns under a name."
      footer={
        <Button variant="primary" type="submit" form="save-view">
          Save
        </Button>
      }
    >
      <form id="save-view" onSubmit={submit} className="flex flex-col gap-3">
        <Labelled label="Name" {...(state.search ? { hint: 'The search text is not part of a view.' } : {})}>
          <FieldInput name="name" required maxLength={255} autoFocus />
        </Labelled>
        <label className="flex items-center gap-2">
          <input type="checkbox" name="shared" />
          Everyone in the account can see it
        </label>
      </form>
    </Dialog>
  )
}
