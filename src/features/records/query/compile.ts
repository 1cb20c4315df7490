/**
 * Conditions of a query → SQL. Errors have the path of the faulty part. Every record has the alias `r`, which computed
 * fields use, and a second alias `o0`, `o1`, … for its nesting depth. A condition on related records is an `exists`
 * with its own `r`; it refers to the outer record by the outer record's second alias. PostgreSQL flattens the lateral
 * select that adds the second alias and plans semi- and anti-joins. Sets of keys (`id in (select …)`) were tried: under
 * `or` and `not` they are hashed only while they fit into work_mem, and scanned row by row beyond that.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { CustomColumns } from '../../../kernel/custom-column.ts'
import { narrowed } from '../../../kernel/custom-values.ts'
import { errors } from '../../../kernel/errors.ts'
import type { Loc } from '../../../kernel/schema/index.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { rows } from '../../../kernel/statements.ts'
import { unknownKeys } from '../../../kernel/strict.ts'
import { isRecord } from '../../../lib/values.ts'
import { compare, resolveRelative } from './compare.ts'
import type { Kind, Operand, Relation } from './kinds.ts'
import { MAX_CONDITIONS, MAX_DEPTH } from './spec.ts'

type Sql = RawBuilder<unknown>

interface Compiling {
  ctx: Ctx
  /** the declared custom fields of the queried kind */
  columns: CustomColumns
  count: number
  steps: number
}

/** A record inside the statement: its kind and its nesting depth. */
export interface At {
  kind: Kind
  depth: number
}

/** `where` is the client's unchecked input. The record is `r`; it may be in the trash. */
export async function compileCondition(
  ctx: Ctx,
  kind: Kind,
  where: unknown,
  loc: Loc = ['body', 'where'],
): Promise<Sql> {
  const columns = (await kind.record?.custom?.(ctx)) ?? new Map()
  const on: Compiling = { ctx, columns, count: 0, steps: 0 }
  const at = { kind, depth: 0 }
  const condition = compile(on, at, where, loc)
  if (on.steps === 0) return condition
  const all = kind.record ? rows(ctx, kind.record.table) : kind.living(ctx)
  return sql`r.id in (select r.id from ${sourceOf(ctx, at, all)} where ${condition})`
}

/** The same for records inside the statement, such as related ones that are counted. */
export const compileAt = (ctx: Ctx, at: At, where: unknown, loc: Loc): Sql =>
  compile({ ctx, columns: new Map(), count: 0, steps: 0 }, at, where, loc)

const outer = (depth: number): Sql => sql.ref(`o${depth}`)

/** Selects records as `r`, and as `o<depth>` the ids that their relations refer to. */
export function sourceOf(ctx: Ctx, { kind, depth }: At, source: Sql): Sql {
  const single = [...kind.relations].flatMap(([name, relation]) =>
    relation.isSingle ? [sql`${relation.id(ctx)} as ${sql.ref(name)}`] : [],
  )
  return sql`${source} r cross join lateral (select ${sql.join([sql`r.id as id`, ...single])}) ${outer(depth)}`
}

export interface Step {
  at: At
  isSingle: boolean
  isJoined: boolean
  /** the related records with the join condition to the outer record */
  from: Sql
  where: Sql
  /** the id of the outer record in the join condition */
  own: Sql
}

/** Follows a relation to its records. */
export function step(ctx: Ctx, { kind, depth }: At, name: unknown, loc: Loc): Step {
  const { relation, to } = relationOf(ctx, kind, name, loc, depth)
  const at = { kind: to, depth: depth + 1 }
  const source = sourceOf(ctx, at, to.living(ctx))
  if (relation.isSingle) {
    const id = sql`${outer(depth)}.${sql.ref(String(name))}`
    return { at, isSingle: true, isJoined: false, from: source, where: sql`r.id = ${id}`, own: id }
  }
  return {
    at,
    isSingle: false,
    isJoined: relation.isJoined ?? false,
    from: sql`(${relation.pairs(ctx)}) p join ${source} on r.id = p.other`,
    where: sql`p.own = ${outer(depth)}.id`,
    own: sql`${outer(depth)}.id`,
  }
}

