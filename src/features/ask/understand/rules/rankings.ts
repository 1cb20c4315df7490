/** Orders: the largest, the top five, the one with the most of something. */
import { Costly } from '../chart.ts'
import {
  type About,
  type FieldMeaning,
  isOf,
  liftCost,
  narrowed,
  on,
  type Records,
  whole,
} from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import { ruleSet } from './build.ts'
import {
  AMOUNT,
  after,
  byCount,
  count,
  DEALS,
  type Direction,
  first,
  grouped,
  isClosed,
  isNumeric,
  isRecord,
  list,
  measured,
  OPEN,
  ranked,
  type Superlative,
  type Wanted,
} from './shared.ts'

const STAFF: FieldMeaning = { entity: 'company', field: 'employee_count', type: 'number' }
const CUSTOMER: FieldMeaning = { entity: 'deal', field: 'company.name', type: 'text' }
const SIZES: Readonly<Record<string, FieldMeaning>> = { company: STAFF, deal: AMOUNT }

const ORDINALS = { Second: 1, Third: 2, Fourth: 3, Fifth: 4 } as const

export const rankingRules = ruleSet(rule => {
  for (const [word, skipped] of Object.entries(ORDINALS)) {
    rule(`Skipped = Article? ${word}`, 0, () => skipped)
  }
  rule('Superlative = *Skipped *Superlative', 0, (skipped: number, order: Superlative) => ({
    ...order,
    skipped,
  }))
  rule('Wanted = *Superlative *Records', 0.1, (order: Superlative, of: Records) => best(of, order))
  rule('Wanted = *Number *Superlative *Records', 0, (limit: Quantity, order: Superlative, of: Records) =>
    ranked(of, order.field, order.direction, limit.value),
  )
  rule('Wanted = *Superlative *Number *Records', 0, (order: Superlative, limit: Quantity, of: Records) =>
    ranked(of, order.field, order.direction, limit.value),
  )
  rule('Wanted = Ask *Records Be Article? *Superlative', 0.1, (of: Records, order: Superlative) =>
    ranked(of, order.field, order.direction, 1),
  )
  // "the largest deal won"
  rule('Wanted = *Wanted *State', 0.3, (wanted: Wanted, state: About) => {
    const of =
      wanted.limit === undefined || wanted.group
        ? undefined
        : narrowed(wanted.of, on(wanted.of.entity, state))
    return of && { ...wanted, of }
  })
  rule('Wanted = Top *Number *Records Per *Field', 0, (limit: Quantity, of: Records, field: FieldMeaning) =>
    isNumeric(field) ? ranked(of, field, 'desc', limit.value) : undefined,
  )
  rule(
    'Wanted = Bottom *Number *Records Per *Field',
    0,
    (limit: Quantity, of: Records, field: FieldMeaning) =>
      isNumeric(field) ? ranked(of, field, 'asc', limit.value) : undefined,
  )
  rule('Wanted = *Next *Number *Records', 0, (now: string, limit: Quantity, of: Records) =>
    upcoming(of, limit.value, now),
  )
  rule(
    'Wanted = *Adjective *Next *Number *Records',
    0.1,
    (about: About, now: string, limit: Quantity, of: Records) => {
      const such = narrowed(of, on(of.entity, about))
      return such && upcoming(such, limit.value, now)
    },
  )
  rule('Wanted = Last *Number *Records', 0, (limit: Quantity, of: Records) => done(of, limit.value))
  rule('Wanted = OfWhen? Article? First *Records', 0.1, (of: Records) =>
    of.isMany ? undefined : done(of, 1, 'asc'),
  )
  rule('Wanted = OfWhen? Article? Last *Records', 0.1, (of: Records) => (of.isMany ? undefined : done(of, 1)))
  rule('Wanted = OfWhen? Article? *Next *Records', 0.1, (now: string, of: Records) =>
    of.isMany || of.entity !== 'activity' ? undefined : upcoming(of, 1, now),
  )
  rule('Wanted = *Adjective Last *Number *Records', 0.1, (about: About, limit: Quantity, of: Records) => {
    const such = narrowed(of, on(of.entity, about))
    return such && done(such, limit.value)
  })
  rule('Wanted = Ask? *Records *Superlative', 0.4, (of: Records, order: Superlative) =>
    order.field.field === 'expected_close_date' ? ranked(of, order.field, order.direction, 1) : undefined,
  )
  rule('Wanted = Top *Number *Records', 0.2, (limit: Quantity, of: Records) =>
    of.entity === 'deal' ? ranked(of, AMOUNT, 'desc', limit.value) : undefined,
  )
  for (const [word, many, direction] of [
    ['Most', 'MostMany', 'desc'],
    ['Least', 'LeastMany', 'asc'],
  ] as const) {
    rule(`Wanted = Ask *Records Have|Holds ${word} Count? *Field`, 0, (of: Records, field: FieldMeaning) =>
      mostOf(of, field, direction),
    )
    rule(`Wanted = *Records Have ${word} *Field`, 0.2, (of: Records, field: FieldMeaning) =>
      mostOf(of, field, direction),
    )
    rule(
      `Wanted = *Number *Records Have ${word} *Field`,
      0,
      (limit: Quantity, of: Records, field: FieldMeaning) => mostOf(of, field, direction, limit.value),
    )
    rule(`Wanted = Who Have|Holds ${word} *Field`, 0.1, (field: FieldMeaning) =>
      field.field.startsWith('cf.')
        ? mostOf({ entity: field.entity, where: [] }, field, direction)
        : undefined,
    )
    // "the highest amount of our open deals"
    rule(`Wanted = WhatIs? ${word} *Field Of|Preposition *Records`, 0.1, (field: FieldMeaning, of: Records) =>
      mostOf(of, field, direction),
    )
    rule(`Wanted = Ask *Records Employ ${word} Staff`, 0, (of: Records) => mostOf(of, STAFF, direction))
    // "which company has the most open deals", "which contact has been in the fewest meetings"
    rule(
      `Wanted = Preposition? Ask *Noun|Records Have|Be|Exists? Have|Attend|Exists *Skipped? ${many} *Records Preposition?`,
      0,
      (host: Records, skipped: number | undefined, of: Records) =>
        after(byCount(host, of, direction, 1), skipped),
    )
    rule(
      `Wanted = *Number *Records Have ${many} *Records`,
      0,
      (limit: Quantity, host: Records, of: Records) =>
        limit.isMoney ? undefined : byCount(host, of, direction, limit.value),
    )
    rule(
      `Wanted = Preposition? AskField *Field Exists|Have|Be *Skipped ${many} *Records Preposition?`,
      0,
      (field: FieldMeaning, skipped: number, of: Records) =>
        direction === 'desc' ? after(first(grouped(count(of), field), direction), skipped) : undefined,
    )
    // "in which country do we have the most customers", "which stage has the most money"
    rule(
      `Wanted = Preposition? AskField *Field Exists|Have|Be ${many} *Records Preposition?`,
      0,
      (field: FieldMeaning, of: Records) =>
        // of what has none the least is not seen among the groups
        direction === 'desc' ? topGroup(count(of), field, direction) : undefined,
    )
    rule(
      `Wanted = Preposition? AskField *Number *Field Exists|Have|Be ${many} *Records Preposition?`,
      0,
      (limit: Quantity, field: FieldMeaning, of: Records) => {
        const all = grouped(count(of), field)
        return all && first(all, direction, limit.value)
      },
    )
    rule(`Wanted = AskField *Field Have ${word} *OpenDeals`, 0, (field: FieldMeaning, of: Records) =>
      topGroup(measured('sum', AMOUNT, of), field, direction),
    )
  }
  // "which company has the biggest open deal": the deal, with its company
  rule(
    'Wanted = Ask *Noun|Records Have *Superlative *Records',
    0,
    (host: Records, order: Superlative, of: Records) => {
      const where = whole(host.where)
      const such = where ? narrowed(of, on(of.entity, { entity: host.entity, where })) : of
      const isCompany = host.entity === 'company' && of.entity === 'deal' && !of.isMany
      const first =
        such && isCompany ? after(ranked(such, order.field, order.direction, 1), order.skipped) : undefined
      return first && { ...first, show: CUSTOMER }
    },
  )
  // "in which country are most of our customers", "which type do we lose most often"
  rule(
    'Wanted = Preposition? AskField *Field Do|Be MostOf *Records Preposition|Located?',
    0,
    (field: FieldMeaning, of: Records) => topGroup(count(of), field, 'desc'),
  )
  rule(
    'Wanted = Preposition? AskField *Field *Happened *Noun? MostOften',
    0,
    (field: FieldMeaning, action: About, noun: Records = DEALS) => {
      const of = narrowed(noun, on(noun.entity, action))
      return of && topGroup(count(of), field, 'desc')
    },
  )
  // "which is bigger, Acme or Globex"
  rule('Wanted = Ask Noun? Be Larger *Values', 0, (values: About) => {
    const field = isRecord(values) ? SIZES[values.entity] : undefined
    return field && ranked({ entity: field.entity, where: [values.where] }, field, 'desc', 1)
  })
  rule(
    'Wanted = *Superlative *Records Per Count? *Field',
    0,
    (order: Superlative, of: Records, field: FieldMeaning) =>
      after(mostOf(of, field, order.direction), order.skipped),
  )
  rule(
    'Wanted = *Number *Superlative *Records Per Count? *Field',
    0,
    (limit: Quantity, order: Superlative, of: Records, field: FieldMeaning) =>
      mostOf(of, field, order.direction, limit.value),
  )
  // what follows is said of the records among which the first is looked for: "the largest company by headcount in Italy"
  rule('Wanted = *Wanted *Condition', 0.6, (wanted: Wanted, about: About) => {
    const of = wanted.limit === undefined ? undefined : narrowed(wanted.of, on(wanted.of.entity, about))
    return of && new Costly({ ...wanted, of }, liftCost(wanted.of.entity, about))
  })
  // "which deal has the latest close date", "the earliest close date of our open deals"
  rule('Wanted = Ask? *Records Have *Superlative *Field', 0, byDate)
  rule(
    'Wanted = WhatIs? *Superlative *Field Of|Preposition *Records',
    0,
    (order: Superlative, field: FieldMeaning, of: Records) => byDate(of, order, field),
  )
  // "which deal has been open the longest"
  rule('Wanted = Ask *Records Be? *State Longest', 0, (of: Records, state: About) => {
    const open = state.entity === 'deal' && JSON.stringify(state.where) === JSON.stringify(OPEN)
    const isSaid = of.where.some(where => JSON.stringify(where) === JSON.stringify(OPEN))
    const such = open ? (isSaid ? of : narrowed(of, OPEN)) : undefined
    return such && ranked(such, CREATED, 'asc', 1)
  })
  rule(
    'Wanted = Ask *Records Be? *Dated|State|Happened Recently',
    0.1,
    (of: Records, { where, date }: About) => {
      const isMore = !('and' in where && where.and.length === 0)
      const such = date === undefined ? undefined : isMore ? narrowed(of, where) : of
      return such && { ...list(such), order: { by: date ?? '', direction: 'desc' }, limit: 1 }
    },
  )
  rule(
    'Wanted = Ask? *Records Per Count? *Field *Direction?',
    0.3,
    (of: Records, field: FieldMeaning, way?: Direction) =>
      field.type === 'text' ? undefined : sorted(of, field, way),
  )
  rule('Wanted = *Records SortedBy Count? *Field *Direction?', 0.2, sorted)
  rule('Wanted = Ask? *Records Per|SortedBy Count *Records', 0, (host: Records, of: Records) =>
    byCount(host, of, 'desc'),
  )
  rule(
    'Wanted = Top *Number *Records Per Count? *Records',
    0,
    (limit: Quantity, host: Records, of: Records) => byCount(host, of, 'desc', limit.value),
  )
  rule('Wanted = Ask? *Records *Direction', 0.3, (of: Records, way: Direction) =>
    of.entity === 'deal' ? sorted(of, AMOUNT, way) : undefined,
  )
  rule('Wanted = Ask *Number *Records *Superlative', 0, (limit: Quantity, of: Records, order: Superlative) =>
    order.field.field === 'expected_close_date'
      ? ranked(of, order.field, order.direction, limit.value)
      : undefined,
  )
  rule('Wanted = Sort *Records Per *Field *Direction?', 0, sorted)
  rule('Wanted = Ask? *Records Alphabetically', 0, (of: Records) => ({
    ...list(of),
    order: { by: of.entity === 'contact' ? 'full_name' : of.entity === 'activity' ? 'subject' : 'name' },
  }))
  rule('Wanted = Ask *Records SortedBy *Field *Direction?', 0, sorted)
})

