/** Groups of records that are possibly the same, and merging one of them. */
import type { Schemas } from '@kith/client'
import { useQuery } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import type { Field } from '#data/field-types.ts'
import { changesOf, readField } from '#data/field-types.ts'
import { keys } from '#data/keys.ts'
import { offerUndo, offerUndoOf } from '#data/undo.ts'
import { formatCount } from '#lib/format.ts'

export type DuplicateKind = 'contacts' | 'companies'
export type DuplicateRecord = Schemas['Contact'] | Schemas['Company']

export interface DuplicateGroup {
  score: number
  reason: string
  items: DuplicateRecord[]
}

const PAGE = 100

const listed = { contacts: '/api/contacts/duplicates', companies: '/api/companies/duplicates' } as const

export function useDuplicates(kind: DuplicateKind) {
  return useQuery({
    queryKey: keys.other(kind, 'duplicates'),
    queryFn: ({ signal }): Promise<{ items: DuplicateGroup[]; total: number }> =>
      kith.request('GET', listed[kind], { query: { page_size: PAGE }, signal }),
  })
}

/** Which group it is, whatever its position: the ids of its records. */
export const idOf = ({ items }: DuplicateGroup): string => items.map(({ id }) => id).join('.')

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A person decides between values of these; links and lists of all records are joined. */
const DECIDED: readonly Field['type'][] = [
  'text',
  'long_text',
  'number',
  'money',
  'percent',
  'rating',
  'boolean',
  'date',
  'datetime',
  'select',
  'email',
  'phone',
  'url',
  'user',
]

/** Lists of custom fields are not joined. */
export const isDecided = ({ key, type, isReadOnly }: Field): boolean =>
  !isReadOnly && (DECIDED.includes(type) || key.startsWith('cf.'))

/** The fields in which the records differ, without those that no record has. */
export const differing = (fields: readonly Field[], items: readonly DuplicateRecord[]): Field[] =>
  fields.filter(
    field => new Set(items.map(record => JSON.stringify(readField(record, field) ?? null))).size > 1,
  )

/** The record whose value stays if the person chooses nothing: the primary, or the first that has one. */
export function defaultSource(field: Field, items: readonly DuplicateRecord[], primary: string): string {
  const ordered = [...items].sort((one, other) => Number(other.id === primary) - Number(one.id === primary))
  return (ordered.find(record => !isEmpty(readField(record, field))) ?? ordered[0])?.id ?? primary
}

export type Choices = Readonly<Record<string, string>>

/** The changes of several fields; those of custom fields are together in `metadata`. */
function overridesOf(changes: readonly Record<string, unknown>[]): Record<string, unknown> {
  const metadata = Object.assign({}, ...changes.map(one => one.metadata ?? {}))
  return { ...Object.assign({}, ...changes), ...(Object.keys(metadata).length > 0 ? { metadata } : {}) }
}

/** Merges records into the primary, with the values that the person chose of others. */
export async function merge(
  kind: DuplicateKind,
  items: readonly DuplicateRecord[],
  primary: string,
  fields: readonly Field[],
  choices: Choices,
): Promise<boolean> {
  const overrides = overridesOf(
    fields.flatMap(field => {
      const source = choices[field.key]
      const record = items.find(({ id }) => id === source)
      if (!record || source === defaultSource(field, items, primary)) return []
      return [changesOf(field, readField(record, field) ?? null)]
    }),
  )
  const secondary_ids = items.flatMap(({ id }) => (id === primary ? [] : id))
  const body = { primary_id: primary, secondary_ids, overrides }
  try {
    const path = kind === 'contacts' ? '/api/contacts/merge' : '/api/companies/merge'
    const { operation_id } = await kith.request('POST', path, { body })
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === kind })
    const one = kind === 'contacts' ? 'contact' : 'company'
    offerUndoOf(`Merged ${formatCount(items.length, one, kind)}`, operation_id)
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

/** Remembers that the records of a group are not duplicates of each other. */
export async function dismiss(kind: DuplicateKind, { items }: DuplicateGroup): Promise<void> {
  const send = (remove: boolean) =>
    kith.request('POST', `/api/${kind}/not-duplicates`, { body: { ids: items.map(({ id }) => id), remove } })
  const reread = () => queryClient.invalidateQueries({ queryKey: keys.other(kind, 'duplicates') })
  try {
    await send(false)
    offerUndo('Not duplicates: they are not listed again', async () => {
      await send(true)
      await reread()
    })
  } catch (error) {
    showError(error)
  }
  await reread()
}
