/**
 * A reading from a line of tokens, as the parser writes them. A token is a word of the query language ("count",
 * "some deals"), which is the same in every account, or points to an item of the question: "@3".
 */
import type { Condition, GroupKey, Measure, Order, Query } from '../../records/query/spec.ts'
import type { EntityName } from '../lexicon/types.ts'
import { type FieldMeaning, isField, KIND_OF, type Meaning, union, whole } from '../understand/meaning.ts'
import { normalised, normalQuery } from '../understand/normal.ts'
import { boundsOf } from '../understand/rules/shared.ts'
import type { Item } from './items.ts'

class NotRead extends Error {}
const fail = (what: unknown): never => {
  throw new NotRead(JSON.stringify(what))
}

export const partsOf = (where: Condition): readonly Condition[] => ('and' in where ? where.and : [where])

/** Of birthdays without their year, and then the last day is in it. */
export function isDay(field: string, op: string, end: 'from' | 'to', day: string): string {
  if (field !== 'birthday_day') return day
  const date = new Date(day)
  if (op === 'lte' && end === 'to') date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(5, 10)
}

/** Undefined where the tokens are no reading. */
export function readingOf(tokens: readonly string[], items: readonly Item[], now: Date): Meaning | undefined {
  try {
    const reader = new Reader(tokens, items, now)
    return normalised(reader.meaning())
  } catch (error) {
    if (error instanceof NotRead) return undefined
    throw error
  }
}

class Reader {
  private at = 0
  private readonly tokens: readonly string[]
  private readonly items: readonly Item[]
  private readonly today: string
  constructor(tokens: readonly string[], items: readonly Item[], now: Date) {
    this.tokens = tokens
    this.items = items
    this.today = now.toISOString().slice(0, 10)
  }

  meaning(): Meaning {
    const meaning = this.start()
    return this.at === this.tokens.length ? meaning : fail(this.tokens[this.at])
  }

  private get next(): string {
    return this.tokens[this.at] ?? ''
  }
  private take(): string {
    const token = this.tokens[this.at++]
    return token ?? fail('end')
  }
  private has(token: string): boolean {
    if (this.next !== token) return false
    this.at++
    return true
  }

  private start(): Meaning {
    const [kind = '', ...flags] = this.next.split(' ')
    switch (kind) {
      case 'every': {
        this.take()
        const set = this.query()
        return this.has('|') ? { kind, set, exceptions: this.query() } : fail('|')
      }
      case 'share': {
        this.take()
        const query = this.query()
        return this.has('|') ? { kind, query, whole: this.query() } : fail('|')
      }
      case 'win': {
        this.take()
        const pick = flags[1]
        return {
          kind: 'win rate',
          query: this.query(),
          ...(pick === 'best' || pick === 'worst' ? { pick } : {}),
        }
      }
      case 'compare':
        this.take()
        return this.compare(flags)
      default:
        return this.asked()
    }
  }

  private compare(flags: readonly string[]): Meaning {
    const query = this.query()
    const said = query.where ? partsOf(query.where) : []
    const sides: { is: Condition; query: Query }[] = []
    while (this.has('side')) {
      const is = whole(this.conditions(query.entity)) ?? fail('side')
      sides.push({ is, query: { ...query, where: { and: [...said, is] } } })
    }
    const [one, other] = sides.map(({ is }) => is)
    if (!one || !other || JSON.stringify(one) === JSON.stringify(other)) return fail('sides')
    const entity = query.entity as EntityName
    const either = union({ entity, where: one }, { entity, where: other })?.where ?? { or: [one, other] }
    return {
      kind: 'compare',
      query: { ...query, where: whole([...said, either]) ?? either },
      sides: sides.map(side => ({ ...side, query: normalQuery(side.query) })),
      ...(flags.includes('yesno') ? { isYesNo: true } : {}),
      ...(flags.includes('less') ? { isLess: true } : {}),
    }
  }

