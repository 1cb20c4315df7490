/** Types of fields: how a value is shown, edited, compared and sorted. */
import { addressesIn } from './addresses.ts'
import { dueChanges, dueOf } from './due.ts'
import type { Kind } from './groups.ts'

export type FieldType =
  | 'text'
  | 'long_text'
  | 'number'
  | 'money'
  | 'currency'
  | 'percent'
  | 'rating'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'due'
  | 'select'
  | 'multi_select'
  | 'email'
  | 'phone'
  | 'emails'
  | 'phones'
  | 'url'
  | 'user'
  | 'stage'
  | 'pipeline'
  | 'reference'
  | 'references'
  | 'categories'
  | 'tags'
  | 'list'
  | 'json'

export interface Option {
  value: string
  label: string
  tone?: Tone
}

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

export interface Field {
  /** as the API names it; custom fields begin with `cf.` */
  key: string
  label: string
  type: FieldType
  options?: readonly Option[]
  /** the kind of the referenced record */
  kind?: Kind
  /** the field of the record with the names of the referenced records */
  names?: string
  /** computed by the service */
  isReadOnly?: true
  /** cannot be null */
  isRequired?: true
  /** the column is as wide as this many pixels until the person changes it */
  width?: number
  /** shown until the person chooses columns */
  isDefault?: true
  /** the service sorts by it, unless this is false */
  isSortable?: false
}

const NOT_SORTABLE: readonly FieldType[] = [
  'references',
  'categories',
  'list',
  'json',
  'multi_select',
  'emails',
  'phones',
]

export const isSortable = ({ type, isSortable: sortable }: Field): boolean =>
  sortable !== false && !NOT_SORTABLE.includes(type)

const NUMERIC: readonly FieldType[] = ['number', 'money', 'percent']

/** Aligned at the right, so that digits of one size are below each other. */
export const isNumeric = ({ type }: Field): boolean => NUMERIC.includes(type)

/** Whether people can edit it in place. */
export const isEditable = ({ isReadOnly, type }: Field): boolean => !isReadOnly && type !== 'json'

/** The value of a field in a record as the service returned it. */
export function readField(record: object, { key, type, names }: Field): unknown {
  if (key.startsWith('cf.')) {
    const values = 'custom_fields' in record ? record.custom_fields : undefined
    return (values as Record<string, unknown> | undefined)?.[key.slice(3)]
  }
  if (type === 'emails' || type === 'phones') return addressesIn(record, type)
  if (type === 'due') return dueOf(record)
  const value = (record as Record<string, unknown>)[key]
  if (type !== 'reference' || typeof value !== 'string') return value
  const related = names ? (record as Record<string, unknown>)[names] : undefined
  const item = [related].flat().find(one => (one as { id?: string } | null)?.id === value)
  return item ?? { id: value, name: '' }
}

/** The changes that set a field: custom fields are written through `metadata`. */
export function changesOf({ key, type }: Field, value: unknown): Record<string, unknown> {
  if (type === 'due') return dueChanges(value)
  return key.startsWith('cf.') ? { metadata: { [key.slice(3)]: value } } : { [key]: value }
}
