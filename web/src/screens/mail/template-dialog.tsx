import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
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
  const [subject, setSubject] = useState(template?.subject ?? '')
  const [body, setBody] = useState(template?.body_html ?? '')
  const variables = useVariables()
  const create = useCreate('emailTemplates')
  const update = useUpdate('emailTemplates')
  const save = async () => {
    const changes = { subject, body_html: body }
    if (template) update.mutate({ id: template.id, changes, message: 'Changed the template' })
    else if (!(await create.mutateAsync(changes).catch(() => undefined))) return
    onClose()
  }
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" disabled={subject.trim() === ''} onClick={() => void save()}>
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
      <div className="flex flex-col gap-3">
        <Labelled label="Subject">
          <FieldInput value={subject} maxLength={998} onChange={event => setSubject(event.target.value)} />
        </Labelled>
        <div className="rounded-md border border-line-strong px-3 focus-within:border-accent">
          <RichText label="Text of the template" html={body} onChange={setBody} onReady={() => {}} />
        </div>
        <p className="text-xs text-ink-3">
          Variables:{' '}
          {variables
            .slice(0, 12)
            .map(({ name }) => `{{${name}}}`)
            .join(' ')}
        </p>
      </div>
    </Dialog>
  )
}
