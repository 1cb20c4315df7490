/** Which column is imported into which field: the proposed mapping, and the check of a requested one. */
import { errors } from '../../../kernel/errors.ts'
import type { RecordType } from '../../../kernel/resource.ts'
import type { Exported } from '../exports/record.ts'
import type { Column } from './analyse.ts'
import { type ImportField, undeclaredField } from './fields.ts'
import { guessMapping } from './guess.ts'
import type { Profile } from './profiles.ts'

export type Mapping = Record<string, string | null>
type Fields = ReadonlyMap<string, ImportField>

/** A column with the field that it goes into. */
export interface Mapped {
  column: Column
  field: ImportField
}

/** The columns, each with the field that it is mapped to. */
export function proposed(
  record: RecordType,
  columns: readonly Column[],
  fields: Fields,
  profile: Profile | undefined,
): Column[] {
  const guess = guessMapping(record.entityType as Exported, columns, fields, profile)
  return columns.map(column => ({ ...column, suggested_field: guess.get(column.header) ?? null }))
}

export const mappingOf = (columns: readonly Column[]): Mapping =>
  Object.fromEntries(columns.map(({ header, suggested_field }) => [header, suggested_field]))

export const fieldNamed =
  (record: RecordType, fields: Fields) =>
  (name: string): ImportField | undefined =>
    fields.get(name) ?? ('metadata' in record.input.fields ? undeclaredField(name) : undefined)

/** Every column by its header: a field, or null where it is left out. Columns that are not named do not change. */
export function checkMapping(
  record: RecordType,
  columns: readonly Column[],
  fields: Fields,
  before: Mapping,
  requested: Record<string, unknown>,
): Mapping {
  const headers = new Set(columns.map(column => column.header))
  const fieldOf = fieldNamed(record, fields)
  for (const [header, field] of Object.entries(requested)) {
    const loc = ['body', 'mapping', header]
    if (!headers.has(header)) throw errors.invalidValue(loc, 'the file has no such column', field)
    if (field === null || (typeof field === 'string' && fieldOf(field))) continue
    const names = [...fields.keys(), 'cf.<key>'].join(', ')
    throw errors.invalidValue(loc, `there is no such field: take one of ${names}`, field)
  }
  const all = { ...before, ...requested } as Mapping
  return Object.fromEntries(columns.map(({ header }) => [header, all[header] ?? null]))
}
