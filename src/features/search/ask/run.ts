/** Runs a plan and says what came out, with the records behind the figure. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { living, rows } from '../../../kernel/statements.ts'
import { type Answer, type Citation, refusal } from './answer.ts'
import { type Field, TABLES } from './fields.ts'
import type { Plan } from './plan.ts'

type Sql = RawBuilder<unknown>
type Row = Record<string, unknown> & { id: string; name: string; updated_at: string }

/** How many records are cited, and how many of those are named in the text. */
const MAX_CITED = 50
const MAX_NAMED = 20

export function runPlan(ctx: Ctx, plan: Plan): Promise<Answer> {
  const { measure } = plan
  if (measure.kind === 'last contact') return lastContact(ctx, plan, measure.asks)
  if (measure.kind === 'win rate') return winRate(ctx, plan)
  if (plan.groupBy) return groups(ctx, plan, plan.groupBy)
  if (measure.kind === 'sum' || measure.kind === 'average') return total(ctx, plan, measure)
  return records(ctx, plan)
}

const whereOf = (plan: Plan): Sql =>
  sql.join([sql`true`, ...plan.conditions.map(({ where }) => sql`(${where})`)], sql` and `)

const source = (ctx: Ctx, plan: Plan): Sql =>
  sql`${living(ctx, TABLES[plan.entity].table)} r where ${whereOf(plan)}`

const nameOf = (plan: Plan): Sql =>
  plan.entity === 'note'
    ? sql`coalesce(r.title, left(r.content, 80))`
    : sql`r.${sql.ref(TABLES[plan.entity].name)}`

/** "3 deals (open, stage Proposal)" */
function described(plan: Plan, count: number): string {
  const { one, many } = TABLES[plan.entity]
  const said = [...new Set(plan.conditions.map(condition => condition.said))].join(', ')
  return `${count} ${count === 1 ? one : many}${said === '' ? '' : ` (${said})`}`
}

const number = (value: number): string => String(Math.round(value * 100) / 100)

function shown(field: { type: Field['type'] }, value: unknown, currency: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (field.type === 'money') return `${number(Number(value))}${currency ? ` ${currency}` : ''}`
  if (field.type === 'number') return number(Number(value))
  if (field.type === 'day') return String(value).slice(0, 10)
  if (field.type === 'time')
    return String(value)
      .replace(/T00:00:00\.000Z$/, '')
      .replace('T', ' ')
      .replace(/:\d\d\.\d+Z$/, '')
  return String(value).split('\n').join(', ')
}

async function found(
  ctx: Ctx,
  plan: Plan,
  fields: readonly Field[],
): Promise<{ rows: Row[]; count: number }> {
  const { order } = plan
  const extra = fields.map((field, i) => sql`, ${field.value(ctx)} as ${sql.ref(`f${i}`)}`)
  const currency = plan.entity === 'deal' ? sql`, r.currency` : sql``
  const by = order
    ? sql`${order.by} ${sql.raw(order.descending ? 'desc' : 'asc')} nulls last`
    : plan.entity === 'activity'
      ? sql`coalesce(r.falls_due_at, r.start_at, r.created_at)`
      : plan.entity === 'deal'
        ? sql`r.amount desc nulls last`
        : sql`lower(${nameOf(plan)})`
  const list = await query(
    ctx,
    sql<Row & { total: number }>`select r.id, ${nameOf(plan)} as name, r.updated_at, count(*) over () as total
      ${sql.join([sql``, ...extra], sql` `)} ${currency} ${order ? sql`, ${order.by} as ordered` : sql``}
      from ${source(ctx, plan)} ${order ? sql`and ${order.by} is not null` : sql``}
      order by ${by}, r.id limit ${order ? order.limit + 20 : MAX_CITED}`,
  )
  if (!order) return { rows: list, count: list[0]?.total ?? 0 }
  // those that are level with the last one belong to it
  const last = list[order.limit - 1]
  const kept = last
    ? list.filter((row, i) => i < order.limit || String(row.ordered) === String(last.ordered))
    : list
  return { rows: kept, count: kept.length }
}

const details = (fields: readonly Field[], row: Row): string =>
  fields
    .map((field, i) => ({ field, value: row[`f${i}`] }))
    .filter(({ value }) => value !== null && value !== '')
    .map(({ field, value }) => `${field.label} ${shown(field, value, row.currency)}`.trim())
    .join(', ')

const cite = (plan: Plan, list: readonly Row[], fields: readonly Field[]): Citation[] =>
  list.slice(0, MAX_CITED).map((row, i) => ({
    index: i + 1,
    entity_type: plan.entity,
    entity_id: row.id,
    name: row.name,
    snippet: [row.name, details(fields, row)].filter(part => part !== '').join(': '),
    updated_at: row.updated_at,
    score: 1,
  }))

