import { useChoices } from '#components/fields/choice-editor.tsx'
import type { Field } from '#data/field-types.ts'
import { GROUP_OF_KIND } from '#data/groups.ts'
import { nameOf } from '#data/names.ts'
import { useRecord } from '#data/records.ts'
import { formatDate, formatNumber } from '#lib/format.ts'
import { dayOfBound, type Filter, operatorLabel } from './filters.ts'
import { presetLabel } from './presets.ts'

/** "Status is any of Lead, Customer" */
export function FilterText({ field, filter }: { field: Field; filter: Filter }) {
  const values = filter.value === undefined ? [] : [filter.value].flat()
  return (
    <span className="truncate">
      <span className="text-ink-2">
        {field.label} {operatorLabel(filter.op, field.type)}{' '}
      </span>
      <span className="font-medium">
        {values.map((value, index) => (
          <span key={String(value)}>
            {index > 0 && (filter.op === 'between' ? ' and ' : ', ')}
            <ValueText field={field} value={value} />
          </span>
        ))}
      </span>
    </span>
  )
}

function ValueText({ field, value }: { field: Field; value: string | number | boolean }) {
  if (field.type === 'reference') return <RecordName field={field} id={String(value)} />
  if (typeof value === 'number') return formatNumber(value)
  if (['date', 'datetime', 'due'].includes(field.type)) {
    return presetLabel(String(value)) ?? formatDate(dayOfBound(String(value)))
  }
  return <ChoiceName field={field} value={String(value)} />
}

function ChoiceName({ field, value }: { field: Field; value: string }) {
  const choices = useChoices(field)
  return choices.find(choice => choice.value === value)?.label ?? value
}

function RecordName({ field, id }: { field: Field; id: string }) {
  const { data } = useRecord(GROUP_OF_KIND[field.kind ?? 'company'], id)
  return data ? nameOf(data) : '…'
}
