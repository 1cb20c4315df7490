/** The declared fields of an account, cached until one of them changes. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import type { Cache } from '../../kernel/cache.ts'
import { type Ctx, query } from '../../kernel/context.ts'
import type { CustomColumn, CustomColumns } from '../../kernel/custom-column.ts'
import { processState } from '../../kernel/process-state.ts'
import { boolean, date, datetime, number, type Schema, text } from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { type KindWith, kindsWith } from '../kinds.ts'

export const CUSTOM_ENTITY_TYPES = kindsWith('customizable')
export type CustomEntityType = KindWith<'customizable'>

export const FIELD_TYPES = [
  'text',
  'long_text',
  'number',
  'currency',
  'boolean',
  'date',
  'datetime',
  'select',
  'multi_select',
  'url',
  'email',
  'phone',
  'user',
  'reference',
  'rating',
  'json',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export interface Option {
  value: string
  label: string
  color: string | null
  position: number
  is_archived: boolean
}

export interface Validation {
  min?: number | string | null
  max?: number | string | null
  min_length?: number | null
  max_length?: number | null
  pattern?: string | null
  entity_type?: CustomEntityType | null
}

export interface Definition {
  id: string
  entity_type: CustomEntityType
  key: string
  name: string
  field_type: FieldType
  is_required: boolean
  is_unique: boolean
  default_value: unknown
  options: Option[] | null
  validation: Validation | null
  is_archived: boolean
}

type ByType = ReadonlyMap<string, readonly Definition[]>
const NONE: readonly Definition[] = []

const opened = processState<{ cache?: Cache<ByType>; opening?: Promise<void> }>(() => ({}))

/** Transactions that have changed definitions: their reads may be rolled back and must not be cached. */
const changing = new WeakSet<Db>()

export const markChanging = (tx: Ctx): void => {
  changing.add(tx.db)
}

/** The declared fields of a kind of record, archived ones among them. */
export async function definitionsOf(ctx: Ctx, entityType: string): Promise<readonly Definition[]> {
  const cache = changing.has(ctx.db) ? undefined : cacheFor(ctx)
  const all = cache ? await cache.get(ctx.account, () => load(ctx)) : await load(ctx)
  return all?.get(entityType) ?? NONE
}

/** Call it after a change by this process, because the notification to all processes may arrive later. */
export function forgetDefinitions(ctx: Ctx): void {
  cacheFor(ctx)?.clear()
}

function cacheFor(ctx: Ctx): Cache<ByType> | undefined {
  const state = opened(ctx.services)
  // Not awaited: this may run in a transaction on the only connection, and listening needs a connection.
  state.opening ??= ctx.services.caches.of<ByType>(['custom_fields']).then(
    cache => {
      state.cache = cache
    },
    () => {
      delete state.opening
    },
  )
  return state.cache
}

async function load(ctx: Ctx): Promise<ByType> {
  const definitions = await query(
    ctx,
    sql<Definition>`select f.id, f.entity_type, f.key, f.name, f.field_type, f.is_required, f.is_unique,
      f.default_value, f.options, f.validation, f.is_archived
      from ${living(ctx, 'custom_fields')} f order by f.position, f.id`,
  )
  return Map.groupBy(definitions, definition => definition.entity_type)
}

const KINDS: Record<FieldType, [CustomColumn['kind'], Schema<unknown>] | undefined> = {
  text: ['text', text()],
  long_text: ['text', text()],
  number: ['number', number()],
  currency: ['number', number()],
  boolean: ['text', boolean()],
  date: ['time', date()],
  datetime: ['time', datetime()],
  select: ['text', text()],
  multi_select: ['text', text()],
  url: ['text', text()],
  email: ['text', text()],
  phone: ['text', text()],
  user: ['text', text()],
  reference: ['text', text()],
  rating: ['number', number()],
  json: undefined,
}

const columns = new WeakMap<readonly Definition[], CustomColumns>()

/** How lists filter and sort by these fields. */
export async function customColumnsOf(ctx: Ctx, entityType: string): Promise<CustomColumns> {
  const definitions = await definitionsOf(ctx, entityType)
  let cached = columns.get(definitions)
  if (!cached) {
    cached = new Map(
      definitions.flatMap(({ id, key, field_type }) => {
        const [kind, schema] = KINDS[field_type] ?? []
        return kind && schema ? [[key, { fieldId: id, kind, schema }] as const] : []
      }),
    )
    columns.set(definitions, cached)
  }
  return cached
}
