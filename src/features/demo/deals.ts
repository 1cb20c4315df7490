/** 120 deals of two years, each with the stages that it went through. */
import { sql } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import { insertRows, updateRows } from '../../kernel/statements.ts'
import { deals } from '../../resources/deals/index.ts'
import type { Pipeline } from '../../resources/pipelines/record.ts'
import { type Building, createAll, dateOn, timeOn, workday } from './build.ts'
import { type Customer, PAST, type Person } from './companies.ts'
import { SOURCES } from './world/people.ts'
import { PRODUCTS } from './world/products.ts'
import { LOST, SITES } from './world/texts.ts'

export interface Deal {
  id: string
  customer: Customer
  contact: Person
  product: string
  site: string
  /** days relative to today */
  began: number
  /** the day it was closed, or undefined while it is open */
  closed: number | undefined
  isWon: boolean
}

interface Plan extends Omit<Deal, 'id'> {
  name: string
  pipeline: Pipeline
  /** the stages that it enters, each with its day */
  path: { stageId: string; day: number }[]
  expected: number
  lines: { product: number; quantity: number }[]
}

const DEALS_PER_COMPANY = 3

export async function createDeals(
  building: Building,
  customers: readonly Customer[],
  pipelines: readonly Pipeline[],
  productIds: readonly string[],
): Promise<Deal[]> {
  const { tx, random } = building
  const plans = customers.flatMap((customer, i) =>
    Array.from({ length: DEALS_PER_COMPANY }, (_, k) =>
      planOf(building, customer, pipelineOf(pipelines, i, k)),
    ),
  )
  const ids = await createAll(
    tx,
    deals,
    plans.map(plan => ({
      input: {
        name: plan.name,
        pipeline_id: plan.pipeline.id,
        stage_id: plan.path[0]?.stageId ?? '',
        stage_entered_at: timeOn(building, plan.began, 10),
        expected_close_date: dateOn(building, plan.expected),
        company_id: plan.customer.id,
        primary_contact_id: plan.contact.id,
        associated_contact_ids: plan.customer.people.slice(0, 3).map(({ id }) => id),
        owner_id: tx.user,
        lead_source: random.pick(SOURCES),
        priority: random.pick(['low', 'medium', 'high'] as const),
        next_step: plan.closed === undefined ? 'Agree on the date of the decision' : null,
        ...(plan.lines.length === 0 ? { amount: random.int(4, 60) * 500 } : {}),
        metadata: { sites: random.int(1, 6) },
      },
      set: { created_at: timeOn(building, plan.began, 10), updated_at: timeOn(building, plan.began, 10) },
    })),
  )
  const created = plans.map((plan, i) => ({ ...plan, id: ids[i] ?? '' }))
  await advance(building, created)
  await createLines(building, created, productIds)
  return created
}

/**
 * In two statements: to replace the lines of one deal after another took 1.1 of the 2.8 s of processor time that the
 * demo takes on a server.
 */
async function createLines(
  { tx }: Building,
  created: readonly (Plan & { id: string })[],
  productIds: readonly string[],
): Promise<void> {
  const lines = created.flatMap(deal =>
    deal.lines.map(({ product, quantity }, position) => {
      const [name = '', , unit_price = 0] = PRODUCTS[product] ?? []
      return {
        id: newId(),
        deal_id: deal.id,
        product_id: productIds[product] ?? null,
        name,
        quantity,
        unit_price,
        discount: quantity > 5 ? 5 : 0,
        tax: 0,
        position,
      }
    }),
  )
  await insertRows(tx, 'deal_line_items', lines)
  const changed = [...new Set(lines.map(({ deal_id }) => deal_id))]
  await updateRows(tx, 'deals', { updated_at: sql`now()` }, sql`r.id = any(${changed}::uuid[])`)
}

/** The default one twice as often as the two others. */
const pipelineOf = (pipelines: readonly Pipeline[], company: number, deal: number): Pipeline => {
  const chosen = pipelines[deal === 0 ? 0 : (company + deal) % pipelines.length]
  if (!chosen) throw new Error('the demo needs its pipelines')
  return chosen
}

const NAMES: readonly ((product: string, site: string) => string)[] = [
  (product, site) => `${product} for ${site}`,
  (_, site) => `Service contract, ${site}`,
  (product, site) => `${product} replacement at ${site}`,
]

function planOf(building: Building, customer: Customer, pipeline: Pipeline): Plan {
  const { random } = building
  const began = workday(building, -random.int(12, PAST - 10))
  const length = random.int(30, 140)
  const isClosed = began + length < -1
  const isWon = isClosed && random.chance(customer.status === 'inactive' ? 0.1 : 0.6)
  const closed = isClosed ? Math.min(workday(building, began + length), -1) : undefined
  const open = pipeline.stages.filter(({ type }) => type === 'open')
  const end = pipeline.stages.find(({ type }) => type === (isWon ? 'won' : 'lost'))
  // A lost deal may end early; an open one is as far as its age.
  const share = isClosed ? (isWon ? 1 : random.next()) : Math.min(1, -began / length)
  const steps = open.slice(0, Math.max(1, Math.ceil(share * open.length)))
  const last = closed ?? -1
  const path = steps.map((stage, k) => ({
    stageId: stage.id,
    day: began + Math.floor((k * (last - began)) / steps.length),
  }))
  if (closed !== undefined && end) path.push({ stageId: end.id, day: closed })
  const main = random.int(0, 5)
  const site = random.pick(SITES)
  const product = PRODUCTS[main]?.[0] ?? ''
  const naming = pipeline.is_default ? 0 : random.int(1, 2)
  return {
    customer,
    contact: random.pick(customer.people),
    product,
    site,
    began,
    closed,
    isWon,
    pipeline,
    path,
    name: `${customer.name}: ${NAMES[naming]?.(product, site)}`,
    expected: closed ?? began + length + 14,
    lines: random.chance(0.7)
      ? [
          { product: main, quantity: random.int(2, 14) },
          { product: 6, quantity: random.int(1, 4) },
          { product: random.int(7, 9), quantity: random.int(1, 12) },
        ]
      : [],
  }
}

/** Moves the deals through their stages, all of them one stage at a time, so that each has its history. */
async function advance(building: Building, plans: readonly (Plan & { id: string })[]): Promise<void> {
  const longest = Math.max(...plans.map(({ path }) => path.length))
  for (let step = 1; step < longest; step++) {
    const changes = plans.flatMap(({ id, path, closed, isWon }) => {
      const entry = path[step]
      if (!entry) return []
      const isEnd = closed !== undefined && step === path.length - 1
      // The hour preserves the order of stages that are entered on one day.
      const at = timeOn(building, entry.day, 10 + step)
      const end = isWon ? { closed_at: at } : { closed_at: at, lost_reason: building.random.pick(LOST) }
      return [{ id, input: { stage_id: entry.stageId, stage_entered_at: at, ...(isEnd ? end : {}) } }]
    })
    const saved = await deals.operations.updateMany(building.tx, changes)
    const refused = saved.find(({ error }) => error)
    if (refused) throw new Error(`a deal cannot be moved: ${JSON.stringify(refused.error?.detail)}`)
  }
}
