/** Orders: the largest, the top five, the one with the most of something. */
import { Costly } from '../chart.ts'
import { type FieldMeaning, isOf, liftCost, narrowed, type Records } from '../meaning.ts'
import { ruleSet } from './build.ts'
import {
  AMOUNT,
  allOf,
  byCount,
  CUSTOMER,
  count,
  type Direction,
  DONE,
  fieldAt,
  first,
  grouped,
  is,
  isClosed,
  isNumeric,
  isRecord,
  isSame,
  list,
  nearest,
  OPEN,
  ofThese,
  once,
  ranked,
  relatedTo,
  STAFF,
  type Superlative,
  such,
  type Wanted,
} from './shared.ts'

const SIZES: Readonly<Record<string, FieldMeaning>> = { company: STAFF, deal: AMOUNT }
const ORDINALS = { Second: 1, Third: 2, Fourth: 3, Fifth: 4 } as const
const WHEN = fieldAt('activity', 'when')
const CREATED = fieldAt('deal', 'created_at')
const CLOSE = fieldAt('deal', 'expected_close_date')

export const rankingRules = ruleSet(rule => {
  for (const [word, skipped] of Object.entries(ORDINALS)) rule(`Skipped = Article? ${word}`, 0, () => skipped)
  rule('Extreme = Most', 0, () => 'desc')
  rule('Extreme = Least', 0, () => 'asc')
  rule('ExtremeMany = MostMany', 0, () => 'desc')
  rule('ExtremeMany = LeastMany', 0, () => 'asc')
  rule('End = Top', 0, () => 'desc')
  rule('End = Bottom', 0, () => 'asc')

  rule('Superlative = *Skipped *Superlative', 0, (skipped, order) => ({ ...order, skipped }))
  rule('Wanted = *Superlative *Records', 0.1, (order, of) => best(of, order))
  rule('Wanted = *Number *Superlative *Records', 0, (limit, { field, direction }, of) =>
    ranked(of, field, direction, limit.value),
  )
  rule('Wanted = Ask *Records Be Article? *Superlative', 0.1, (of, { field, direction }) =>
    ranked(of, field, direction),
  )
  rule('Wanted = Ask *Records Are Article? *Superlative', -0.3, best)
  rule('Wanted = *End *Number *Records Per *Field', 0, (direction, limit, of, field) =>
    byFigure(of, field, direction, limit.value),
  )
  rule('Wanted = *Next *Number *Records', 0, (now, limit, of) => upcoming(of, limit.value, now))
  rule('Wanted = *Adjective *Next *Number *Records', 0.1, (about, now, limit, of) =>
    upcoming(such(of, about), limit.value, now),
  )
  rule('Wanted = Last *Number *Records', 0, (limit, of) => done(of, limit.value))
  rule('Wanted = *Adjective Last *Number *Records', 0.1, (about, limit, of) =>
    done(such(of, about), limit.value),
  )
  rule('Wanted = OfWhen? Article? First *Records', 0.1, of => (of.isMany ? undefined : done(of, 1, 'asc')))
  rule('Wanted = OfWhen? Article? Last *Records', 0.1, of => (of.isMany ? undefined : done(of, 1)))
  rule('Wanted = OfWhen? Article? *Next *Records', 0.1, (now, of) =>
    of.isMany || of.entity !== 'activity' ? undefined : upcoming(of, 1, now),
  )
  rule('Wanted = Ask? *Records *Superlative', 0.4, (of, order) => closingOf(of, order))
  rule('Wanted = Ask *Number *Records *Superlative', 0, (limit, of, order) =>
    closingOf(of, order, limit.value),
  )
  rule('Wanted = Top *Number *Records', 0.2, (limit, of) => ranked(of, AMOUNT, 'desc', limit.value))
  // "which is bigger, Acme or Globex"
  rule('Wanted = Ask Noun? Be Larger *Values', 0, values => {
    const field = isRecord(values) ? SIZES[values.entity] : undefined
    return field && ranked(such(allOf(field.entity), values), field, 'desc')
  })
  rule('Wanted = *Superlative *Records Per Count? *Field', 0, ({ direction, skipped }, of, field) =>
    byFigure(of, field, direction, 1, skipped),
  )
  rule('Wanted = *Number *Superlative *Records Per Count? *Field', 0, (limit, { direction }, of, field) =>
    byFigure(of, field, direction, limit.value),
  )
  // what follows is said of the records among which the first is looked for: "the largest company by headcount in Italy"
  rule('Wanted = *Wanted *Condition', 0.6, (wanted, about) => {
    const meaning = wanted.limit === undefined ? undefined : ofThese(wanted, such(wanted.of, about))
    return meaning && new Costly(meaning, liftCost(wanted.of.entity, about))
  })
  // "which deal has the latest close date"
  rule('Wanted = Ask? *Records Have *Superlative *Field', 0, (of, order, field) =>
    field.type === 'date' && order.field.type === 'date' ? ranked(of, field, order.direction) : undefined,
  )
  // "which deal has been open the longest"
  rule('Wanted = Ask *Records Be? *State Longest', 0, (of, { where }) =>
    isSame(where, OPEN) ? ranked(once(of, OPEN), CREATED, 'asc') : undefined,
  )
  rule('Wanted = Ask *Records Be? *Dated|State|Happened Recently', 0.1, (of, { where, date }) => {
    if (date === undefined) return undefined
    const all = 'and' in where && where.and.length === 0 ? of : narrowed(of, where)
    return all && { ...list(all), order: { by: date, direction: 'desc' }, limit: 1 }
  })
  rule('Wanted = Ask? *Records Per Count? *Field *Direction?', 0.3, (of, field, way) =>
    field.type === 'text' ? undefined : sorted(of, field, way),
  )
  rule('Wanted = *Records SortedBy Count? *Field *Direction?', 0.2, sorted)
  rule('Wanted = Sort *Records Per *Field *Direction?', 0, sorted)
  rule('Wanted = Ask? *Records Per|SortedBy Count *Records', 0, (host, of) => byCount(host, of, 'desc'))
  rule('Wanted = Ask? *Records *Direction', 0.3, (of, way) => sorted(of, AMOUNT, way))
  rule('Wanted = Ask? *Records Alphabetically', 0, of => ({
    ...list(of),
    order: { by: of.entity === 'contact' ? 'full_name' : of.entity === 'activity' ? 'subject' : 'name' },
  }))

  // with the most or the fewest of something: of a field, or of related records
  rule('Wanted = Ask *Records Have|Holds *Extreme Count? *Field', 0, (of, direction, field) =>
    byFigure(of, field, direction),
  )
  rule('Wanted = *Records Have *Extreme *Field', 0.2, (of, direction, field) =>
    byFigure(of, field, direction),
  )
  rule('Wanted = *Number *Records Have *Extreme *Field', 0, (limit, of, direction, field) =>
    byFigure(of, field, direction, limit.value),
  )
  rule('Wanted = Who Have|Holds *Extreme *Field', 0.1, (direction, field) =>
    field.field.startsWith('cf.') ? byFigure(allOf(field.entity), field, direction) : undefined,
  )
  rule('Wanted = Ask *Records Employ *Extreme Staff', 0, (of, direction) => ranked(of, STAFF, direction))
  // "which company has the most open deals", "which contact has been in the fewest meetings"
  rule(
    'Wanted = Preposition? Ask *Noun|Records Have|Be|Exists? Have|Attend|Exists *Skipped? *ExtremeMany *Records Preposition?',
    0,
    (host, skipped, direction, of) => byCount(host, of, direction, 1, skipped),
  )
  rule('Wanted = *Number *Records Have *ExtremeMany *Records', 0, (limit, host, direction, of) =>
    limit.isMoney ? undefined : byCount(host, of, direction, limit.value),
  )
  // "in which country do we have the most customers": of what has none the least is not seen among the groups
  rule(
    'Wanted = Preposition? AskField *Field Exists|Have|Be *Skipped? MostMany *Records Preposition?',
    0,
    (field, skipped, of) => nearest(first(grouped(count(of), field), 'desc', 1, skipped), field),
  )
  rule(
    'Wanted = Preposition? AskField *Number *Field Exists|Have|Be *ExtremeMany *Records Preposition?',
    0,
    (limit, field, direction, of) => first(grouped(count(of), field), direction, limit.value),
  )
  // "in which country are most of our customers", "which type do we lose most often"
  rule('Wanted = Preposition? AskField *Field Do|Be MostOf *Records Preposition|Located?', 0, (field, of) =>
    nearest(first(grouped(count(of), field), 'desc'), field),
  )
  // "which company has the biggest open deal": the deal, with its company
  rule('Wanted = Ask *Noun|Records Have *Superlative *Records', 0, (host, order, of) => {
    if (host.entity !== 'company' || of.entity !== 'deal' || of.isMany) return undefined
    const top = ranked(relatedTo(of, host), order.field, order.direction, 1, order.skipped)
    return top && { ...top, show: CUSTOMER }
  })
})

