/** A reading as the line of tokens that the parser should write (`parser/tokens.ts`). */
import type { Condition, FieldCondition, Order, Query } from '../../records/query/spec.ts'
import type { Item } from '../parser/items.ts'
import { aloneOf, isDay, partsOf } from '../parser/tokens.ts'
import { type FieldMeaning, isField, KIND_OF, type Meaning, whole } from '../understand/meaning.ts'
import { boundsOf } from '../understand/rules/shared.ts'

type QueryMeaning = Extract<Meaning, { kind: 'query' }>

class NotSaid extends Error {}
const fail = (what: unknown): never => {
  throw new NotSaid(JSON.stringify(what))
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A value is the same as the only one of a list. */
const plain = (where: Condition): unknown => {
  if (!isField(where) || !['eq', 'in', 'contains'].includes(where.op ?? 'eq')) return where
  const [value, ...others] = [where.value].flat()
  const isText = where.op === 'contains' && where.field !== 'categories'
  return others.length > 0 || isText ? where : { field: where.field, value }
}
const sameValue = (a: Condition, b: Condition): boolean => same(plain(a), plain(b))

/** What cannot be said, as a text, where something in it is neither a word nor an item of the question. */
export function written(meaning: Meaning, items: readonly Item[], now: Date): string[] | string {
  try {
    return new Writer(items, now).meaning(meaning)
  } catch (error) {
    if (error instanceof NotSaid) return error.message
    throw error
  }
}

class Writer {
  private readonly today: string
  private readonly items: readonly Item[]
  constructor(items: readonly Item[], now: Date) {
    this.items = items
    this.today = now.toISOString().slice(0, 10)
  }

  meaning(meaning: Meaning): string[] {
    switch (meaning.kind) {
      case 'query':
        return this.asked(meaning)
      case 'every':
        return ['every', ...this.query(meaning.set), '|', ...this.query(meaning.exceptions)]
      case 'win rate':
        return [`win rate ${meaning.pick ?? 'all'}`, ...this.query(meaning.query)]
      case 'share':
        return ['share', ...this.query(meaning.query), '|', ...this.query(meaning.whole)]
      default:
        return this.compared(meaning)
    }
  }

  private compared({ query, sides, isYesNo, isLess }: Extract<Meaning, { kind: 'compare' }>): string[] {
    const [first] = sides
    if (!first) return fail('sides')
    const all = first.query.where ? partsOf(first.query.where) : []
    const parts = new Set(partsOf(first.is).map(part => JSON.stringify(part)))
    const base = whole(all.filter(part => !parts.has(JSON.stringify(part))))
    const { where: _, ...plain } = query
    return [
      ['compare', isYesNo && 'yesno', isLess && 'less'].filter(Boolean).join(' '),
      ...this.query({ ...plain, ...(base ? { where: base } : {}) }),
      ...sides.flatMap(({ is }) => ['side', ...this.conditions(is, query.entity)]),
    ]
  }

  private asked({ query, show, isEach, isNumber, isYesNo, isUnknown, last }: QueryMeaning): string[] {
    const flags = [
      isEach && 'each',
      isNumber && 'number',
      isYesNo && 'yesno',
      isUnknown && 'unknown',
      last && `last ${last}`,
    ].filter(flag => typeof flag === 'string')
    const shown = show ? ['show', ...this.shown(show, query.entity)] : []
    return [...flags, ...shown, ...this.query(query)]
  }

  private shown({ entity, field, type }: FieldMeaning, of: string): string[] {
    const own = this.items.findIndex(item => item.kind === 'field' && item.field.field === field)
    if (own >= 0) return [`@${own}`]
    if (field.includes('cf.')) return this.field(field)
    return [`s ${entity === of ? '=' : entity} ${field} ${type}`]
  }

  private query({ entity, where, measure, group_by, having, order, limit, offset }: Query): string[] {
    const figure = measure ?? { kind: 'list' }
    return [
      `of ${entity}`,
      figure.kind,
      ...('field' in figure ? this.field(figure.field) : []),
      ...(where ? this.conditions(where, entity) : []),
      ...(group_by ?? []).flatMap(key => [
        `by${key.bucket ? ` ${key.bucket}` : ''}`,
        ...this.field(key.field),
      ]),
      ...(having ? [`having ${having.op}`, ...this.number(having.value)] : []),
      ...(order ?? []).flatMap(one => this.order(one)),
      ...(limit === undefined ? [] : ['limit', ...this.number(limit)]),
      ...(offset === undefined ? [] : ['offset', ...this.number(offset)]),
    ]
  }

  private order({ by, direction = 'asc', where }: Order): string[] {
    if (!where) return [direction, ...this.field(by)]
    const relation = by.replace(/\.count$/, '')
    return [`${direction} such`, ...this.field(by), ...this.conditions(where, KIND_OF[relation] ?? ''), ')']
  }

  private field(field: string): string[] {
    const at = this.items.findIndex(item => item.kind === 'field' && item.field.field === field)
    if (at >= 0) return [`@${at}`]
    const [, path, own] = /^(.+\.)?(cf\..+)$/.exec(field) ?? []
    if (own === undefined) return [`f ${field}`]
    return path === undefined ? fail(field) : [`path ${path}`, ...this.field(own)]
  }

  private number(value: unknown): string[] {
    const at = this.items.findIndex(item => item.kind === 'number' && item.value === value)
    if (at >= 0) return [`@${at}`]
    return Number(value) >= 0 && Number(value) <= 12 ? [`n ${value}`] : fail(value)
  }

  /** Those that follow each other in one line are all meant. */
  private conditions(where: Condition, entity: string): string[] {
    const { alone, rest } = this.alone(partsOf(where), entity)
    const lines = new Set([...alone, ...this.times(rest, entity)].map(line => line.join(' ')))
    const pointsFirst = (line: string) => (line.startsWith('@') ? 0 : 1)
    const indexOf = (line: string) => Number(/@(\d+)/.exec(line)?.[1] ?? 99)
    return [...lines]
      .sort((a, b) => pointsFirst(a) - pointsFirst(b) || indexOf(a) - indexOf(b) || (a < b ? -1 : 1))
      .flatMap(line => line.split('\t'))
  }

  /** Choices that are the only ones of a record. */
  private alone(
    parts: readonly Condition[],
    entity: string,
  ): { alone: string[][]; rest: readonly Condition[] } {
    const values = [...this.items.entries()].flatMap(([at, item]) =>
      item.kind === 'value' &&
      item.entity === entity &&
      item.only &&
      parts.some(part => sameValue(part, item.where))
        ? [{ at, item }]
        : [],
    )
    const said = aloneOf(values.map(({ item }) => item))
    const isWhole = said?.every(part => parts.some(other => sameValue(part, other)))
    if (!said || !isWhole) return { alone: [], rest: parts }
    const rest = parts.filter(part => !said.some(other => sameValue(part, other)))
    return { alone: [[['only', ...values.map(({ at }) => `@${at}`), ')'].join('\t')]], rest }
  }

  /** Bounds of one date are a time. */
  private times(parts: readonly Condition[], entity: string): string[][] {
    const lines: string[][] = []
    const rest = new Set(parts)
    for (const [at, item] of this.items.entries()) {
      if (item.kind !== 'time') continue
      for (const field of new Set([...rest].flatMap(part => (isField(part) ? [part.field] : [])))) {
        for (const side of ['past', 'future'] as const) {
          const bounds = boundsOf(field, item.time[side])
          const found = bounds.map(bound => [...rest].find(part => same(part, bound)))
          if (bounds.length === 0 || found.includes(undefined)) continue
          for (const part of found) if (part) rest.delete(part)
          lines.push([[`time ${side}`, ...this.field(field), `@${at}`].join('\t')])
        }
      }
    }
    for (const part of rest) {
      const line = this.bound(part)
      if (!line) continue
      rest.delete(part)
      lines.push([line.join('\t')])
    }
    return [...lines, ...[...rest].map(part => [this.condition(part, entity).join('\t')])]
  }

  /** One end of a time: "until Christmas" from today on. */
  private bound(part: Condition): string[] | undefined {
    if (!isField(part) || typeof part.value !== 'string' || !/^(?:g|l)/.test(part.op ?? '')) return undefined
    const { field, op = 'eq', value } = part
    for (const side of ['past', 'future'] as const)
      for (const end of ['from', 'to'] as const)
        for (const [at, item] of this.items.entries()) {
          const day = item.kind === 'time' ? item.time[side][end] : null
          if (day !== null && isDay(field, op, end, day) === value)
            return [`end ${side} ${end} ${op}`, ...this.field(field), `@${at}`]
        }
    return undefined
  }

  private condition(where: Condition, entity: string): string[] {
    const at = this.items.findIndex(
      item => item.kind === 'value' && item.entity === entity && sameValue(item.where, where),
    )
    if (at >= 0) return [`@${at}`]
    const other = this.items.findIndex(item => item.kind === 'value' && sameValue(item.where, where))
    if (other >= 0) return [`@${other}`]
    if ('and' in where) return ['and', ...this.conditions(where, entity), ')']
    if ('or' in where) return ['or', ...where.or.flatMap(part => this.condition(part, entity)), ')']
    if ('not' in where) return ['not', ...this.condition(where.not, entity)]
    if (isField(where)) return this.single(where, entity)
    const inner = (relation: string) => [
      ...(where.where ? this.conditions(where.where, KIND_OF[relation] ?? '') : []),
      ')',
    ]
    if ('some' in where) return [`some ${where.some}`, ...inner(where.some)]
    if ('none' in where) return [`none ${where.none}`, ...inner(where.none)]
    if ('every' in where) return [`each ${where.every}`, ...inner(where.every)]
    return [`count ${where.count} ${where.op}`, ...this.number(where.value), ...inner(where.count)]
  }

  private single(where: FieldCondition, entity: string): string[] {
    const { field, op = 'eq', value } = where
    const own = this.field(field)
    if (op === 'is_null') return [value === false ? 'set' : 'null', ...own]
    if (typeof value === 'boolean') return [value ? 'yes' : 'no', ...own]
    if (op === 'in' && Array.isArray(value) && value.length > 1 && !LITERAL.test(field))
      return [
        'or',
        ...value.flatMap(one => {
          const single = [
            { field, op: 'eq', value: one },
            { field, op: 'in', value: [one] },
          ]
          const at = this.items.findIndex(
            item =>
              item.kind === 'value' &&
              item.entity === entity &&
              single.some(condition => same(item.where, condition)),
          )
          return at >= 0 ? [`@${at}`] : fail(where)
        }),
        ')',
      ]
    if (typeof value === 'number') return [`cmp ${op}`, ...own, ...this.number(value)]
    if (own.length === 1 && LITERAL.test(field)) return [`c ${JSON.stringify({ field, op, value })}`]
    const today = field === 'birthday_day' ? this.today.slice(5) : this.today
    const day = typeof value === 'string' && value.startsWith(today) ? '$today' : undefined
    return day ? [`${day} ${op}`, ...own] : fail(where)
  }
}

/** Fields whose values are the same in every account. */
const LITERAL =
  /^(?:status|priority|type|stage\.type|billing_period|direction|currency|language|connection_strength)$/
