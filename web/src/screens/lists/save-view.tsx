import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
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
  const create = useCreate('views', { isForm: true })
  const submit = async (element: HTMLFormElement) => {
    const form = new FormData(element)
    const body = {
      ...viewOf(kind, state, columns),
      name: String(form.get('name')),
      is_shared: form.get('shared') === 'on',
    }
    const view = await create.mutateAsync(body)
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
      <Form id="save-view" onSubmit={submit} className="flex flex-col gap-3">
        <Labelled
          name="name"
          label="Name"
          {...(state.search ? { hint: 'The search text is not part of a view.' } : {})}
        >
          <FieldInput name="name" required maxLength={255} autoFocus />
        </Labelled>
        <label className="flex items-center gap-2">
          <input type="checkbox" name="shared" />
          Everyone in the account can see it
        </label>
      </Form>
    </Dialog>
  )
}
