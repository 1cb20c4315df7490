/** Orders: the largest, the top five, the one with the most of something. */
import { Costly } from '../chart.ts'
import { type FieldMeaning, isOf, liftCost, narrowed, on, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import { mostOf, STAFF } from './most.ts'
import {
  AMOUNT,
  after,
  byCount,
  type Direction,
  isClosed,
  isNumeric,
  isRecord,
  list,
  OPEN,
  ranked,
  type Superlative,
  type Wanted,
} from './shared.ts'

const SIZES: Readonly<Record<string, FieldMeaning>> = { company: STAFF, deal: AMOUNT }

const ORDINALS = { Second: 1, Third: 2, Fourth: 3, Fifth: 4 } as const

export const rankingRules = ruleSet(rule => {
  for (const [word, skipped] of Object.entries(ORDINALS)) {
    rule(`Skipped = Article? ${word}`, 0, () => skipped)
  }
  rule('Superlative = *Skipped *Superlative', 0, (skipped, order) => ({
    ...order,
    skipped,
  }))
  rule('Wanted = *Superlative *Records', 0.1, (order, of) => best(of, order))
  rule('Wanted = *Number *Superlative *Records', 0, (limit, order, of) =>
    ranked(of, order.field, order.direction, limit.value),
  )
  rule('Wanted = Ask *Records Be Article? *Superlative', 0.1, (of, order) =>
    ranked(of, order.field, order.direction, 1),
  )
  rule('Wanted = Ask *Records Are Article? *Superlative', -0.3, best)
  rule('Wanted = Top *Number *Records Per *Field', 0, (limit, of, field) =>
    isNumeric(field) ? ranked(of, field, 'desc', limit.value) : undefined,
  )
  rule('Wanted = Bottom *Number *Records Per *Field', 0, (limit, of, field) =>
    isNumeric(field) ? ranked(of, field, 'asc', limit.value) : undefined,
  )
  rule('Wanted = *Next *Number *Records', 0, (now, limit, of) => upcoming(of, limit.value, now))
  rule('Wanted = *Adjective *Next *Number *Records', 0.1, (about, now, limit, of) => {
    const such = narrowed(of, on(of.entity, about))
    return such && upcoming(such, limit.value, now)
  })
  rule('Wanted = Last *Number *Records', 0, (limit, of) => done(of, limit.value))
  rule('Wanted = OfWhen? Article? First *Records', 0.1, of => (of.isMany ? undefined : done(of, 1, 'asc')))
  rule('Wanted = OfWhen? Article? Last *Records', 0.1, of => (of.isMany ? undefined : done(of, 1)))
  rule('Wanted = OfWhen? Article? *Next *Records', 0.1, (now, of) =>
    of.isMany || of.entity !== 'activity' ? undefined : upcoming(of, 1, now),
  )
  rule('Wanted = *Adjective Last *Number *Records', 0.1, (about, limit, of) => {
    const such = narrowed(of, on(of.entity, about))
    return such && done(such, limit.value)
  })
  rule('Wanted = Ask? *Records *Superlative', 0.4, (of, order) =>
    order.field.field === 'expected_close_date' ? ranked(of, order.field, order.direction, 1) : undefined,
  )
  rule('Wanted = Top *Number *Records', 0.2, (limit, of) =>
    of.entity === 'deal' ? ranked(of, AMOUNT, 'desc', limit.value) : undefined,
  )
  // "which is bigger, Acme or Globex"
  rule('Wanted = Ask Noun? Be Larger *Values', 0, values => {
    const field = isRecord(values) ? SIZES[values.entity] : undefined
    return field && ranked({ entity: field.entity, where: [values.where] }, field, 'desc', 1)
  })
  rule('Wanted = *Superlative *Records Per Count? *Field', 0, (order, of, field) =>
    after(mostOf(of, field, order.direction), order.skipped),
  )
  rule('Wanted = *Number *Superlative *Records Per Count? *Field', 0, (limit, order, of, field) =>
    mostOf(of, field, order.direction, limit.value),
  )
  // what follows is said of the records among which the first is looked for: "the largest company by headcount in Italy"
  rule('Wanted = *Wanted *Condition', 0.6, (wanted, about) => {
    const of = wanted.limit === undefined ? undefined : narrowed(wanted.of, on(wanted.of.entity, about))
    return of && new Costly({ ...wanted, of }, liftCost(wanted.of.entity, about))
  })
  // "which deal has the latest close date"
  rule('Wanted = Ask? *Records Have *Superlative *Field', 0, byDate)
  // "which deal has been open the longest"
  rule('Wanted = Ask *Records Be? *State Longest', 0, (of, state) => {
    const open = state.entity === 'deal' && JSON.stringify(state.where) === JSON.stringify(OPEN)
    const isSaid = of.where.some(where => JSON.stringify(where) === JSON.stringify(OPEN))
    const such = open ? (isSaid ? of : narrowed(of, OPEN)) : undefined
    return such && ranked(such, CREATED, 'asc', 1)
  })
  rule('Wanted = Ask *Records Be? *Dated|State|Happened Recently', 0.1, (of, { where, date }) => {
    const isMore = !('and' in where && where.and.length === 0)
    const such = date === undefined ? undefined : isMore ? narrowed(of, where) : of
    return such && { ...list(such), order: { by: date ?? '', direction: 'desc' }, limit: 1 }
  })
  rule('Wanted = Ask? *Records Per Count? *Field *Direction?', 0.3, (of, field, way) =>
    field.type === 'text' ? undefined : sorted(of, field, way),
  )
  rule('Wanted = *Records SortedBy Count? *Field *Direction?', 0.2, sorted)
  rule('Wanted = Ask? *Records Per|SortedBy Count *Records', 0, (host, of) => byCount(host, of, 'desc'))
  rule('Wanted = Ask? *Records *Direction', 0.3, (of, way) =>
    of.entity === 'deal' ? sorted(of, AMOUNT, way) : undefined,
  )
  rule('Wanted = Ask *Number *Records *Superlative', 0, (limit, of, order) =>
    order.field.field === 'expected_close_date'
      ? ranked(of, order.field, order.direction, limit.value)
      : undefined,
  )
  rule('Wanted = Sort *Records Per *Field *Direction?', 0, sorted)
  rule('Wanted = Ask? *Records Alphabetically', 0, of => ({
    ...list(of),
    order: { by: of.entity === 'contact' ? 'full_name' : of.entity === 'activity' ? 'subject' : 'name' },
  }))
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

/** "the largest deal" is one; "the largest deals" are all of them, the largest first. */
function best(of: Records, { field, direction, skipped = 0 }: Superlative): Wanted | undefined {
  const one = after(ranked(of, field, direction, 1), skipped)
  if (!one || !of.isMany || skipped > 0) return one
  const { limit: _, ...all } = one
  return all
}

/** Numbers from the top, names and dates from the start. */
function sorted(of: Records, field: FieldMeaning, direction?: Direction): Wanted | undefined {
  if (!isOf(of.entity, field) || (field.field === 'closed_at' && !isClosed(of))) return undefined
  return {
    ...list(of),
    order: { by: field.field, direction: direction ?? (isNumeric(field) ? 'desc' : 'asc') },
  }
}
