import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { storeDraft, useStoredDraft } from '#data/drafts.ts'
import { useCreate, useUpdate } from '#data/records.ts'
import type { Template } from './boxes.ts'
import { RichText } from './rich-text.tsx'
import { useVariables } from './use-variables.ts'

interface TemplateDialogProps {
  /** a new one without it */
  template?: Template
  onClose: () => void
}

export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const key = `template.${template?.id ?? 'new'}`
  const [subject, setSubject] = useStoredDraft(`${key}.subject`, template?.subject)
  const [body, setBody] = useStoredDraft(`${key}.body`, template?.body_html)
  /** Escape closes the dialog, too, and must not lose the text; Cancel does. */
  const finish = () => {
    storeDraft(`${key}.subject`, '')
    storeDraft(`${key}.body`, '')
    onClose()
  }
  const variables = useVariables()
  const create = useCreate('emailTemplates', { isForm: true })
  const update = useUpdate('emailTemplates', { isForm: true })
  const save = async () => {
    const changes = { subject, body_html: body }
    if (template) await update.mutateAsync({ id: template.id, changes, message: 'Changed the template' })
    else await create.mutateAsync(changes)
    finish()
  }
  const footer = (
    <>
      <Button onClick={finish}>Cancel</Button>
      <Button
        variant="primary"
        type="submit"
        form="template"
        disabled={subject.trim() === '' || create.isPending || update.isPending}
      >
        Save
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={template ? 'Template' : 'New template'}
      footer={footer}
    >
      <Form id="template" className="flex flex-col gap-3" onSubmit={save}>
        <Labelled name="subject" label="Subject">
          <FieldInput value={subject} maxLength={998} onChange={event => setSubject(event.target.value)} />
        </Labelled>
        <Labelled name="body_html" label="Text">
          <div className="rounded-md border border-line-strong px-3 focus-within:border-accent">
            <RichText label="Text of the template" html={body} onChange={setBody} onReady={() => {}} />
          </div>
        </Labelled>
        <p className="text-xs text-ink-3">
          Variables:{' '}
          {variables
            .slice(0, 12)
            .map(({ name }) => `{{${name}}}`)
            .join(' ')}
        </p>
      </Form>
    </Dialog>
  )
}
