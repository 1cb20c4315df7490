/** Conditions of a query → SQL. Every part of a bad one is named by its position. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { type CustomColumns, narrowed } from '../../kernel/custom-values.ts'
import { errors } from '../../kernel/errors.ts'
import type { Loc } from '../../kernel/schema/index.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { unknownKeys } from '../../kernel/strict.ts'
import { compare } from './compare.ts'
import type { Kind, Operand, Relation } from './relations.ts'
import { MAX_CONDITIONS, MAX_DEPTH } from './spec.ts'

type Sql = RawBuilder<unknown>

interface Compiling {
  ctx: Ctx
  /** the declared custom fields of the record that is asked for */
  columns: CustomColumns
  count: number
}

/** `where` is as the client sent it. The record is `r`. */
export async function compileCondition(
  ctx: Ctx,
  kind: Kind,
  where: unknown,
  loc: Loc = ['body', 'where'],
): Promise<Sql> {
  const columns = (await kind.record?.custom?.(ctx)) ?? new Map()
  return compile({ ctx, columns, count: 0 }, kind, where, loc, 0)
}

const FORMS = 'and, or, not, some, every, none, count, or field, op and value'

function compile(on: Compiling, kind: Kind, node: unknown, loc: Loc, depth: number): Sql {
  if (++on.count > MAX_CONDITIONS) {
    throw errors.invalidValue(['body', 'where'], `a query takes at most ${MAX_CONDITIONS} conditions`, null)
  }
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw errors.invalidValue(loc, `a condition is an object with ${FORMS}`, node)
  }
  const condition = node as Record<string, unknown>
  for (const form of ['and', 'or'] as const) {
    if (condition[form] !== undefined) return joined(on, kind, form, condition, loc, depth)
  }
  if (condition.not !== undefined) {
    onlyKeys(condition, ['not'], loc)
    return sql`(not coalesce(${compile(on, kind, condition.not, [...loc, 'not'], depth)}, false))`
  }
  for (const form of ['some', 'every', 'none', 'count'] as const) {
    if (condition[form] !== undefined) return quantified(on, kind, form, condition, loc, depth)
  }
  return comparison(on, kind, condition, loc, depth)
}

function joined(
  on: Compiling,
  kind: Kind,
  form: 'and' | 'or',
  condition: Record<string, unknown>,
  loc: Loc,
  depth: number,
): Sql {
  onlyKeys(condition, [form], loc)
  const parts = condition[form]
  if (!Array.isArray(parts))
    throw errors.invalidValue([...loc, form], 'this takes a list of conditions', parts)
  if (parts.length === 0) return form === 'and' ? sql`true` : sql`false`
  const compiled = parts.map((part, i) => compile(on, kind, part, [...loc, form, i], depth))
  return sql`(${sql.join(compiled, form === 'and' ? sql` and ` : sql` or `)})`
}

/** A key that is not used would make the condition wider than was asked for. */
function onlyKeys(condition: Record<string, unknown>, known: readonly string[], loc: Loc): void {
  const properties = Object.fromEntries(known.map(name => [name, {}]))
  const issues = unknownKeys({ type: 'object', properties }, condition, loc)
  if (issues.length > 0) throw errors.invalid(issues)
}

const COUNT_OPS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'between']

function quantified(
  on: Compiling,
  kind: Kind,
  form: 'some' | 'every' | 'none' | 'count',
  condition: Record<string, unknown>,
  loc: Loc,
  depth: number,
): Sql {
  onlyKeys(condition, form === 'count' ? ['count', 'where', 'op', 'value'] : [form, 'where'], loc)
  const { relation, to } = relationOf(on.ctx, kind, condition[form], [...loc, form], depth)
  const { ctx } = on
  const own = relation.own(ctx)
  const where =
    condition.where === undefined ? sql`true` : compile(on, to, condition.where, [...loc, 'where'], depth + 1)
  if (form === 'some') return sql`coalesce(${own} in (${relation.keys(ctx, where)}), false)`
  if (form === 'none') return sql`coalesce(${own} not in (${relation.keys(ctx, where)}), true)`
  if (form === 'every') {
    if (condition.where === undefined) {
      throw errors.invalid([
        { type: 'missing', loc: [...loc, 'where'], msg: 'Field required', input: condition },
      ])
    }
    return sql`coalesce(${own} not in (${relation.keys(ctx, sql`not coalesce(${where}, false)`)}), true)`
  }
  if (!COUNT_OPS.includes(String(condition.op ?? 'eq'))) {
    throw errors.invalidValue([...loc, 'op'], `a count is compared by ${COUNT_OPS.join(', ')}`, condition.op)
  }
  // One group for each that has a related record; those without any are added where 0 fulfils the comparison.
  const counted = sql`${relation.keys(ctx, where)} group by ${relation.key}`
  const holds = compare(sql`count(*)`, 'numeric', condition, loc)
  const holdsForNone = compare(sql`0::numeric`, 'numeric', condition, loc)
  return sql`case when ${holdsForNone} then coalesce(${own} not in (${counted} having not (${holds})), true)
    else coalesce(${own} in (${counted} having ${holds}), false) end`
}

export function relationOf(
  ctx: Ctx,
  kind: Kind,
  name: unknown,
  loc: Loc,
  depth: number,
): { relation: Relation; to: Kind } {
  const relation = typeof name === 'string' ? kind.relations.get(name) : undefined
  const to = relation?.to()
  if (!relation || !to) {
    const known = [...kind.relations.keys()].join(', ')
    throw errors.invalidValue(
      loc,
      `there is no related record called ${name}; a ${kind.entity} has ${known}`,
      name,
    )
  }
  if (depth >= MAX_DEPTH)
    throw errors.invalidValue(loc, `a query takes at most ${MAX_DEPTH} steps into related records`, name)
  // What is compared can be guessed value by value, so a step takes the scope that reading takes.
  if (to.group !== undefined && !hasScope(ctx.caller.scopes, `${to.group}:read`)) {
    throw errors.missingScope(`${to.group}:read`)
  }
  return { relation, to }
}

function comparison(
  on: Compiling,
  kind: Kind,
  condition: Record<string, unknown>,
  loc: Loc,
  depth: number,
): Sql {
  const { field } = condition
  onlyKeys(condition, ['field', 'op', 'value'], loc)
  if (typeof field !== 'string') {
    throw errors.invalid([
      { type: 'missing', loc: [...loc, 'field'], msg: 'Field required', input: condition },
    ])
  }
  const [step = '', ...rest] = field.split('.')
  if (rest.length > 0 && step !== 'cf') {
    const { relation, to } = relationOf(on.ctx, kind, step, [...loc, 'field'], depth)
    const inner = comparison(on, to, { ...condition, field: rest.join('.') }, loc, depth + 1)
    return sql`coalesce(${relation.own(on.ctx)} in (${relation.keys(on.ctx, inner)}), false)`
  }
  const { expression, type } = operandOf(on.ctx, kind, field, [...loc, 'field'])
  const compared = compare(expression, type, condition, loc)
  const isIndexed = step === 'cf' && depth === 0 && (condition.op ?? 'eq') === 'eq'
  return isIndexed
    ? sql`(${narrowed(on.ctx, on.columns.get(rest.join('.')), condition.value)} and ${compared})`
    : compared
}

export function operandOf(ctx: Ctx, kind: Kind, field: string, loc: Loc): Operand {
  const operand = kind.field(ctx, field)
  if (operand) return operand
  throw errors.invalidValue(
    loc,
    `${field} cannot be compared; a ${kind.entity} has ${kind.fields.join(', ')}`,
    field,
  )
}
