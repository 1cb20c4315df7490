/** "sorted by close date", "by headcount, highest first", "biggest first": all of them, in an order. */
import { sql } from 'kysely'
import { type Field, isNumeric } from '../fields/index.ts'
import type { Plan } from '../plan.ts'
import { type Reading, says, take } from './reading.ts'

const DOWN = 'highest|biggest|largest|greatest|most(?: valuable)?|top|latest|newest|most recent'
const UP = 'lowest|smallest|least|fewest|cheapest|soonest|earliest|oldest|nearest|next'
const DIRECTIONS =
  /in (?:descending|ascending) order|desc(?:ending)?|asc(?:ending)?|from (?:high(?:est)?|large(?:st)?|big(?:gest)?) to (?:low(?:est)?|small(?:est)?)|from (?:low(?:est)?|small(?:est)?) to (?:high(?:est)?|large(?:st)?|big(?:gest)?)/
const FIRST = new RegExp(
  `(?:(?:with|put|starting with) )?(?:the )?(?:${DOWN}|${UP})(?: (?:ones?|amounts?|deals?))? (?:ones )?first|(?:the )?(?:${DOWN}|${UP}) (?:ones )?(?:on top|at the top)`,
)
const BIGGEST_FIRST =
  /(?:the )?(?:highest|biggest|largest|greatest|most) first|in descending order|desc(?:ending)?/
const SORTED =
  '(?:(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arrange[d]?|list(?:ed)?) )?(?:by|according to|in (?:the )?order of)(?: the| their| its)*(?: (?:number|count|amount) of)?'

/** What is said of an order is taken as a whole; a word of it that is not understood stays. */
export function sorting(reading: Reading, plan: Plan, fields: readonly Field[]): void {
  // groups begin with the largest anyway
  if (plan.groupBy) take(reading, BIGGEST_FIRST)
  if (plan.groupBy || says(reading, /totals?|sum|average|avg|mean|median|how much|weighted/)) return
  if (byName(reading, plan)) return
  const isAsked = says(reading, /sort(?:ed)?|order(?:ed)? by|in (?:the )?order of|rank(?:ed)?|arranged?/)
  const direction = take(reading, FIRST) ?? take(reading, DIRECTIONS)
  const isSaid = isAsked || direction !== undefined
  const named = fields.filter(
    field =>
      says(reading, `${SORTED} (?:${field.said.source})`) &&
      (isSaid || isFigure(reading, field) || says(reading, `${SORTED} (?:${field.said.source})(?<= dates?)`)),
  )
  // "the biggest customers by headcount" are not all of them
  const isSome = direction === undefined && !isAsked && says(reading, new RegExp(`${DOWN}|${UP}|bottom|best`))
  if ((isSome || named.length === 0) && direction === undefined) return
  const field = named[0] ?? meant(plan, fields, direction ?? '')
  if (!field || isSome) return
  if (named[0]) take(reading, `${SORTED} (?:${field.said.source})`)
  take(reading, /(?<=^ )(?:sort|rank|order|arrange)|in order/)
  plan.order = {
    by: field.value(reading.ctx),
    label: field.label,
    type: field.type,
    descending: isDown(direction, field),
    limit: 1,
    isWhole: true,
  }
  if (!plan.shown.includes(field)) plan.shown.push(field)
}

/** "sorted by name", "alphabetically" */
function byName(reading: Reading, plan: Plan): boolean {
  const column = { deal: 'name', company: 'name', contact: 'full_name', activity: 'subject', note: 'title' }[
    plan.entity
  ]
  const whole = plan.entity === 'contact' ? '(?:(?:full|first|last) |sur)?' : '(?:company |deal )?'
  const said = take(
    reading,
    `(?:sort(?:ed)? |order(?:ed)? |list(?:ed)? )?(?:by|in order of)(?: the| their)? ${whole}names?|(?:in )?alphabetical(?:ly)?(?: order)?(?: by name)?`,
  )
  if (said === undefined) return false
  take(reading, /(?<=^ )(?:sort|order)|sorted|ordered/)
  const part = /last|sur/.test(said) ? 'last_name' : /first/.test(said) ? 'first_name' : column
  plan.order = {
    by: sql`lower(r.${sql.ref(part)})`,
    label: 'name',
    type: 'text',
    descending: false,
    limit: 1,
    isWhole: true,
  }
  return true
}

/** "lost by price" tells why. */
const isFigure = (reading: Reading, field: Field): boolean =>
  isNumeric(field) && !says(reading, /los[et]|losing/)

const isDown = (direction: string | undefined, field: Field): boolean =>
  direction === undefined
    ? isNumeric(field)
    : /^desc|in desc|from (?:high|large|big)/.test(direction) ||
      (!/^asc|in asc|from (?:low|small)/.test(direction) &&
        new RegExp(`(?:^| )(?:${DOWN}) `).test(`${direction} `))

/** No field is named: the newest are so by their date, the biggest by what such records are measured by. */
function meant({ entity }: Plan, fields: readonly Field[], direction: string): Field | undefined {
  const of = (key: string) => fields.find(field => field.key === key)
  if (/latest|newest|oldest|most recent/.test(direction))
    return entity === 'activity' ? of('when') : of('created_at')
  if (/soonest|earliest|nearest|next/.test(direction))
    return entity === 'deal' ? of('expected_close_date') : entity === 'activity' ? of('when') : undefined
  return of('amount') ?? of('employee_count')
}
