/** A field in a form: label and control, with the value in the form that the API takes. */
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { inputClass } from '#components/input.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { MultiPicker, Picker, type PickerItem } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import type { Field, FieldType } from '#data/field-types.ts'
import { GROUP_OF_KIND } from '#data/groups.ts'
import { nameOf } from '#data/names.ts'
import { useRecord } from '#data/records.ts'
import { classes } from '#lib/classes.ts'
import { choiceValue, useChoices } from './choice-editor.tsx'
import { DueInputs } from './due-control.tsx'
import { useRecordSearch } from './reference-editor.tsx'
import { inputTypeOf, textOf, valueOfText } from './text-editor.tsx'

interface FieldControlProps {
  field: Field
  /** in the form that the API takes */
  initial?: unknown
  onChange: (value: unknown) => void
  autoFocus?: boolean
  hint?: ReactNode
}

const CHOICES: readonly FieldType[] = ['select', 'currency', 'boolean', 'user', 'stage', 'rating']
const SEVERAL: readonly FieldType[] = ['multi_select', 'categories', 'references']

export function FieldControl({ field, initial, onChange, autoFocus, hint }: FieldControlProps) {
  if (field.type === 'due')
    return (
      <Labelled name="due_at" label={field.label} hint={hint}>
        <DueInputs label={field.label} initial={initial} onChange={onChange} autoFocus={autoFocus ?? false} />
      </Labelled>
    )
  const isText = !CHOICES.includes(field.type) && !SEVERAL.includes(field.type) && field.type !== 'reference'
  return (
    <Labelled name={field.key} label={field.label} hint={hint}>
      {isText ? (
        <FieldInput
          type={inputTypeOf(field.type)}
          required={field.isRequired ?? false}
          autoFocus={autoFocus ?? false}
          defaultValue={textOf(field.type, initial)}
          onChange={event => onChange(valueOfText(field.type, event.currentTarget.value))}
        />
      ) : field.type === 'reference' || field.type === 'references' ? (
        <ReferenceControl field={field} initial={initial} onChange={onChange} />
      ) : (
        <ChoiceControl field={field} initial={initial} onChange={onChange} />
      )}
    </Labelled>
  )
}

function ChoiceControl({ field, initial, onChange }: FieldControlProps) {
  const items = useChoices(field)
  const values = [initial ?? []].flat().map(String)
  const isSeveral = SEVERAL.includes(field.type)
  return (
    <PickerControl
      label={field.label}
      items={items}
      initial={items.filter(({ value }) => values.includes(value))}
      isSeveral={isSeveral}
      onPick={picked =>
        onChange(isSeveral ? picked.map(({ value }) => value) : choiceValue(field, picked[0]?.value ?? ''))
      }
    />
  )
}

function ReferenceControl({ field, initial, onChange }: FieldControlProps) {
  const { text: _text, ...search } = useRecordSearch(field.kind ?? 'company')
  const isSeveral = field.type === 'references'
  const { data } = useRecord(
    GROUP_OF_KIND[field.kind ?? 'company'],
    typeof initial === 'string' ? initial : undefined,
  )
  const pick = (picked: PickerItem[]) => {
    const ids = picked.map(({ value }) => value)
    onChange(isSeveral ? ids : (ids[0] ?? null))
  }
  return (
    <PickerControl
      label={field.label}
      {...search}
      initial={data ? [{ value: data.id, label: nameOf(data) }] : []}
      isSeveral={isSeveral}
      onPick={pick}
    />
  )
}

interface PickerControlProps {
  label: string
  items: readonly PickerItem[]
  /** shown until the person picks */
  initial: PickerItem[]
  onSearch?: (text: string) => void
  isLoading?: boolean
  isSeveral: boolean
  onPick: (items: PickerItem[]) => void
}

function PickerControl({ label, initial, isSeveral, onPick, ...search }: PickerControlProps) {
  const [picked = initial, setPicked] = useState<PickerItem[]>()
  const [isOpen, setOpen] = useState(false)
  const choose = (items: PickerItem[]) => {
    setPicked(items)
    onPick(items)
    if (!isSeveral) setOpen(false)
  }
  const text = picked.map(item => item.label).join(', ') || 'Choose…'
  const trigger = (
    <button
      type="button"
      aria-label={`${label}: ${text}`}
      className={classes(inputClass, 'flex h-8 items-center justify-between gap-2 text-left')}
    >
      <span className={classes('truncate', picked.length === 0 && 'text-ink-3')}>{text}</span>
      <ChevronDown size={14} className="shrink-0 text-ink-3" />
    </button>
  )
  return (
    <Popover trigger={trigger} label={label} isOpen={isOpen} onOpenChange={setOpen} className="">
      {isSeveral ? (
        <MultiPicker label={label} {...search} value={picked} onChange={choose} />
      ) : (
        <Picker
          label={label}
          {...search}
          value={picked[0] ?? null}
          onChange={item => choose(item ? [item] : [])}
        />
      )}
    </Popover>
  )
}
