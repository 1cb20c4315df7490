/** The activities of the demo, past and planned, and their notes. */

import type { New } from '../../kernel/resource.ts'
import { activities } from '../../resources/activities/index.ts'
import type { ActivityInput } from '../../resources/activities/record.ts'
import { notes } from '../../resources/notes/index.ts'
import { type Building, createAll, filledIn, timeOn, workday } from './build.ts'
import { type Customer, PAST } from './companies.ts'
import type { Deal } from './deals.ts'
import { CARE, NEXT_STEPS, NOTES, SALE, SITES, type Step } from './world/texts.ts'

type About = Pick<Deal, 'customer' | 'contact' | 'product' | 'site'> & { dealId?: string }

export async function createActivities(
  building: Building,
  customers: readonly Customer[],
  deals: readonly Deal[],
): Promise<string[]> {
  const records = [
    ...deals.flatMap(deal => duringSale(building, deal)),
    ...customers.filter(({ status }) => status === 'customer').flatMap(one => betweenSales(building, one)),
    ...deals.filter(({ closed }) => closed === undefined).map(deal => nextStep(building, deal)),
  ]
  return createAll(building.tx, activities, records)
}

function duringSale(building: Building, deal: Deal): New<ActivityInput>[] {
  const end = deal.closed ?? -1
  const share = deal.isWon ? 1 : Math.min(1, (end - deal.began) / 100)
  const steps = SALE.slice(0, Math.max(2, Math.ceil(share * SALE.length)))
  return steps.map((step, k) => {
    const day = deal.began + Math.floor((k * (end - deal.began)) / steps.length)
    return done(building, step, { ...deal, dealId: deal.id }, Math.min(workday(building, day), -1))
  })
}

/** About every six weeks. */
function betweenSales(building: Building, customer: Customer): New<ActivityInput>[] {
  const { random } = building
  const records: New<ActivityInput>[] = []
  for (let day = -PAST + random.int(0, 40); day < -2; day += random.int(30, 55)) {
    const about = { customer, contact: random.pick(customer.people), product: '', site: random.pick(SITES) }
    records.push(done(building, random.pick(CARE), about, Math.min(workday(building, day), -1)))
  }
  return records
}

function done(building: Building, step: Step, about: About, day: number): New<ActivityInput> {
  const { random } = building
  const [hour, minute] = [random.int(8, 15), random.pick([0, 15, 30, 45])]
  const start = timeOn(building, day, hour, minute)
  return {
    input: {
      ...inputOf(building, step, about),
      status: 'completed',
      start_at: start,
      end_at: timeOn(building, day, hour, minute + step.minutes),
      ...(step.outcome === undefined ? {} : { outcome: filledIn(step.outcome, slotsOf(about)) }),
    },
    set: { created_at: start, updated_at: start },
  }
}

function nextStep(building: Building, deal: Deal): New<ActivityInput> {
  const { random } = building
  const step = random.pick(NEXT_STEPS)
  const day = workday(building, random.int(-4, 21))
  const due = timeOn(building, day, random.int(8, 16))
  const input = inputOf(building, step, { ...deal, dealId: deal.id })
  return {
    input: {
      ...input,
      status: 'planned',
      priority: random.pick(['medium', 'high'] as const),
      ...(step.type === 'meeting'
        ? { start_at: due, end_at: new Date(Date.parse(due) + step.minutes * 60_000).toISOString() }
        : { due_at: due }),
    },
  }
}

const slotsOf = ({ customer, contact, product, site }: About) => ({
  company: customer.name,
  contact: contact.name,
  product,
  site,
})

function inputOf({ tx, random }: Building, step: Step, about: About): ActivityInput {
  const slots = slotsOf(about)
  return {
    type: step.type,
    subject: filledIn(step.subject, slots),
    description: filledIn(step.description, slots),
    status: 'planned',
    all_day: false,
    ...(step.type === 'call' || step.type === 'email'
      ? { direction: random.chance(0.7) ? ('outbound' as const) : ('inbound' as const) }
      : {}),
    ...(step.type === 'meeting' ? { location: `${about.customer.name}, ${about.customer.city}` } : {}),
    assignee_id: tx.user,
    contact_ids: [about.contact.id],
    company_ids: [about.customer.id],
    deal_ids: about.dealId === undefined ? [] : [about.dealId],
  }
}

/** A note on every deal, and one on every company. */
export async function createNotes(
  building: Building,
  customers: readonly Customer[],
  deals: readonly Deal[],
): Promise<string[]> {
  const { tx, random } = building
  const onDeals = deals.map(deal => {
    const at = timeOn(building, Math.min(deal.began + random.int(1, 11), -1), 16)
    return {
      input: {
        content: filledIn(random.pick(NOTES), slotsOf(deal)),
        entity_type: 'deal' as const,
        entity_id: deal.id,
        company_ids: [deal.customer.id],
        contact_ids: [deal.contact.id],
        is_pinned: false,
      },
      set: { created_at: at, updated_at: at },
    }
  })
  const onCompanies = customers.map(customer => {
    const at = timeOn(building, -random.int(5, PAST - 400), 12)
    const about = { customer, contact: random.pick(customer.people), product: '', site: random.pick(SITES) }
    return {
      input: {
        title: `About ${customer.name}`,
        content: `${customer.about}\n\n${filledIn(random.pick(NOTES), slotsOf(about))}`,
        entity_type: 'company' as const,
        entity_id: customer.id,
        is_pinned: random.chance(0.2),
      },
      set: { created_at: at, updated_at: at },
    }
  })
  return [...(await createAll(tx, notes, onDeals)), ...(await createAll(tx, notes, onCompanies))]
}
