/** What has the most or the least of something: records by a field or by their related records, and groups. */
import { Costly } from '../chart.ts'
import { type FieldMeaning, narrowed, on, type Records, whole } from '../meaning.ts'
import { ruleSet } from './build.ts'
import {
  after,
  byCount,
  count,
  type Direction,
  first,
  grouped,
  isNumeric,
  ranked,
  type Wanted,
} from './shared.ts'

export const STAFF: FieldMeaning = { entity: 'company', field: 'employee_count', type: 'number' }
const CUSTOMER: FieldMeaning = { entity: 'deal', field: 'company.name', type: 'text' }

export const mostRules = ruleSet(rule => {
  for (const [word, many, direction] of [
    ['Most', 'MostMany', 'desc'],
    ['Least', 'LeastMany', 'asc'],
  ] as const) {
    rule(`Wanted = Ask *Records Have|Holds ${word} Count? *Field`, 0, (of, field) =>
      mostOf(of, field, direction),
    )
    rule(`Wanted = *Records Have ${word} *Field`, 0.2, (of, field) => mostOf(of, field, direction))
    rule(`Wanted = *Number *Records Have ${word} *Field`, 0, (limit, of, field) =>
      mostOf(of, field, direction, limit.value),
    )
    rule(`Wanted = Who Have|Holds ${word} *Field`, 0.1, field =>
      field.field.startsWith('cf.')
        ? mostOf({ entity: field.entity, where: [] }, field, direction)
        : undefined,
    )
    rule(`Wanted = Ask *Records Employ ${word} Staff`, 0, of => mostOf(of, STAFF, direction))
    // "which company has the most open deals", "which contact has been in the fewest meetings"
    rule(
      `Wanted = Preposition? Ask *Noun|Records Have|Be|Exists? Have|Attend|Exists *Skipped? ${many} *Records Preposition?`,
      0,
      (host, skipped, of) => after(byCount(host, of, direction, 1), skipped),
    )
    rule(`Wanted = *Number *Records Have ${many} *Records`, 0, (limit, host, of) =>
      limit.isMoney ? undefined : byCount(host, of, direction, limit.value),
    )
    rule(
      `Wanted = Preposition? AskField *Field Exists|Have|Be *Skipped ${many} *Records Preposition?`,
      0,
      (field, skipped, of) =>
        direction === 'desc' ? after(first(grouped(count(of), field), direction), skipped) : undefined,
    )
    // "in which country do we have the most customers", "which stage has the most money"
    rule(
      `Wanted = Preposition? AskField *Field Exists|Have|Be ${many} *Records Preposition?`,
      0,
      (field, of) =>
        // of what has none the least is not seen among the groups
        direction === 'desc' ? topGroup(count(of), field, direction) : undefined,
    )
    rule(
      `Wanted = Preposition? AskField *Number *Field Exists|Have|Be ${many} *Records Preposition?`,
      0,
      (limit, field, of) => {
        const all = grouped(count(of), field)
        return all && first(all, direction, limit.value)
      },
    )
  }
  // "which company has the biggest open deal": the deal, with its company
  rule('Wanted = Ask *Noun|Records Have *Superlative *Records', 0, (host, order, of) => {
    const where = whole(host.where)
    const such = where ? narrowed(of, on(of.entity, { entity: host.entity, where })) : of
    const isCompany = host.entity === 'company' && of.entity === 'deal' && !of.isMany
    const first =
      such && isCompany ? after(ranked(such, order.field, order.direction, 1), order.skipped) : undefined
    return first && { ...first, show: CUSTOMER }
  })
  // "in which country are most of our customers", "which type do we lose most often"
  rule('Wanted = Preposition? AskField *Field Do|Be MostOf *Records Preposition|Located?', 0, (field, of) =>
    topGroup(count(of), field, 'desc'),
  )
})

export const mostOf = (
  of: Records,
  field: FieldMeaning,
  direction: Direction,
  limit = 1,
): Wanted | undefined => (isNumeric(field) ? ranked(of, field, direction, limit) : undefined)

function topGroup(wanted: Wanted | undefined, field: FieldMeaning, direction: Direction): Costly | undefined {
  const top = wanted && first(grouped(wanted, field), direction)
  // the city of the contact before that of its company; companies are records before they are a field
  const isOwn = field.entity === top?.of.entity && field.field !== 'company.name'
  return top && new Costly(top, isOwn ? 0 : 0.5)
}