const WHEN: FieldMeaning = { entity: 'activity', field: 'when', type: 'date' }
const CREATED: FieldMeaning = { entity: 'deal', field: 'created_at', type: 'date' }
const CLOSE: FieldMeaning = { entity: 'deal', field: 'expected_close_date', type: 'date' }

/** The last activities that took place, or the last deals that came to an end. */
function done(of: Records, limit: number, direction: Direction = 'desc'): Wanted | undefined {
  if (of.entity === 'deal' && isClosed(of)) return ranked(of, CREATED, direction, limit)
  const such =
    of.entity === 'activity' ? narrowed(of, { field: 'status', op: 'eq', value: 'completed' }) : undefined
  return such && ranked(such, WHEN, direction, limit)
}

/** The next activities that are planned, or the next deals to close. */
function upcoming(of: Records, limit: number, now: string): Wanted | undefined {
  if (of.entity === 'deal') return ranked(of, CLOSE, 'asc', limit)
  const open =
    of.entity === 'activity' ? narrowed(of, { field: 'status', op: 'eq', value: 'planned' }) : undefined
  const ahead = open && narrowed(open, { field: 'when', op: 'gte', value: now })
  return ahead && ranked(ahead, WHEN, 'asc', limit)
}

function byDate(
  of: Records,
  { field: when, direction }: Superlative,
  field: FieldMeaning,
): Wanted | undefined {
  return field.type === 'date' && when.type === 'date' ? ranked(of, field, direction, 1) : undefined
}

