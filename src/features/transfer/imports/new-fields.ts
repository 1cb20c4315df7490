/**
 * Custom fields for columns that are none of our fields (`options.create_fields`). They are declared when the import
 * starts, with the type that all values of the column have; a dry run reads the values in the same way.
 */
import type { Ctx } from '../../../kernel/context.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { type Definition, definitionsOf } from '../../../resources/custom-fields/definition.ts'
import { customFieldOperations, keyOf } from '../../../resources/custom-fields/operations.ts'
import type { Column } from './analyse.ts'
import { customField, type ImportField } from './fields.ts'
import type { Mapping } from './mapping.ts'
import type { ImportOptions } from './options.ts'
import { unlessRefused } from './refused.ts'

interface Settings {
  entity_type: string
  columns: readonly Column[]
  mapping: Mapping
  options: ImportOptions
}

/** Columns without a field get a key of their own, unless the client has just left them out. */
export function withNewFields(
  columns: readonly Column[],
  mapping: Mapping,
  chosen: Record<string, unknown>,
): Mapping {
  const taken = new Set(Object.values(mapping))
  const added = columns
    .filter(
      ({ header, samples }) =>
        mapping[header] === null && samples.length > 0 && !Object.hasOwn(chosen, header),
    )
    .map(({ header, index }) => {
      const key = keyOf(header) || `column_${index + 1}`
      let name = `cf.${key}`
      for (let n = 2; taken.has(name); n++) name = `cf.${key.slice(0, 58)}_${n}`
      taken.add(name)
      return [header, name] as const
    })
  return { ...mapping, ...Object.fromEntries(added) }
}

interface NewField {
  column: Column
  key: string
  field: ImportField
}

/** The fields that an import with these settings declares, by their name (`cf.<key>`). */
export async function newFields(ctx: Ctx, stored: Settings): Promise<Map<string, NewField>> {
  if (!stored.options.create_fields) return new Map()
  const existing = new Set((await definitionsOf(ctx, stored.entity_type)).map(({ key }) => key))
  const fields = new Map<string, NewField>()
  for (const column of stored.columns) {
    const name = stored.mapping[column.header]
    const key = /^cf\.([a-z][a-z0-9_]{0,62})$/.exec(name ?? '')?.[1]
    if (name == null || key === undefined || existing.has(key) || fields.has(name)) continue
    fields.set(name, { column, key, field: customField({ ...PLAIN, key, field_type: column.value_type }) })
  }
  return fields
}

const PLAIN: Omit<Definition, 'key' | 'field_type'> = {
  id: '',
  entity_type: 'contact',
  name: '',
  is_required: false,
  is_unique: false,
  default_value: null,
  options: null,
  validation: null,
  is_archived: false,
}

/** Declares them. One that is refused is not declared: its values are stored as texts. */
export async function declareFields(ctx: Ctx, resource: Resource, stored: Settings): Promise<void> {
  for (const { column, key } of (await newFields(ctx, stored)).values()) {
    await unlessRefused(async () => {
      await customFieldOperations.create(ctx, {
        entity_type: resource.record.entityType as Definition['entity_type'],
        key,
        name: column.header.slice(0, 255),
        field_type: column.value_type,
        is_required: false,
        is_unique: false,
        is_archived: false,
      })
    })
  }
}