  private asked(): Meaning {
    const flags = new Set<string>()
    while (FLAGS.has(this.next)) flags.add(this.take())
    const shown = this.has('show') ? this.shown() : undefined
    const query = this.query()
    const show = shown && {
      ...shown,
      entity: shown.entity === '=' ? (query.entity as EntityName) : shown.entity,
    }
    return {
      kind: 'query',
      query,
      ...(show ? { show } : {}),
      ...(flags.has('each') ? { isEach: true } : {}),
      ...(flags.has('number') ? { isNumber: true } : {}),
      ...(flags.has('yesno') ? { isYesNo: true } : {}),
      ...(flags.has('unknown') ? { isUnknown: true } : {}),
      ...(flags.has('last when') ? { last: 'when' } : flags.has('last who') ? { last: 'who' } : {}),
    }
  }

  private shown(): Omit<FieldMeaning, 'entity'> & { entity: EntityName | '=' } {
    const item = this.pointed()
    if (item) return item.kind === 'field' ? item.field : fail(item)
    const [kind, entity = '', field = '', type = ''] = this.take().split(' ')
    if (kind === 's') return { entity: entity as EntityName, field, type: type as FieldMeaning['type'] }
    this.at--
    const path = this.field()
    const own = this.items.find(one => one.kind === 'field' && path.endsWith(one.field.field))
    return own?.kind === 'field' ? { ...own.field, field: path } : fail(path)
  }

  private query(): Query {
    const [of, entity = ''] = this.take().split(' ')
    if (of !== 'of') return fail(of)
    const kind = this.take()
    const measure: Measure =
      kind === 'list' || kind === 'count'
        ? { kind }
        : FIGURES.has(kind)
          ? { kind: kind as 'sum', field: this.field() }
          : fail(kind)
    const where = whole(this.conditions(entity))
    const group_by: GroupKey[] = []
    while (/^by\b/.test(this.next)) {
      const [, bucket] = this.take().split(' ')
      const field = this.field()
      group_by.push(bucket ? { field, bucket: bucket as 'month' } : { field })
    }
    const [having, op] = this.next.split(' ')
    const limits = having === 'having' ? { having: { op: op as 'gt', value: this.havingValue() } } : {}
    const order: Order[] = []
    while (/^(?:asc|desc)/.test(this.next)) order.push(this.order())
    const limit = this.has('limit') ? { limit: this.number() } : {}
    const offset = this.has('offset') ? { offset: this.number() } : {}
    return {
      entity,
      ...(where ? { where } : {}),
      measure,
      ...(group_by.length > 0 ? { group_by } : {}),
      ...limits,
      ...(order.length > 0 ? { order } : {}),
      ...limit,
      ...offset,
    }
  }

  private havingValue(): number {
    this.take()
    return this.number()
  }

  private order(): Order {
    const [way, such] = this.take().split(' ')
    const direction = way === 'desc' ? 'desc' : 'asc'
    const by = this.field()
    if (!such) return { by, direction }
    const where = whole(this.conditions(KIND_OF[by.replace(/\.count$/, '')] ?? ''))
    return this.has(')') ? { by, direction, ...(where ? { where } : {}) } : fail(')')
  }

  private pointed(): Item | undefined {
    const [, at] = /^@(\d+)$/.exec(this.next) ?? []
    if (at === undefined) return undefined
    this.at++
    return this.items[Number(at)] ?? fail(at)
  }

  private field(): string {
    const item = this.pointed()
    if (item) return item.kind === 'field' ? item.field.field : fail(item)
    const token = this.take()
    if (token.startsWith('f ')) return token.slice(2)
    return token.startsWith('path ') ? `${token.slice(5)}${this.field()}` : fail(token)
  }

  private number(): number {
    const item = this.pointed()
    if (item) return item.kind === 'number' ? item.value : fail(item)
    const token = this.take()
    return token.startsWith('n ') ? Number(token.slice(2)) : fail(token)
  }