const mostOf = (of: Records, field: FieldMeaning, direction: Direction, limit = 1): Wanted | undefined =>
  isNumeric(field) ? ranked(of, field, direction, limit) : undefined

/** "the largest deal" is one; "the largest deals" are all of them, the largest first. */
function best(of: Records, { field, direction, skipped = 0 }: Superlative): Wanted | undefined {
  const one = after(ranked(of, field, direction, 1), skipped)
  if (!one || !of.isMany || skipped > 0) return one
  const { limit: _, ...all } = one
  return all
}

function topGroup(wanted: Wanted | undefined, field: FieldMeaning, direction: Direction): Costly | undefined {
  const top = wanted && first(grouped(wanted, field), direction)
  // the city of the contact before that of its company; companies are records before they are a field
  const isOwn = field.entity === top?.of.entity && field.field !== 'company.name'
  return top && new Costly(top, isOwn ? 0 : 0.5)
}

/** Numbers from the top, names and dates from the start. */
function sorted(of: Records, field: FieldMeaning, direction?: Direction): Wanted | undefined {
  if (!isOf(of.entity, field) || (field.field === 'closed_at' && !isClosed(of))) return undefined
  return {
    ...list(of),
    order: { by: field.field, direction: direction ?? (isNumeric(field) ? 'desc' : 'asc') },
  }
}