function named(list: readonly Row[], fields: readonly Field[], order?: Plan['order']): string {
  const counted = order && !fields.some(field => field.label === order.label)
  const texts = list.slice(0, MAX_NAMED).map((row, i) => {
    const first = counted ? [`${shown(order, row.ordered, null)} ${order.label}`] : []
    const about = [...first, details(fields, row)].filter(part => part !== '').join(', ')
    return `${row.name}${about === '' ? '' : ` (${about})`} [${i + 1}]`
  })
  return `${texts.join('; ')}${list.length > MAX_NAMED ? '; …' : ''}`
}

const answer = (text: string, citations: Citation[], data: Record<string, unknown>): Answer => ({
  answer: text,
  citations,
  conflicts: [],
  grounded: true,
  model: 'data',
  data,
})

/** What a list shows beside the names. */
function shownFields(ctx: Ctx, plan: Plan): Field[] {
  const basic: Partial<Record<Plan['entity'], Field[]>> = {
    deal: [
      { key: 'amount', label: '', said: /¤/, type: 'money', value: () => sql`r.amount` },
      {
        key: 'stage',
        label: 'stage',
        said: /¤/,
        type: 'text',
        value: () => sql`(select s.name from ${rows(ctx, 'stages')} s where s.id = r.stage_id)`,
      },
    ],
    activity: [
      { key: 'type', label: '', said: /¤/, type: 'text', value: () => sql`r.type` },
      { key: 'due', label: 'due', said: /¤/, type: 'time', value: () => sql`r.falls_due_at` },
    ],
  }
  const wanted = [...(plan.shown ?? []), ...(basic[plan.entity] ?? [])]
  return wanted.filter((field, i) => wanted.findIndex(one => one.key === field.key) === i).slice(0, 5)
}

async function records(ctx: Ctx, plan: Plan): Promise<Answer> {
  const { measure } = plan
  const fields = measure.kind === 'field' ? measure.fields : shownFields(ctx, plan)
  const { rows: list, count } = await found(ctx, plan, fields)
  const citations = cite(plan, list, fields)
  const data = { entity_type: plan.entity, count, items: list.map((row, i) => itemOf(row, fields, i)) }
  if (measure.kind === 'field') {
    const filled = list.filter(row => fields.some((_, i) => row[`f${i}`] !== null && row[`f${i}`] !== ''))
    // The record is there and does not say: that is no answer.
    if (filled.length === 0) return { ...refusal('data'), citations }
    const texts = list
      .slice(0, MAX_NAMED)
      .map((row, i) => `${row.name}: ${details(fields, row) || 'not known'} [${i + 1}]`)
    return answer(`${texts.join('; ')}.`, citations, data)
  }
  if (measure.kind === 'any') {
    const text =
      count === 0 ? `No: ${described(plan, 0)}.` : `Yes, ${described(plan, count)}: ${named(list, fields)}.`
    return answer(text, citations, data)
  }
  if (plan.order) {
    const first = list[0]
    if (!first) return answer(`${described(plan, 0)}.`, [], data)
    return answer(`${named(list, fields, plan.order)}.`, citations, data)
  }
  return answer(`${described(plan, count)}${count === 0 ? '' : `: ${named(list, fields)}`}.`, citations, data)
}

const itemOf = (row: Row, fields: readonly Field[], i: number) => ({
  index: i + 1,
  id: row.id,
  name: row.name,
  ...Object.fromEntries(fields.map((field, at) => [field.key, row[`f${at}`] ?? null])),
})

type Totals = Extract<Plan['measure'], { field: Field }>

async function total(ctx: Ctx, plan: Plan, measure: Totals): Promise<Answer> {
  const value = weightedValue(ctx, measure)
  const currency = currencyOf(plan, measure)
  const sums = await query(
    ctx,
    sql<{ currency: string | null; value: number | null; count: number }>`select ${currency} as currency,
      ${sql.raw(measure.kind === 'sum' ? 'sum' : 'avg')}(${value})::float8 as value, count(*) as count
      from ${source(ctx, plan)} group by 1 order by 2 desc nulls last`,
  )
  const { rows: list, count } = await found(ctx, plan, [measure.field])
  const valued = sums.filter(row => row.value !== null)
  const figure =
    valued.map(row => shown(measure.field, row.value, row.currency)).join(' and ') ||
    (measure.kind === 'sum' ? '0' : 'none')
  const label = `${measure.kind === 'sum' ? 'Total' : 'Average'}${measure.weighted ? ' weighted' : ''} ${measure.field.label}`
  const text = `${label}: ${figure}, from ${described(plan, count)}${count === 0 ? '' : `: ${named(list, [measure.field])}`}.`
  const values = sums.map(row => ({ currency: row.currency, value: row.value, count: row.count }))
  return answer(text, cite(plan, list, [measure.field]), {
    entity_type: plan.entity,
    measure: measure.kind,
    count,
    values,
  })
}

const currencyOf = (plan: Plan, measure: Totals): Sql =>
  measure.field.key === 'amount' && plan.entity === 'deal' ? sql`r.currency` : sql`null::text`

const weightedValue = (ctx: Ctx, measure: Totals): Sql =>
  measure.weighted
    ? sql`(${measure.field.value(ctx)} * coalesce(r.probability, (select s.probability from ${rows(ctx, 'stages')} s where s.id = r.stage_id)) / 100)`
    : measure.field.value(ctx)

