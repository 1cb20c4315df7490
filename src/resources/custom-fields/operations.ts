/** Declares fields and changes declarations. Stored values are not changed. */
import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud, lockRecords } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import type { Operations } from '../../kernel/resource.ts'
import { decompose, type Issue } from '../../kernel/schema/index.ts'
import { FROM_TRASH, living, rows, updateRows } from '../../kernel/statements.ts'
import { forgetDefinitions, markChanging } from './definition.ts'
import { missingTargets } from './linked-values.ts'
import { type CustomField, type CustomFieldInput, customField } from './record.ts'
import { ratingProblem, settle } from './rules.ts'

/** The maximum per kind: every write of a record checks all of them. */
const MAX_FIELDS = 500

const base = crud(customField)
export const customFieldRecord = base.record

async function settled<Input extends CustomFieldInput>(tx: Ctx, input: Input, checkDefault: boolean) {
  const issues: Issue[] = []
  const definition = settle(input, issues)
  const rating = ratingProblem(definition)
  if (rating) throw errors.invalidValue(['body', 'validation'], rating, input.validation)
  const value = definition.default_value
  if (checkDefault && issues.length === 0 && value !== null) {
    const change = { definition, value, loc: ['body', 'default_value'] }
    issues.push(...(await missingTargets(tx, [change])).map(({ issue }) => issue))
  }
  if (issues.length > 0) throw errors.invalid(issues)
  return definition
}

/** `Größe (cm)` → `grosse_cm` */
export function keyOf(name: string): string {
  const words = decompose(name)
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const key = /^[0-9]/.test(words) ? `field_${words}` : words
  return key.slice(0, 63).replace(/_+$/, '')
}

/** A name without Latin letters or digits gives no key, so these fields are numbered. */
async function freeKey(tx: Ctx, entityType: string): Promise<string> {
  const taken = await query(
    tx,
    sql<{ key: string }>`select f.key from ${living(tx, 'custom_fields')} f
      where f.entity_type = ${entityType} and f.key like 'field%'`,
  )
  const keys = new Set(taken.map(({ key }) => key))
  for (let n = 1; ; n++) {
    const key = n === 1 ? 'field' : `field_${n}`
    if (!keys.has(key)) return key
  }
}

async function checkKey(tx: Ctx, entityType: string, key: string, ownId?: string): Promise<void> {
  const other = await queryOne(
    tx,
    sql<{ id: string; name: string }>`select f.id, f.name from ${living(tx, 'custom_fields')} f
      where f.entity_type = ${entityType} and f.key = ${key} and f.id is distinct from ${ownId ?? null}::uuid`,
  )
  if (other) {
    throw errors.conflict(`The custom field "${other.name}" (${other.id}) has the key ${key} already`)
  }
}

function create(ctx: Ctx, input: CustomFieldInput): Promise<CustomField> {
  return declaring(ctx, async tx => {
    const { entity_type } = input
    const existing = await query(
      tx,
      sql<{ count: number; position: number }>`select count(*) as count,
          least(coalesce(max(f.position) + 1::bigint, 0), 2147483647) as position
        from ${living(tx, 'custom_fields')} f where f.entity_type = ${entity_type}`,
    )
    const { count, position } = one(existing)
    if (count >= MAX_FIELDS) {
      throw errors.conflict(`There are ${MAX_FIELDS} custom fields already, the most that a record can have`)
    }
    const key = (input.key ?? keyOf(input.name)) || (await freeKey(tx, entity_type))
    const definition = await settled(tx, { ...input, key }, true)
    await checkKey(tx, entity_type, key)
    return base.create(tx, { position, ...definition })
  })
}

const FIXED = ['entity_type', 'key', 'field_type'] as const

function update(ctx: Ctx, id: string, input: Partial<CustomFieldInput>): Promise<CustomField> {
  return declaring(ctx, async tx => {
    await lockRecords(tx, customField.table, [id])
    const current = await base.get(tx, id)
    for (const name of FIXED) {
      if (input[name] == null || input[name] === current[name]) continue
      throw errors.invalidValue(['body', name], `${name} cannot change once the field is there`, input[name])
    }
    const checkDefault = input.default_value !== undefined
    const changed = changeable(input)
    const definition = await settled(tx, { ...current, ...changed }, checkDefault)
    const isWritten = ([name]: [string, unknown]) => name in changed
    return base.update(tx, id, Object.fromEntries(Object.entries(definition).filter(isWritten)))
  })
}

const changeable = ({
  entity_type: _type,
  key: _key,
  field_type: _field,
  ...rest
}: Partial<CustomFieldInput>) => rest

const remove: Operations['remove'] = (ctx, ids) => declaring(ctx, tx => base.remove(tx, ids))

function restore(ctx: Ctx, ids: readonly string[]): Promise<number> {
  return declaring(ctx, async tx => {
    const trashed = await query(
      tx,
      sql<{ id: string; entity_type: string; key: string }>`select f.id, f.entity_type, f.key
        from ${rows(tx, 'custom_fields')} f where f.id = any(${ids}::uuid[]) and f.deleted_at is not null`,
    )
    for (const { id, entity_type, key } of trashed) await checkKey(tx, entity_type, key, id)
    const back = await updateRows(
      tx,
      customField.table,
      FROM_TRASH,
      sql`r.id = any(${trashed.map(({ id }) => id)}::uuid[])`,
      sql`r.id`,
    )
    return back.length
  })
}

/** Writes of the account's records wait while a field is declared or changed, so that each sees one consistent state. */
async function declaring<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> {
  const result = await transaction(ctx, async tx => {
    await query(tx, sql`select pg_advisory_xact_lock(custom_fields_lock(${tx.account}))`)
    markChanging(tx)
    return work(tx)
  }).catch(error => {
    if (!isUniqueViolation(error, 'custom_values_unique')) throw error
    throw errors.conflict('Several records have the same value of this field, so it cannot be unique')
  })
  forgetDefinitions(ctx)
  return result
}

export const customFieldOperations: Operations<CustomFieldInput, CustomField> = {
  ...base,
  create,
  update,
  remove,
  restore,
}
