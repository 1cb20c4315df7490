/** Recipients, template, subject and text of a draft. */
import type { Editor } from '@tiptap/react'
import { Braces, FileText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Picker } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { useList } from '#data/records.ts'
import { offerUndo } from '#data/undo.ts'
import { humanize } from '#lib/format.ts'
import { Attachments } from './attachments.tsx'
import type { Draft, Template } from './boxes.ts'
import { type ChosenContact, Recipients } from './recipients.tsx'
import { RichText } from './rich-text.tsx'
import type { DraftChanges } from './use-draft.ts'
import { useVariables } from './use-variables.ts'

interface DraftFormProps {
  draft: Draft
  onChange: (changes: DraftChanges) => void
  /** Returns the id of the draft, which a new mail does not have yet. */
  onBegin: () => Promise<string>
}

export function DraftForm({ draft, onChange, onBegin }: DraftFormProps) {
  const [editor, setEditor] = useState<Editor>()
  const [isCopying, setCopying] = useState(draft.cc.length + draft.bcc.length > 0)
  const { to, cc, bcc, subject, body_html, contact_id } = draft
  const choose = (addresses: Draft['to'], chosen?: ChosenContact) =>
    onChange({ to: addresses, ...(chosen && (!contact_id || to.length === 0) ? chosen : {}) })
  const apply = (template: Template) => {
    const before = { subject, body_html, template_id: draft.template_id }
    onChange({ subject: template.subject, body_html: template.body_html, template_id: template.id })
    if (subject || draft.body_text) offerUndo('Replaced the text', async () => onChange(before))
  }
  return (
    <>
      <div className="relative">
        <Recipients label="To" addresses={to} onChange={choose} />
        {!isCopying && (
          <Button
            variant="ghost"
            size="sm"
            className="absolute top-1 right-0"
            onClick={() => setCopying(true)}
          >
            Cc, Bcc
          </Button>
        )}
      </div>
      {isCopying && (
        <>
          <Recipients label="Cc" addresses={cc} onChange={addresses => onChange({ cc: addresses })} />
          <Recipients label="Bcc" addresses={bcc} onChange={addresses => onChange({ bcc: addresses })} />
        </>
      )}
      <div className="flex h-10 items-center border-b border-line">
        <label htmlFor="subject" className="mr-1.5 w-14 shrink-0 text-xs text-ink-3">
          Subject
        </label>
        <input
          id="subject"
          value={subject}
          maxLength={998}
          onChange={event => onChange({ subject: event.target.value })}
          className="h-full min-w-0 flex-1 bg-transparent font-medium outline-none"
        />
      </div>
      <div className="flex flex-wrap items-center gap-1 py-1.5">
        <TemplateChoice onChoose={apply} />
        <VariableChoice onChoose={name => editor?.chain().focus().insertContent(`{{${name}}}`).run()} />
        <Attachments draft={draft} onBegin={onBegin} />
      </div>
      <RichText
        label="Text of the mail"
        html={body_html}
        onChange={html => onChange({ body_html: html })}
        onReady={setEditor}
      />
    </>
  )
}

function TemplateChoice({ onChoose }: { onChoose: (template: Template) => void }) {
  const [isOpen, setOpen] = useState(false)
  const { items } = useList('emailTemplates', { page_size: 200 })
  return (
    <Popover
      label="Template"
      isOpen={isOpen}
      onOpenChange={setOpen}
      className=""
      trigger={
        <Button variant="ghost" size="sm">
          <FileText size={14} /> Template
        </Button>
      }
    >
      <Picker
        label="Template"
        placeholder="Find a template…"
        items={items.map(({ id, subject }) => ({ value: id, label: subject }))}
        value={null}
        onChange={item => {
          setOpen(false)
          const template = items.find(({ id }) => id === item?.value)
          if (template) onChoose(template)
        }}
      />
    </Popover>
  )
}

function VariableChoice({ onChoose }: { onChoose: (name: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const variables = useVariables()
  return (
    <Popover
      label="Variable"
      isOpen={isOpen}
      onOpenChange={setOpen}
      className=""
      trigger={
        <Button variant="ghost" size="sm">
          <Braces size={14} /> Variable
        </Button>
      }
    >
      <Picker
        label="Variable"
        placeholder="Find a variable…"
        items={variables.map(({ name, label, group }) => ({
          value: name,
          label: `${humanize(group)} ${label.toLowerCase()}`,
        }))}
        value={null}
        onChange={item => {
          setOpen(false)
          if (item) onChoose(item.value)
        }}
      />
    </Popover>
  )
}
