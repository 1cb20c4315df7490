/** The fields that the columns of a file can be mapped to, for each kind of record. */
import type { Ctx } from '../../../kernel/context.ts'
import type { Target } from '../../../kernel/links.ts'
import type { RecordType } from '../../../kernel/resource.ts'
import { date, datetime, type JsonSchema, number, text, uuid } from '../../../kernel/schema/index.ts'
import type { NumberStyle } from '../../../lib/numbers/units.ts'
import { type Definition, definitionsOf } from '../../../resources/custom-fields/definition.ts'
import { kindsWith, moneyFields, targets } from '../../../resources/kinds.ts'
import { namesOf, referencesOf } from '../exports/columns.ts'
import { type Kind, kindOf } from '../exports/kinds.ts'
import type { AddressKind } from './addresses.ts'
import { type Choices, choicesFor } from './choices.ts'
import type { Closing } from './draft.ts'

/** Where in a row's draft a cell goes. */
export type Destination =
  | { at: 'input' }
  | { at: 'record' }
  /** several addresses of one person, from one column or more */
  | { at: 'addresses'; one: AddressKind }
  /** the first address, and where there is a list for them, further ones */
  | { at: 'main address'; one: AddressKind; isListed: boolean }
  /** linked records: by id, by name, by the id in the system the file comes from, or a company by its domain */
  | { at: 'link'; field: string; by: 'id' | 'name' | 'domain' | 'external'; many: boolean }
  /** the record's id in the system the file comes from */
  | { at: 'external id' }
  | { at: 'full name' }
  | { at: 'deal status' }
  /** when a deal was closed */
  | { at: 'closing'; as: keyof Closing }
  /** when an activity is due: the day, perhaps with its time, and the time alone */
  | { at: 'due day' }
  | { at: 'due time' }
  /** minutes, or a text such as 0:30 */
  | { at: 'duration' }
  /** a sum of money, which may bring its currency */
  | { at: 'amount' }
  | { at: 'tags' }
  | { at: 'custom'; key: string }
  | { at: 'metadata' }

export interface ImportField {
  name: string
  destination: Destination
  kind: Kind
  json: JsonSchema
  /** what a number may carry besides its digits */
  style?: NumberStyle
  /** several columns may go here; elsewhere the first that has a value counts */
  several: boolean
  /** of a custom field with options */
  choices?: Choices
}

const TAGGED: readonly string[] = kindsWith('taggable')

/** Fields of a request that duplicate another one, or that files do not have. */
const NOT_IN_FILES: Record<string, readonly string[]> = { activity: ['title', 'transcription_id'] }

/** Number fields that take more than digits. */
const STYLES: Record<string, NumberStyle> = {
  amount: 'money',
  unit_price: 'money',
  annual_revenue: 'money',
  employee_count: 'count',
  twitter_follower_count: 'count',
  probability: 'percent',
}

const plainText: JsonSchema = text().json

export async function importFields(ctx: Ctx, record: RecordType): Promise<ReadonlyMap<string, ImportField>> {
  const entity = record.entityType ?? ''
  const inputs = Object.entries(record.input.fields).filter(([name]) => !NOT_IN_FILES[entity]?.includes(name))
  const fields: ImportField[] = [
    { name: 'id', destination: { at: 'record' }, kind: 'uuid', json: uuid().json, several: false },
    {
      name: 'created_at',
      destination: { at: 'record' },
      kind: 'time',
      json: datetime().json,
      several: false,
    },
    {
      name: 'updated_at',
      destination: { at: 'record' },
      kind: 'time',
      json: datetime().json,
      several: false,
    },
    ...inputs.flatMap(([name, schema]) => fieldsOf(record, name, schema.json)),
    ...further(entity),
    ...(TAGGED.includes(entity) ? [tags] : []),
  ]
  if ('metadata' in record.input.fields) {
    const declared = await definitionsOf(ctx, entity)
    fields.push(...declared.filter(({ is_archived }) => !is_archived).map(customField))
  }
  return new Map(fields.map(field => [field.name, field]))
}

/** Fields that hold ids of another system, which has to be known. */
export const isExternal = ({ destination }: ImportField): boolean =>
  destination.at === 'external id' || (destination.at === 'link' && destination.by === 'external')

/** The kind of record that a link field references, by the name of the field. */
export const referenceTargets = (record: RecordType): Record<string, Target> => ({
  ...referencesOf(record),
  created_by: targets.member,
  ...Object.fromEntries(Object.entries(record.links ?? {}).map(([name, link]) => [name, link.target])),
})

const hasExternalIds = (table: string | undefined): boolean =>
  table === 'companies' || table === 'contacts' || table === 'deals'

