/** Proposes a mapping: by the headings of the columns, and for columns without one by their values. */

import { readNumber } from '../../../lib/numbers/read.ts'
import type { Exported } from '../exports/record.ts'
import { fieldsByAlias, headerKeys, lettersOf } from './aliases.ts'
import type { Column } from './analyse.ts'
import { isDateLike } from './dates.ts'
import { type ImportField, undeclaredField } from './fields.ts'
import { isUuid } from './infer.ts'
import { fieldIn, type Profile } from './profiles.ts'
import { isNoDate, readBoolean, readList } from './values.ts'

/** The field for the second column of a kind. */
const SECOND: Record<string, string> = {
  email: 'emails',
  phone: 'phones',
  company_name: 'company_names',
  due_time: 'due_at',
}

export function guessMapping(
  entity: Exported,
  columns: readonly Column[],
  fields: ReadonlyMap<string, ImportField>,
  profile: Profile | undefined,
): Map<string, string | null> {
  const fieldNamed = (name: string) =>
    fields.get(name) ?? (withMetadata(fields) ? undeclaredField(name) : undefined)
  const byLetters = new Map([...fields.keys()].map(name => [lettersOf(name), name]))
  const taken = new Set<string>()
  const mapping = new Map<string, string | null>()
  for (const column of columns) {
    const own = profile && fieldIn(profile, entity, column.header)
    const others = own === null ? [] : names(entity, column, byLetters)
    const field = [...[own ?? []].flat(), ...others].find(name => fits(column, fieldNamed(name), taken))
    if (field !== undefined) taken.add(field)
    mapping.set(column.header, field ?? null)
  }
  return mapping
}

const withMetadata = (fields: ReadonlyMap<string, ImportField>): boolean => fields.has('metadata')

function* names(entity: Exported, column: Column, byLetters: ReadonlyMap<string, string>) {
  // Exports have these names for keys of the metadata.
  if (column.header.startsWith('cf.')) yield column.header
  for (const key of headerKeys(column.header)) {
    // `created_by` is a field for ids; files of other products have the person's name under it.
    for (const field of [byLetters.get(key), fieldsByAlias[entity].get(key)]) {
      if (field === undefined) continue
      yield field
      if (SECOND[field]) yield SECOND[field]
    }
  }
  if (/^Column \d+$/.test(column.header)) yield* byContent(column)
}

function* byContent({ inferred_type, samples }: Column) {
  if (inferred_type === 'email') yield* ['email', 'emails']
  if (inferred_type === 'phone') yield* ['phone', 'phones']
  if (inferred_type === 'url') {
    if (samples.some(sample => sample.includes('linkedin.com'))) yield 'linkedin_url'
    yield 'website'
  }
}

function fits(column: Column, field: ImportField | undefined, taken: ReadonlySet<string>): boolean {
  if (!field || (taken.has(field.name) && !field.several)) return false
  const { destination } = field
  // Ids of another system mean nothing here.
  const isId = field.kind === 'uuid' || (destination.at === 'link' && destination.by === 'id')
  if (isId)
    return (
      column.inferred_type === 'empty' ||
      column.samples.every(sample => sample.split(/[;,\s]+/).every(isUuid))
    )
  const isClock = (sample: string) => /^\d{1,2}:\d\d/.test(sample)
  if (destination.at === 'due time') return column.samples.some(isClock)
  if (isSure(column, field)) return true
  if (destination.at === 'link' && destination.by === 'external') return column.samples.every(isIdLike)
  if (destination.at === 'duration' && column.samples.some(isClock)) return true
  return column.samples.length === 0 || column.samples.some(isReadableAs(field))
}

/** HubSpot has ids in "Parent Company", others the name. */
const isIdLike = (sample: string): boolean => readList(sample).every(part => /^\S*\d\S*$/.test(part))

/** A column that has the name of the field is mapped to it, whatever its values are. */
const isSure = (column: Column, field: ImportField): boolean =>
  lettersOf(column.header) === lettersOf(field.name)

/** Whether a cell is of the field's kind at all. One of them is enough: the others fail in their rows. */
function isReadableAs({ kind, style }: ImportField): (sample: string) => boolean {
  switch (kind) {
    case 'integer':
    case 'number':
      return sample => 'value' in readNumber(sample, { style: style ?? 'digits', assumed: '.' })
    case 'date':
    case 'time':
      return sample => isDateLike(sample) || isNoDate(sample)
    case 'boolean':
      return sample => typeof readBoolean(sample) === 'boolean'
    default:
      return () => true
  }
}