  private conditions(entity: string): Condition[] {
    const parts: Condition[] = []
    while (
      /^(?:@|and$|or$|not$|only$|some |none |each |count |set$|null$|yes$|no$|cmp |c \{|\$today |time |end )/.test(
        this.next,
      )
    )
      parts.push(...this.condition(entity))
    return parts
  }

  private one(entity: string): Condition {
    return whole(this.condition(entity)) ?? fail('condition')
  }

  private condition(entity: string): Condition[] {
    const item = this.pointed()
    if (item) return item.kind === 'value' ? [item.where] : fail(item)
    const [kind = '', a = '', b = '', op = ''] = this.take().split(' ')
    switch (kind) {
      case 'and': {
        const parts = this.conditions(entity)
        return this.has(')') ? [{ and: parts }] : fail(')')
      }
      case 'or': {
        const parts: Condition[] = []
        while (!this.has(')')) parts.push(this.one(entity))
        return [either(parts, entity as EntityName)]
      }
      case 'not':
        return [{ not: this.one(entity) }]
      case 'only': {
        const values: Value[] = []
        while (!this.has(')')) {
          const value = this.pointed()
          values.push(value?.kind === 'value' ? value : fail(value))
        }
        return aloneOf(values) ?? fail(values)
      }
      case 'some':
        return [{ some: a, ...this.inner(a) }]
      case 'none':
        return [{ none: a, ...this.inner(a) }]
      case 'each':
        return [{ every: a, where: this.inner(a).where ?? fail('each') }]
      case 'count': {
        const value = this.number()
        return [{ count: a, ...this.inner(a), op: b as 'gt', value }]
      }
      case 'set':
        return [{ field: this.field(), op: 'is_null', value: false }]
      case 'null':
        return [{ field: this.field(), op: 'is_null', value: true }]
      case 'yes':
      case 'no':
        return [{ field: this.field(), op: 'eq', value: kind === 'yes' }]
      case 'cmp':
        return [{ field: this.field(), op: a as 'gt', value: this.number() }]
      case 'c':
        return [JSON.parse(this.tokens[this.at - 1]?.slice(2) ?? '')]
      case '$today': {
        const field = this.field()
        const value = field === 'birthday_day' ? this.today.slice(5) : this.today
        return [{ field, op: a as 'gt', value }]
      }
      case 'time': {
        const field = this.field()
        const time = this.pointed()
        return time?.kind === 'time' ? boundsOf(field, time.time[a as 'past' | 'future']) : fail(time)
      }
      case 'end': {
        const field = this.field()
        const time = this.pointed()
        const end = b as 'from' | 'to'
        const day = time?.kind === 'time' ? time.time[a as 'past' | 'future'][end] : null
        return day ? [{ field, op: op as 'gt', value: isDay(field, op, end, day) }] : fail(time)
      }
      default:
        return fail(kind)
    }
  }

  private inner(relation: string): { where?: Condition } {
    const where = whole(this.conditions(KIND_OF[relation] ?? ''))
    return this.has(')') ? (where ? { where } : {}) : fail(')')
  }
}

const FLAGS = new Set(['each', 'number', 'yesno', 'unknown', 'last when', 'last who'])
const FIGURES = new Set(['sum', 'avg', 'median', 'min', 'max'])

type Value = Extract<Item, { kind: 'value' }>

/** That a record has these choices and no others. */
export function aloneOf(values: readonly Value[]): Condition[] | undefined {
  const [first, ...others] = values
  if (!first?.only || others.some(({ only }) => !only)) return undefined
  const wheres = values.map(({ where }) => where)
  const { only } = first
  if (!isField(only)) return others.length === 0 ? [first.where, only] : undefined
  const chosen = new Set(wheres.flatMap(where => (isField(where) ? [where.value].flat() : [])))
  const left = [only.value]
    .flat()
    .filter(value => value !== null && value !== undefined && !chosen.has(value))
  return [...wheres, { ...only, value: left.map(String) }]
}

/** Values of one field are one list. */
function either(parts: readonly Condition[], entity: EntityName): Condition {
  const [first, ...others] = parts
  if (!first) return fail('or')
  const joined = others.reduce<Condition | undefined>(
    (where, part) => where && union({ entity, where }, { entity, where: part })?.where,
    first,
  )
  if (joined) return joined
  const values = parts.flatMap(part =>
    isField(part) && part.op === 'in' && Array.isArray(part.value) ? [part] : [],
  )
  const [one] = values
  return values.length === parts.length && one && values.every(({ field }) => field === one.field)
    ? { field: one.field, op: 'in', value: values.flatMap(({ value }) => [value].flat().map(String)) }
    : { or: parts }
}