async function groups(ctx: Ctx, plan: Plan, group: NonNullable<Plan['groupBy']>): Promise<Answer> {
  const totals = plan.measure.kind === 'sum' || plan.measure.kind === 'average' ? plan.measure : undefined
  const value = totals
    ? sql`${sql.raw(totals.kind === 'sum' ? 'sum' : 'avg')}(${weightedValue(ctx, totals)})::float8`
    : sql`count(*)::float8`
  const list = await query(
    ctx,
    sql<{ label: string | null; currency: string | null; value: number | null; count: number }>`
      select ${group.value}::text as label, ${totals ? currencyOf(plan, totals) : sql`null::text`} as currency,
        ${value} as value, count(*) as count
      from ${source(ctx, plan)} group by 1, 2 order by ${byTime(group.label) ? sql`1` : sql`3 desc nulls last, 1`} limit 100`,
  )
  const ends =
    plan.top === undefined
      ? list
      : best(
          list.filter(row => row.label !== null),
          plan.top,
        )
  const { many, one } = TABLES[plan.entity]
  const texts = ends.map(row => {
    const counted = `${row.count} ${row.count === 1 ? one : many}`
    const name = row.label ?? `no ${group.label}`
    return totals
      ? `${name}: ${shown(totals.field, row.value ?? 0, row.currency)} (${counted})`
      : `${name}: ${counted}`
  })
  const { rows: behind, count } = await found(ctx, plan, totals ? [totals.field] : [])
  const label = totals ? `${totals.kind === 'sum' ? 'Total' : 'Average'} ${totals.field.label}` : many
  const head = plan.top === undefined ? `${label} by ${group.label}, ${described(plan, count)}: ` : ''
  const data = {
    entity_type: plan.entity,
    group_by: group.label,
    groups: ends.map(row => ({ ...row, label: row.label })),
  }
  return answer(
    `${head}${texts.join('; ') || 'none'}.`,
    cite(plan, behind, totals ? [totals.field] : []),
    data,
  )
}

const byTime = (label: string) => ['day', 'week', 'month', 'quarter', 'year'].includes(label)

function best<R extends { value: number | null }>(list: R[], top: number): R[] {
  const values = list.map(row => row.value ?? 0)
  const wanted = top > 0 ? Math.max(...values) : Math.min(...values)
  return list.filter(row => (row.value ?? 0) === wanted)
}

async function winRate(ctx: Ctx, plan: Plan): Promise<Answer> {
  const type = sql`(select s.type from ${rows(ctx, 'stages')} s where s.id = r.stage_id)`
  const [row] = await query(
    ctx,
    sql<{ won: number; lost: number }>`select count(*) filter (where ${type} = 'won') as won,
      count(*) filter (where ${type} = 'lost') as lost from ${source(ctx, plan)}`,
  )
  const { won, lost } = row!
  const closed = {
    ...plan,
    conditions: [...plan.conditions, { where: sql`${type} <> 'open'`, said: 'closed' }],
  }
  const { rows: list } = await found(ctx, closed, [])
  const rate =
    won + lost === 0 ? 'unknown, for no deal has been closed' : `${number((100 * won) / (won + lost))}%`
  return answer(`Win rate: ${rate} (${won} won, ${lost} lost).`, cite(plan, list, []), { won, lost })
}

interface LastContact {
  id: string
  name: string
  type: string
  happened_at: string
  updated_at: string
  contacts: { id: string; name: string; updated_at: string }[]
}

async function lastContact(ctx: Ctx, plan: Plan, asks: 'who' | 'when'): Promise<Answer> {
  const [last] = await query(
    ctx,
    sql<LastContact>`select r.id, r.subject as name, r.type, r.happened_at, r.updated_at,
        (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.full_name, 'updated_at', c.updated_at)), '[]')
          from ${rows(ctx, 'activity_contacts')} l join ${living(ctx, 'contacts')} c on c.id = l.contact_id
          where l.activity_id = r.id) as contacts
      from ${source(ctx, plan)} order by r.happened_at desc, r.id desc limit 1`,
  )
  if (!last) return refusal('data')
  const people = last.contacts.map(contact => contact.name).join(', ') || 'nobody in particular'
  const day = last.happened_at.slice(0, 10)
  const activity = {
    index: 1,
    entity_type: 'activity',
    entity_id: last.id,
    name: last.name,
    snippet: `${last.type}: ${last.name}, ${day}`,
    updated_at: last.updated_at,
    score: 1,
  }
  const contacts = last.contacts.map((contact, i) => ({
    index: i + 2,
    entity_type: 'contact',
    entity_id: contact.id,
    name: contact.name,
    snippet: contact.name,
    updated_at: new Date(contact.updated_at).toISOString(),
    score: 1,
  }))
  const text =
    asks === 'who'
      ? `${people}, on ${day} (${last.type}: ${last.name}) [1].`
      : `On ${day}, ${last.type} "${last.name}" with ${people} [1].`
  return answer(text, [activity, ...contacts], { at: last.happened_at, contacts: last.contacts })
}
