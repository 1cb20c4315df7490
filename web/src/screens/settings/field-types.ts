import type { Schemas } from '@kith/client'

type CustomType = Schemas['CustomField']['field_type']

export const FIELD_TYPES: readonly { value: CustomType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'long_text', label: 'Long text' },
  { value: 'number', label: 'Number' },
  { value: 'currency', label: 'Amount of money' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
  { value: 'datetime', label: 'Date and time' },
  { value: 'select', label: 'One of several options' },
  { value: 'multi_select', label: 'Several options' },
  { value: 'url', label: 'Link' },
  { value: 'email', label: 'Email' },
  { value: 'phone', label: 'Phone number' },
  { value: 'user', label: 'Member' },
  { value: 'rating', label: 'Rating' },
  { value: 'json', label: 'JSON' },
]

export const hasOptions = (type: CustomType): boolean => type === 'select' || type === 'multi_select'
export const canBeUnique = (type: CustomType): boolean =>
  ['text', 'number', 'email', 'phone', 'url', 'date'].includes(type)
