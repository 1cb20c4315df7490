/** A mapping to begin with: by what the columns are called, and where that says nothing by what they hold. */
import type { Exported } from '../exports/record.ts'
import { fieldsByAlias, headerKeys, lettersOf } from './aliases.ts'
import type { Column } from './analyse.ts'
import { type ImportField, undeclaredField } from './fields.ts'
import { isEmailLike, isUuid } from './infer.ts'

/** Names in lower case that columns may hold which are not made when they are missing: people, pipelines, stages. */
export type Here = Record<string, ReadonlySet<string>>

/** The second column of a kind still finds a place. */
const SECOND: Record<string, string> = { email: 'emails', phone: 'phones', company_name: 'company_names' }

/** Types of a column that a field of the kind cannot take. */
const UNFIT: Partial<Record<ImportField['kind'], readonly Column['inferred_type'][]>> = {
  uuid: ['text', 'integer', 'number', 'date', 'datetime', 'email', 'url', 'phone', 'boolean'],
  integer: ['text', 'email', 'url', 'date', 'datetime', 'uuid'],
  number: ['text', 'email', 'url', 'date', 'datetime', 'uuid'],
  boolean: ['email', 'url', 'date', 'datetime', 'uuid', 'phone'],
  date: ['text', 'email', 'url', 'uuid', 'phone'],
  time: ['text', 'email', 'url', 'uuid', 'phone'],
}

export function guessMapping(
  entity: Exported,
  columns: readonly Column[],
  fields: ReadonlyMap<string, ImportField>,
  here: Here,
): Map<string, string | null> {
  const known = (name: string) =>
    fields.get(name) ?? (withMetadata(fields) ? undeclaredField(name) : undefined)
  const byLetters = new Map([...fields.keys()].map(name => [lettersOf(name), name]))
  const taken = new Set<string>()
  const mapping = new Map<string, string | null>()
  for (const column of columns) {
    const field = candidates(entity, column, byLetters).find(name => fits(column, known(name), taken, here))
    if (field !== undefined) taken.add(field)
    mapping.set(column.header, field ?? null)
  }
  return mapping
}

const withMetadata = (fields: ReadonlyMap<string, ImportField>): boolean => fields.has('metadata')

function* names(entity: Exported, column: Column, byLetters: ReadonlyMap<string, string>) {
  // As an export calls the keys of the metadata.
  if (column.header.startsWith('cf.')) yield column.header
  for (const key of headerKeys(column.header)) {
    const field = byLetters.get(key) ?? fieldsByAlias[entity].get(key)
    if (field === undefined) continue
    yield field
    if (SECOND[field]) yield SECOND[field]
  }
  if (/^Column \d+$/.test(column.header)) yield* byContent(column)
}

const candidates = (entity: Exported, column: Column, byLetters: ReadonlyMap<string, string>): string[] => [
  ...names(entity, column, byLetters),
]

function* byContent({ inferred_type, samples }: Column) {
  if (inferred_type === 'email') yield* ['email', 'emails']
  if (inferred_type === 'phone') yield* ['phone', 'phones']
  if (inferred_type === 'url') {
    if (samples.some(sample => sample.includes('linkedin.com'))) yield 'linkedin_url'
    yield 'website'
  }
}

function fits(
  column: Column,
  field: ImportField | undefined,
  taken: ReadonlySet<string>,
  here: Here,
): boolean {
  if (!field || (taken.has(field.name) && !field.several)) return false
  if (field.name === 'email' && column.inferred_type !== 'empty') return column.samples.some(isEmailLike)
  const { place } = field
  // Ids of another system mean nothing here.
  const isId = field.kind === 'uuid' || (place.at === 'tie' && place.by === 'id')
  if (isId)
    return (
      column.inferred_type === 'empty' ||
      column.samples.every(sample => sample.split(/[;,\s]+/).every(isUuid))
    )
  // Where none of the names is known here, every row would fail.
  const names = place.at === 'tie' ? here[place.field] : undefined
  if (names) {
    const isKnown = (sample: string) => names.has(sample.trim().toLowerCase())
    return column.inferred_type === 'empty' || column.samples.some(isKnown)
  }
  return !UNFIT[field.kind]?.includes(column.inferred_type)
}