/** By a number that they have. */
const byFigure = (
  of: Records,
  field: FieldMeaning,
  direction: Direction,
  limit = 1,
  skipped = 0,
): Wanted | undefined => (isNumeric(field) ? ranked(of, field, direction, limit, skipped) : undefined)

/** "which deals close next" */
const closingOf = (of: Records, { field, direction }: Superlative, limit = 1): Wanted | undefined =>
  field.field === CLOSE.field ? ranked(of, field, direction, limit) : undefined

/** The last activities that took place, or the last deals that came to an end. */
function done(of: Records | undefined, limit: number, direction: Direction = 'desc'): Wanted | undefined {
  if (of?.entity === 'deal') return isClosed(of) ? ranked(of, CREATED, direction, limit) : undefined
  return of && ranked(narrowed(of, DONE), WHEN, direction, limit)
}

/** The next activities that are planned, or the next deals to close. */
function upcoming(of: Records | undefined, limit: number, now: string): Wanted | undefined {
  if (of?.entity !== 'activity') return ranked(of, CLOSE, 'asc', limit)
  const open = narrowed(of, is('status', 'planned'))
  return open && ranked(narrowed(open, { field: 'when', op: 'gte', value: now }), WHEN, 'asc', limit)
}

/** "the largest deal" is one; "the largest deals" are all of them, the largest first. */
function best(of: Records, { field, direction, skipped = 0 }: Superlative): Wanted | undefined {
  const one = ranked(of, field, direction, 1, skipped)
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