function fieldsOf(record: RecordType, name: string, json: JsonSchema): ImportField[] {
  const many = record.links?.[name] !== undefined
  if (many || referencesOf(record)[name]) {
    const kind: Kind = many ? 'texts' : 'text'
    const link = (by: 'id' | 'name' | 'external'): Destination => ({ at: 'link', field: name, by, many })
    const fields: ImportField[] = [
      { name, destination: link('id'), kind, json: plainText, several: many },
      { name: namesOf(name), destination: link('name'), kind, json: plainText, several: many },
    ]
    if (!hasExternalIds(referenceTargets(record)[name]?.table)) return fields
    const external = name.replace(/_id(s?)$/, '_external_id$1')
    return [
      ...fields,
      { name: external, destination: link('external'), kind, json: plainText, several: many },
    ]
  }
  if (name === 'metadata')
    return [{ name, destination: { at: 'metadata' }, kind: 'json', json, several: false }]
  if (name === 'emails' || name === 'phones') {
    const one = name === 'emails' ? 'email' : 'phone'
    return [{ name, destination: { at: 'addresses', one }, kind: 'json', json, several: true }]
  }
  if (name === 'email' || name === 'phone') {
    const isListed = `${name}s` in record.input.fields
    const destination: Destination = { at: 'main address', one: name, isListed }
    return [{ name, destination, kind: 'text', json, several: false }]
  }
  if (name === 'external_ids') {
    const field = { kind: 'text', json: plainText, several: false } as const
    return [
      { name: 'external_id', destination: { at: 'external id' }, ...field },
      { name, destination: { at: 'input' }, kind: 'json', json, several: false },
    ]
  }
  if (record.entityType === 'activity' && name === 'due_date')
    return [{ name, destination: { at: 'due day' }, kind: 'time', json, several: false }]
  if (name === 'duration_minutes')
    return [{ name, destination: { at: 'duration' }, kind: kindOf(json), json, several: false }]
  const kind = kindOf(json)
  const style = STYLES[name]
  const destination: Destination = moneyFields.includes(name) ? { at: 'amount' } : { at: 'input' }
  const several = kind === 'texts' || kind === 'text or texts'
  return [{ name, destination, kind, json, several, ...(style ? { style } : {}) }]
}

/** Fields of an import that are no fields of the record. */
function further(entity: string): ImportField[] {
  const field = (name: string, destination: Destination): ImportField => ({
    name,
    destination,
    kind: 'text',
    json: plainText,
    several: false,
  })
  const author = (name: string, by: 'id' | 'name') =>
    field(name, { at: 'link', field: 'created_by', by, many: false })
  const authors = [author('created_by', 'id'), author('created_by_name', 'name')]
  const byDomain = (name: string, of: string) =>
    field(name, { at: 'link', field: of, by: 'domain', many: false })
  const domain = byDomain('company_domain', 'company_id')
  if (entity === 'company') return [...authors, byDomain('parent_domain', 'parent_id')]
  if (entity === 'contact') return [...authors, field('full_name', { at: 'full name' }), domain]
  if (entity === 'deal') return [...authors, domain, field('status', { at: 'deal status' }), ...closings]
  if (entity === 'activity') return [...authors, field('due_time', { at: 'due time' })]
  return authors
}

/** Tags by their names; they are added to those that a record has. */
const tags: ImportField = {
  name: 'tags',
  destination: { at: 'tags' },
  kind: 'texts',
  json: plainText,
  several: true,
}

const closings: ImportField[] = (
  [
    ['close_date', 'day', 'date', date().json],
    ['won_at', 'won', 'time', datetime().json],
    ['lost_at', 'lost', 'time', datetime().json],
  ] as const
).map(([name, as, kind, json]) => ({ name, destination: { at: 'closing', as }, kind, json, several: false }))

const CUSTOM_KINDS: Partial<Record<Definition['field_type'], [Kind, JsonSchema]>> = {
  number: ['number', number().json],
  currency: ['number', number().json],
  rating: ['number', number().json],
  boolean: ['boolean', { type: 'boolean' }],
  date: ['date', date().json],
  datetime: ['time', datetime().json],
  multi_select: ['texts', plainText],
  user: ['uuid', plainText],
  reference: ['uuid', plainText],
  json: ['json', {}],
}

const CUSTOM_STYLES: Partial<Record<Definition['field_type'], NumberStyle>> = {
  number: 'count',
  currency: 'money',
}

export function customField(definition: Definition): ImportField {
  const { key, field_type } = definition
  const [kind, json] = CUSTOM_KINDS[field_type] ?? ['text', plainText]
  const style = CUSTOM_STYLES[field_type]
  const choices = choicesFor(definition)
  return {
    name: `cf.${key}`,
    destination: { at: 'custom', key },
    kind,
    json,
    several: kind === 'texts',
    ...(style ? { style } : {}),
    ...(choices ? { choices } : {}),
  }
}

/** An undeclared metadata key: its values are texts. */
export const undeclaredField = (name: string): ImportField | undefined => {
  const key = /^cf\.([A-Za-z0-9_-]{1,100})$/.exec(name)?.[1]
  if (key === undefined || key === '__proto__') return undefined
  return { name, destination: { at: 'custom', key }, kind: 'text', json: plainText, several: false }
}