const FORMS = 'and, or, not, some, every, none, count, or field, op and value'

function compile(on: Compiling, at: At, node: unknown, loc: Loc): Sql {
  if (++on.count > MAX_CONDITIONS) {
    throw errors.invalidValue(['body', 'where'], `a query takes at most ${MAX_CONDITIONS} conditions`, null)
  }
  if (!isRecord(node)) {
    throw errors.invalidValue(loc, `a condition is an object with ${FORMS}`, node)
  }
  const condition = node
  for (const form of ['and', 'or'] as const) {
    if (condition[form] !== undefined) return joined(on, at, form, condition, loc)
  }
  if (condition.not !== undefined) {
    onlyKeys(condition, ['not'], loc)
    return sql`(not coalesce(${compile(on, at, condition.not, [...loc, 'not'])}, false))`
  }
  for (const form of ['some', 'every', 'none', 'count'] as const) {
    if (condition[form] !== undefined) return quantified(on, at, form, condition, loc)
  }
  return comparison(on, at, condition, loc)
}

function joined(
  on: Compiling,
  at: At,
  form: 'and' | 'or',
  condition: Record<string, unknown>,
  loc: Loc,
): Sql {
  onlyKeys(condition, [form], loc)
  const parts = condition[form]
  if (!Array.isArray(parts))
    throw errors.invalidValue([...loc, form], 'this takes a list of conditions', parts)
  if (parts.length === 0) return form === 'and' ? sql`true` : sql`false`
  const compiled = parts.map((part, i) => compile(on, at, part, [...loc, form, i]))
  return sql`(${sql.join(compiled, form === 'and' ? sql` and ` : sql` or `)})`
}

/** Refuses unknown keys: ignoring one would match more records than intended. */
function onlyKeys(condition: Record<string, unknown>, known: readonly string[], loc: Loc): void {
  const properties = Object.fromEntries(known.map(name => [name, {}]))
  const issues = unknownKeys({ type: 'object', properties }, condition, loc)
  if (issues.length > 0) throw errors.invalid(issues)
}

const COUNT_OPS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'between']

function quantified(
  on: Compiling,
  outerAt: At,
  form: 'some' | 'every' | 'none' | 'count',
  condition: Record<string, unknown>,
  loc: Loc,
): Sql {
  onlyKeys(condition, form === 'count' ? ['count', 'where', 'op', 'value'] : [form, 'where'], loc)
  on.steps++
  const {
    at,
    isSingle,
    isJoined,
    from,
    where: related,
    own,
  } = step(on.ctx, outerAt, condition[form], [...loc, form])
  const where =
    condition.where === undefined ? sql`true` : compile(on, at, condition.where, [...loc, 'where'])
  // Read once: for each record around them, 25 companies with 60 activities took 16 to 25 s on a busy machine, without
  // statistics.
  const someOf = (which: Sql): Sql =>
    isJoined
      ? sql`exists (select from (select p.own as key from ${from} where ${which} group by p.own) c
          where c.key = ${own})`
      : sql`exists (select from ${from} where ${related} and ${which})`
  if (form === 'some') return someOf(where)
  if (form === 'none') return sql`(not ${someOf(where)})`
  if (form === 'every') {
    if (condition.where === undefined) {
      throw errors.invalid([
        { type: 'missing', loc: [...loc, 'where'], msg: 'Field required', input: condition },
      ])
    }
    return sql`(not ${someOf(sql`not coalesce(${where}, false)`)})`
  }
  if (!COUNT_OPS.includes(String(condition.op ?? 'eq'))) {
    throw errors.invalidValue([...loc, 'op'], `a count is compared by ${COUNT_OPS.join(', ')}`, condition.op)
  }
  const holds = compare(isSingle ? sql`count(*)` : sql`count(distinct r.id)`, 'numeric', condition, loc)
  // Counts once for all records that have a related one: counting for each of 100,000 contacts with 600,000 links took
  // 20 s. Records without a related one are added if 0 fulfils the comparison.
  const key = isSingle ? sql`r.id` : sql`p.own`
  const counted = (having: Sql): Sql => sql`exists (select from (
    select ${key} as key from ${from} where ${where} group by ${key} having ${having}) c where c.key = ${own})`
  return isFulfilledByNone(condition) ? sql`(not ${counted(sql`not (${holds})`)})` : counted(holds)
}

