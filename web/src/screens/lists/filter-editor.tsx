import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { useChoices } from '#components/fields/choice-editor.tsx'
import { useRecordSearch } from '#components/fields/reference-editor.tsx'
import { Input } from '#components/input.tsx'
import { MultiPicker, type PickerItem } from '#components/picker.tsx'
import { Select } from '#components/select.tsx'
import type { Field } from '#data/field-types.ts'
import { numberText, parseNumber } from '#lib/numbers.ts'
import {
  boundOf,
  dayOfBound,
  type Filter,
  type Operator,
  operatorLabel,
  operatorsOf,
  utcBoundOf,
} from './filters.ts'
import { PRESETS } from './presets.ts'

interface FilterEditorProps {
  field: Field
  filter: Filter
  onChange: (filter: Filter) => void
  onDone: (filter: Filter) => void
}

/** Compared with the beginning or the end of a day, by the operator. */
const isTime = ({ type }: Field): boolean => type === 'datetime' || type === 'due'

const NEEDS_NO_VALUE: readonly Operator[] = ['is_null', 'is_set']

export function FilterEditor({ field, filter, onChange, onDone }: FilterEditorProps) {
  const operators = operatorsOf(field)
  const chooseOperator = (op: Operator) => {
    const isList = ['in', 'not_in', 'between'].includes(op)
    const wasList = Array.isArray(filter.value)
    const isKept =
      isList === wasList && !NEEDS_NO_VALUE.includes(op) && filter.value !== undefined && !isTime(field)
    onChange(isKept ? { ...filter, op } : { field: filter.field, op })
  }
  return (
    <div className="flex w-64 flex-col">
      <div className="p-2 pb-1">
        <Select
          label="Comparison"
          value={filter.op}
          options={operators.map(op => ({
            value: op,
            label: `${field.label} ${operatorLabel(op, field.type)}`,
          }))}
          onChange={chooseOperator}
        />
      </div>
      <ValueEditor field={field} filter={filter} onChange={onChange} onDone={onDone} />
    </div>
  )
}

function ValueEditor(props: FilterEditorProps) {
  const { field, filter, onDone } = props
  if (NEEDS_NO_VALUE.includes(filter.op)) {
    return (
      <div className="p-2">
        <Button variant="primary" size="sm" className="w-full" onClick={() => onDone(filter)}>
          Apply
        </Button>
      </div>
    )
  }
  if (field.type === 'boolean') return <YesNo {...props} />
  if (field.type === 'reference') return <RecordValues {...props} />
  if (filter.op === 'in' || filter.op === 'not_in') return <ChoiceValues {...props} />
  if (isTime(field) || field.type === 'date') return <DayValues {...props} />
  return <TextValues {...props} />
}

function YesNo({ filter, onDone }: FilterEditorProps) {
  return (
    <div className="grid grid-cols-2 gap-1 p-2">
      {[true, false].map(value => (
        <Button key={String(value)} size="sm" onClick={() => onDone({ ...filter, value })}>
          {value ? 'Yes' : 'No'}
        </Button>
      ))}
    </div>
  )
}

const listOf = (filter: Filter): string[] => (Array.isArray(filter.value) ? filter.value.map(String) : [])

function ChoiceValues({ field, filter, onChange }: FilterEditorProps) {
  const choices = useChoices({ ...field, isRequired: true })
  const chosen = listOf(filter)
  const setChosen = (items: PickerItem[]) => onChange({ ...filter, value: items.map(({ value }) => value) })
  return (
    <MultiPicker
      label={field.label}
      items={choices}
      value={choices.filter(({ value }) => chosen.includes(value))}
      onChange={setChosen}
    />
  )
}

function RecordValues({ field, filter, onChange }: FilterEditorProps) {
  const { text: _text, ...search } = useRecordSearch(field.kind ?? 'company')
  const [chosen, setChosen] = useState<PickerItem[]>(listOf(filter).map(value => ({ value, label: '' })))
  const choose = (items: PickerItem[]) => {
    setChosen(items)
    onChange({ ...filter, value: items.map(({ value }) => value) })
  }
  return <MultiPicker label={field.label} {...search} value={chosen} onChange={choose} />
}

/** The stored values as the inputs show them; a day may also be a word such as `today`, which the list below shows. */
function textsOf({ op, value }: Filter, isDay: boolean): string[] {
  const stored = [value ?? []].flat().map(one => (typeof one === 'number' ? numberText(one) : String(one)))
  const shown = stored.map(text => (!isDay ? text : /^\d/.test(text) ? dayOfBound(text) : ''))
  return op === 'between' ? [shown[0] ?? '', shown[1] ?? ''] : [shown[0] ?? '']
}

/** `between` has two inputs, every other operator one. Their texts are a value once all of them are complete. */
function Inputs({ field, filter, onChange, onDone }: FilterEditorProps) {
  const isNumber = ['number', 'money', 'percent', 'rating'].includes(field.type)
  const isDay = isTime(field) || field.type === 'date'
  const isBetween = filter.op === 'between'
  const [texts, setTexts] = useState(() => textsOf(filter, isDay))
  const set = (index: number, text: string) => {
    const each = texts.with(index, text)
    setTexts(each)
    const typed = each.map((one, position) => {
      if (isNumber) return parseNumber(one)
      if (!one || !isTime(field)) return one || undefined
      const isEnd = filter.op === 'lte' || position === 1
      return field.type === 'due' ? utcBoundOf(one, isEnd) : boundOf(one, isEnd)
    })
    const values = typed.filter(one => one !== undefined)
    const value = isBetween ? values : values[0]
    const { field: key, op } = filter
    onChange(
      values.length === each.length && value !== undefined ? { field: key, op, value } : { field: key, op },
    )
  }
  return (
    <form
      className="flex gap-1 p-2"
      onSubmit={event => {
        event.preventDefault()
        onDone(filter)
      }}
    >
      {texts.map((text, index) => (
        <Input
          // biome-ignore lint/suspicious/noArrayIndexKey: the lower and the upper value
          key={index}
          aria-label={index === 0 ? 'Value' : 'Upper value'}
          autoFocus={index === 0}
          type={isDay ? 'date' : 'text'}
          inputMode={isNumber ? 'decimal' : 'text'}
          value={text}
          onChange={event => set(index, event.target.value)}
        />
      ))}
      <button type="submit" className="sr-only">
        Apply
      </button>
    </form>
  )
}

const TextValues = (props: FilterEditorProps) => <Inputs key={props.filter.op} {...props} />

function DayValues(props: FilterEditorProps) {
  return (
    <>
      <Inputs key={props.filter.op} {...props} />
      {props.filter.op !== 'between' && (
        <div className="max-h-56 overflow-y-auto p-1 pt-0 scroll-thin">
          {PRESETS.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              className="menu-item w-full hover:bg-hover"
              onClick={() => props.onDone({ ...props.filter, value })}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
