/** Nested filters of `POST /api/<group>/query`, compiled to SQL: and, or, not, comparisons, one step into related records. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { type CustomColumns, narrowed } from '../../kernel/custom-values.ts'
import { errors } from '../../kernel/errors.ts'
import { sortType } from '../../kernel/list-parameters.ts'
import type { RecordType } from '../../kernel/resource.ts'
import type { Loc } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { compare } from './compare.ts'

type Sql = RawBuilder<unknown>

const MAX_CONDITIONS = 200

/** Which record type stands behind a table, for the step into related records. */
export type RecordOf = (table: string) => RecordType | undefined

interface Compiling {
  ctx: Ctx
  /** the declared custom fields of the record itself */
  columns: CustomColumns
  recordOf: RecordOf
  count: number
}

export async function compileCondition(
  ctx: Ctx,
  record: RecordType,
  recordOf: RecordOf,
  where: unknown,
): Promise<Sql> {
  const columns = (await record.custom?.(ctx)) ?? new Map()
  return compile({ ctx, columns, recordOf, count: 0 }, record, where, ['body', 'where'], 'r', true)
}

function compile(
  on: Compiling,
  record: RecordType,
  node: unknown,
  loc: Loc,
  alias: string,
  mayStep: boolean,
): Sql {
  if (++on.count > MAX_CONDITIONS) {
    throw errors.invalidValue(['body', 'where'], `a query takes at most ${MAX_CONDITIONS} conditions`, null)
  }
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw errors.invalidValue(loc, 'a condition is an object with and, or, not, or field, op and value', node)
  }
  const condition = node as Record<string, unknown>
  for (const kind of ['and', 'or'] as const) {
    const parts = condition[kind]
    if (parts === undefined) continue
    if (!Array.isArray(parts))
      throw errors.invalidValue([...loc, kind], 'this takes a list of conditions', parts)
    if (parts.length === 0) return kind === 'and' ? sql`true` : sql`false`
    const compiled = parts.map((part, i) => compile(on, record, part, [...loc, kind, i], alias, mayStep))
    return sql`(${sql.join(compiled, kind === 'and' ? sql` and ` : sql` or `)})`
  }
  if (condition.not !== undefined) {
    return sql`(not coalesce(${compile(on, record, condition.not, [...loc, 'not'], alias, mayStep)}, false))`
  }
  return comparison(on, record, condition, loc, alias, mayStep)
}

function comparison(
  on: Compiling,
  record: RecordType,
  condition: Record<string, unknown>,
  loc: Loc,
  alias: string,
  mayStep: boolean,
): Sql {
  const field = condition.field
  if (typeof field !== 'string') {
    throw errors.invalid([
      { type: 'missing', loc: [...loc, 'field'], msg: 'Field required', input: condition },
    ])
  }
  const [step, ...rest] = field.split('.')
  if (rest.length > 0 && step !== 'cf' && mayStep) {
    return related(on, record, step!, { ...condition, field: rest.join('.') }, [...loc, 'field'])
  }
  const { expression, type } = operand(on.ctx, record, field, alias, loc)
  const compared = compare(expression, type, condition, loc)
  const isEqual = step === 'cf' && alias === 'r' && (condition.op ?? 'eq') === 'eq'
  return isEqual
    ? sql`(${narrowed(on.ctx, on.columns.get(rest.join('.')), condition.value)} and ${compared})`
    : compared
}

/** Into the records that a reference or link field points to: at least one of them fulfils the condition. */
function related(
  on: Compiling,
  record: RecordType,
  step: string,
  condition: Record<string, unknown>,
  loc: Loc,
): Sql {
  const { ctx } = on
  for (const [name, target] of Object.entries(record.references ?? {})) {
    const other = on.recordOf(target.table)
    if (relationName(name) !== step || !other) continue
    return sql`exists (select from ${living(ctx, target.table)} s where s.id = r.${sql.ref(name)}
      and ${compile(on, other, condition, loc, 's', false)})`
  }
  for (const [name, link] of Object.entries(record.links ?? {})) {
    const other = on.recordOf(link.target.table)
    if (relationName(name) !== step || !other) continue
    return sql`exists (select from ${rows(ctx, link.table)} l
      join ${living(ctx, link.target.table)} s on s.id = l.${sql.ref(link.other)}
      where l.${sql.ref(link.own)} = r.id and ${compile(on, other, condition, loc, 's', false)})`
  }
  throw errors.invalidValue(loc, `there is no related record called ${step}`, step)
}

/** `company_id` → company, `associated_deal_ids` → deals, `team_ids` → team */
export const relationName = (field: string): string =>
  field
    .replace(/^associated_/, '')
    .replace(/_ids$/, field === 'team_ids' ? '' : 's')
    .replace(/_id$/, '')
    .replace(/ys$/, 'ies')

function operand(
  ctx: Ctx,
  record: RecordType,
  field: string,
  alias: string,
  loc: Loc,
): { expression: Sql; type: string } {
  const table = sql.ref(alias)
  const custom = /^cf\.([A-Za-z0-9_-]{1,100})$/.exec(field)
  if (custom && 'metadata' in record.output.fields) {
    return { expression: sql`(${table}.metadata -> ${custom[1]})`, type: 'jsonb' }
  }
  const schema = Object.hasOwn(record.output.fields, field) ? record.output.fields[field] : undefined
  const type = schema && !record.links?.[field] ? sortType(schema.json) : undefined
  if (schema && field === 'categories') return { expression: sql`${table}.categories`, type: 'text[]' }
  const computed = record.computed?.[field]
  // A computed field is written in terms of `r`; on a related record only columns can be compared.
  if (!type || (computed && alias !== 'r')) {
    throw errors.invalidValue([...loc, 'field'], `${field} cannot be compared`, field)
  }
  return { expression: computed ? sql`${computed(ctx)}` : sql`${table}.${sql.ref(field)}`, type }
}