/** Operator and value have already been checked. */
function isFulfilledByNone({ op = 'eq', value }: Record<string, unknown>): boolean {
  const [first = 0, second = 0] = [value].flat().map(Number)
  if (op === 'in' || op === 'not_in') return [value].flat().map(Number).includes(0) === (op === 'in')
  if (op === 'between') return first <= 0 && 0 <= second
  if (op === 'eq' || op === 'ne') return (first === 0) === (op === 'eq')
  if (op === 'gt' || op === 'gte') return op === 'gt' ? 0 > first : 0 >= first
  return op === 'lt' ? 0 < first : 0 <= first
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
    const available = [...kind.relations.keys()].join(', ')
    throw errors.invalidValue(
      loc,
      `there is no related record called ${name}; a ${kind.entity} has ${available}`,
      name,
    )
  }
  if (depth >= MAX_DEPTH)
    throw errors.invalidValue(loc, `a query takes at most ${MAX_DEPTH} steps into related records`, name)
  // A caller could guess values by comparing them, so following a relation needs the read scope.
  if (to.group !== undefined && !hasScope(ctx.caller.scopes, `${to.group}:read`)) {
    throw errors.missingScope(`${to.group}:read`)
  }
  return { relation, to }
}

function comparison(on: Compiling, outerAt: At, condition: Record<string, unknown>, loc: Loc): Sql {
  const { field } = condition
  onlyKeys(condition, ['field', 'op', 'value'], loc)
  if (typeof field !== 'string') {
    throw errors.invalid([
      { type: 'missing', loc: [...loc, 'field'], msg: 'Field required', input: condition },
    ])
  }
  if (field === 'operation_id') return changedIn(on.ctx, condition, loc)
  const [first = '', ...rest] = field.split('.')
  if (rest.length > 0 && first !== 'cf') {
    on.steps++
    const { at, isSingle, from, where } = step(on.ctx, outerAt, first, [...loc, 'field'])
    const inner = comparison(on, at, { ...condition, field: rest.join('.') }, loc)
    // the country of a deal's company is null where the deal has no company
    if (isSingle && condition.op === 'is_null' && condition.value !== false)
      return sql`(not exists (select from ${from} where ${where} and not ${inner}))`
    return sql`exists (select from ${from} where ${where} and ${inner})`
  }
  const { expression, type } = operandOf(on.ctx, outerAt.kind, field, [...loc, 'field'])
  const compared = compare(
    expression,
    type,
    { ...condition, value: resolveRelative(on.ctx, type, condition.value) },
    loc,
  )
  const isIndexed = first === 'cf' && outerAt.depth === 0 && (condition.op ?? 'eq') === 'eq'
  return isIndexed
    ? sql`(${narrowed(on.ctx, on.columns.get(rest.join('.')), condition.value)} and ${compared})`
    : compared
}

/** The records that an operation, such as an import, has created or changed. Uncorrelated, so it is read once. */
function changedIn(ctx: Ctx, condition: Record<string, unknown>, loc: Loc): Sql {
  const { op = 'eq' } = condition
  if (op !== 'eq')
    throw errors.invalidValue([...loc, 'op'], 'an operation is compared by eq alone', condition.op)
  const isOperation = compare(sql`c.operation_id`, 'uuid', condition, loc)
  return sql`r.id in (select c.entity_id from ${rows(ctx, 'changes')} c where ${isOperation})`
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
