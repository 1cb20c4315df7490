import type { Schemas } from '@kith/client'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { Textarea } from '#components/input.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Select } from '#components/select.tsx'
import { toast } from '#components/toast.tsx'
import { useFields } from '#data/fields.ts'
import { useCreate, useUpdate } from '#data/records.ts'
import { canBeUnique, FIELD_TYPES, hasOptions } from './field-types.ts'

type CustomField = Schemas['CustomField']

interface FieldDialogProps {
  kind: CustomField['entity_type']
  /** undefined: a new one */
  field: CustomField | undefined
  onClose: () => void
}

/** One option a line. An option that keeps its text keeps its stored value, colour and records. */
function optionsOf(text: string, existing: CustomField['options']) {
  const labels = text.split('\n').flatMap(line => line.trim() || [])
  return [...new Set(labels)].map(
    label => existing?.find(one => (one.label ?? one.value) === label) ?? { value: label },
  )
}

/** `First_name ` → first name: files and forms show both the same */
const inWords = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')

export function FieldDialog({ kind, field, onClose }: FieldDialogProps) {
  const create = useCreate('customFields', { isForm: true })
  const update = useUpdate('customFields', { isForm: true })
  const [name, setName] = useState(field?.name ?? '')
  const [type, setType] = useState(field?.field_type ?? 'text')
  const [options, setOptions] = useState(
    (field?.options ?? []).map(({ label, value }) => label ?? value).join('\n'),
  )
  const [isRequired, setRequired] = useState(field?.is_required ?? false)
  const [isUnique, setUnique] = useState(field?.is_unique ?? false)

  // a second field of the same name in forms, lists and files is a trap
  const builtIn = useFields(kind).find(
    ({ key, label }) => !key.startsWith('cf.') && [label, key].some(one => inWords(one) === inWords(name)),
  )

  const submit = async () => {
    const values = {
      name: name.trim(),
      is_required: isRequired,
      is_unique: isUnique && canBeUnique(type),
      ...(hasOptions(type) ? { options: optionsOf(options, field?.options ?? null) } : {}),
    }
    if (field) {
      await update.mutateAsync({ id: field.id, changes: values, message: `Changed ${values.name}` })
    } else {
      const created = await create.mutateAsync({ entity_type: kind, field_type: type, ...values })
      toast(`Created ${created.name}`)
    }
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={field ? `Edit ${field.name}` : `New field of a ${kind}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form="field"
            disabled={create.isPending || builtIn !== undefined}
          >
            {field ? 'Save' : 'Create'}
          </Button>
        </>
      }
    >
      <Form id="field" className="flex flex-col gap-3" onSubmit={submit}>
        <Labelled
          name="name"
          label="Name"
          error={builtIn && `Every ${kind} has the field ${builtIn.label} already. Choose another name.`}
        >
          <FieldInput
            value={name}
            required
            autoFocus
            maxLength={255}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Labelled>
        {!field && (
          <div className="flex flex-col gap-1">
            <span className="text-xs font-medium text-ink-2">Type</span>
            <Select label="Type" value={type} options={FIELD_TYPES} onChange={setType} />
          </div>
        )}
        {hasOptions(type) && (
          <div className="flex flex-col gap-1">
            <span className="text-xs font-medium text-ink-2">Options, one a line</span>
            <Textarea
              aria-label="Options, one a line"
              value={options}
              required
              rows={5}
              onChange={event => setOptions(event.target.value)}
            />
          </div>
        )}
        <Toggle label="Required" isOn={isRequired} onChange={setRequired} />
        {canBeUnique(type) && (
          <Toggle label="Unique: no two records have the same value" isOn={isUnique} onChange={setUnique} />
        )}
      </Form>
    </Dialog>
  )
}

interface ToggleProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

const Toggle = ({ label, isOn, onChange }: ToggleProps) => (
  <label className="flex items-center gap-2">
    <input
      type="checkbox"
      checked={isOn}
      onChange={event => onChange(event.target.checked)}
      className="size-3.5"
    />
    {label}
  </label>
)
