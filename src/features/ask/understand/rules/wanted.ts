/** What is wanted of a set of records: all of them, how many, a figure, a figure for each of something. */
import type { Bucket } from '../../../records/query/spec.ts'
import { Costly } from '../chart.ts'
import { type FieldMeaning, narrowed, on, type Records, relationTo } from '../meaning.ts'
import { ruleSet } from './build.ts'
import {
  AMOUNT,
  count,
  countable,
  dated,
  grouped,
  list,
  measured,
  OWNER,
  type Time,
  type Wanted,
} from './shared.ts'

export const wantedRules = ruleSet(rule => {
  rule('Wanted = *Records', 0.3, list)
  rule('Wanted = Ask All? *Records', 0, list)
  rule('Wanted = AskWho All? *Records', 0, of =>
    of.entity === 'contact' || of.entity === 'company' ? list(of) : undefined,
  )
  rule('Wanted = All *Records', 0.3, list)
  // "for which companies", "with which contacts"
  rule('Wanted = Preposition Ask *Records', 0.1, list)
  rule('Wanted = Exists *Records', 0, of => ({ ...list(of), isYesNo: true }))
  rule('Wanted = Count All? *Records', 0, count)
  for (const [word, kind] of [
    ['Average', 'avg'],
    ['Median', 'median'],
    ['Sum', 'sum'],
  ] as const) {
    const figure = (field: FieldMeaning, of: Records | undefined) => of && measured(kind, field, of)
    rule(`Wanted = ${word} Of|Count? *Field Of|Preposition All? *Records`, 0, figure)
    rule(`Wanted = ${word} *Records *Field`, 0.1, (of, field) => figure(field, of))
    // "total pallets per week": of all companies
    rule(`Wanted = ${word} Count? *Field`, 0.3, field =>
      isCounted(field) ? figure(field, { entity: field.entity, where: [] }) : undefined,
    )
    rule(`Wanted = ${word} Count? *Adjective *Field`, 0.3, (about, field) =>
      isCounted(field)
        ? figure(field, narrowed({ entity: field.entity, where: [] }, on(field.entity, about)))
        : undefined,
    )
    // "average number of boilers per customer"
    rule(`Wanted = ${word} Count? *Field Per *Records`, 0.2, (field, of) =>
      word === 'Average' ? figure(field, of) : undefined,
    )
    rule(`Wanted = ${word} *Records *Field *Condition`, 0.2, (of, field, about) =>
      figure(field, narrowed(of, on(of.entity, about))),
    )
  }
  // "the average number of contacts per company"
  rule('Wanted = Average Count *Records Per *Noun|Records', 0, perRecord)
  rule('Wanted = Average? Count *Records Exists? Per *Noun|Records Average', 0, perRecord)
  rule('Wanted = *Field Of *Records', 0.4, (field, of) =>
    field.field === 'amount' ? measured('sum', field, of) : undefined,
  )
  rule('Wanted = Sum Of? All? *Records ForMe?', 0.2, of => measured('sum', AMOUNT, of))
  rule('Wanted = HowMuch|Ask Be|Do All? *Records Worth', 0, of => measured('sum', AMOUNT, of))
  rule('Wanted = *Wanted And? TheyWorth', 0.2, wanted =>
    wanted.order || !['count', 'list'].includes(wanted.measure.kind)
      ? undefined
      : withMeasure(wanted, measured('sum', AMOUNT, wanted.of)),
  )
  rule('Wanted = *Wanted And Article? Average *Field', 0.2, (wanted, field) =>
    wanted.group && wanted.measure.kind === 'count'
      ? withMeasure(wanted, measured('avg', field, wanted.of))
      : undefined,
  )
  // "and in which stages are they", "and whose are they"
  rule('Wanted = *Wanted And Preposition? AskField *Field Be They', 0, (wanted, field) =>
    grouped(wanted, field),
  )
  rule('Wanted = *Wanted And WhoseAre They', 0, wanted => {
    const owner = OWNER[wanted.of.entity]
    return owner && grouped(wanted, owner)
  })
  rule('Records = *Records Including *Condition Pronoun?', 0.2, of =>
    of.where.length === 0 ? of : undefined,
  )
  rule('Wanted = HowBig Be *Records Average?', 0.1, of => measured('avg', AMOUNT, of))
  // a figure that records have, added up: "how many boilers do our customers have"
  rule('Wanted = Count *Field Do|Have All? *Records Holds?', 0, (field, of) => measured('sum', field, of))
  rule('Wanted = Count *Field Do|Have All? *Records Holds? Average', 0, (field, of) =>
    measured('avg', field, of),
  )
  rule('Wanted = Count *Field *Condition', 0.3, (field, about) => {
    const of = isCounted(field)
      ? narrowed({ entity: field.entity, where: [] }, on(field.entity, about))
      : undefined
    return of && measured('sum', field, of)
  })
  rule('Wanted = *Field Per *Field', 0.3, (field, by) => {
    const sum = isCounted(field) ? measured('sum', field, { entity: field.entity, where: [] }) : undefined
    return sum && grouped(sum, by)
  })
  // "how many days did we sell in the deals won in 2026"
  rule('Wanted = Count *Field *Happened Preposition|Of All? *Records', 0, (field, action, of) => {
    const isSaid = JSON.stringify(of.where).includes(JSON.stringify(action.where).slice(1, -1))
    const such = isSaid ? of : narrowed(of, on(of.entity, action))
    return such && measured('sum', field, such)
  })
  rule('Wanted = Count *Field Exists? Preposition|Of All? *Records', 0, (field, of) =>
    measured('sum', field, of),
  )
  rule('Wanted = Ask Be? *Wanted', 0.1, wanted => wanted)
  rule('Wanted = Article *Wanted', 0.1, wanted => wanted)
  rule('Wanted = *Wanted Be? Per Article? *Field', 0.4, (wanted, field) => {
    const each = grouped(wanted, field)
    // the city of the contact before that of its company
    return each && new Costly(each, field.entity === wanted.of.entity ? 0 : 0.5)
  })
  rule('Wanted = *Wanted Per *Bucket', 0.4, bucketed)
  rule('Wanted = *Wanted Preposition? *Time', 0.4, inTime)
  // "for Northfold: open deals by stage", "in Germany, how many deals are open"
  rule('Wanted = Preposition *Value|Values *Wanted', 0.8, (about, wanted) => {
    const of =
      wanted.limit === undefined && !wanted.order
        ? narrowed(wanted.of, on(wanted.of.entity, about))
        : undefined
    return of && { ...wanted, of }
  })
})

/** How many related records there are of each, on average. */
function perRecord(of: Records, host: Records): Wanted | undefined {
  const relation = of.where.length === 0 ? relationTo(host.entity, of.entity) : undefined
  return relation === undefined
    ? undefined
    : { of: host, measure: { kind: 'avg', field: `${relation}.count` } }
}

/** A number that records have so many of, which is said without naming the records: "average NPS". */
const isCounted = ({ field }: FieldMeaning): boolean => field.startsWith('cf.') || field === 'employee_count'

const withMeasure = (wanted: Wanted, figure: Wanted | undefined): Wanted | undefined =>
  figure && { ...wanted, measure: figure.measure }

/** By the month of what happened to them, which the conditions tell: won deals by when they were closed. */
function bucketed(wanted: Wanted, bucket: Bucket): Wanted | undefined {
  if (wanted.group !== undefined || wanted.order) return undefined
  const field = dateOf(wanted.of)
  if (field === undefined) return undefined
  const where = [...wanted.of.where, { field, op: 'is_null' as const, value: false }]
  return { ...wanted, of: { ...wanted.of, where }, measure: countable(wanted), group: { field, bucket } }
}

/** "won deals per quarter this year" */
function inTime(wanted: Wanted, time: Time): Wanted | undefined {
  const field = wanted.group?.bucket ? wanted.group.field : undefined
  const about = field && dated({ entity: wanted.of.entity, where: { and: [] }, date: field }, time)
  const of = about ? narrowed(wanted.of, about.where) : undefined
  return of && { ...wanted, of }
}

function dateOf({ entity, where }: Records): string | undefined {
  if (entity === 'activity') return 'when'
  if (entity !== 'deal') return undefined
  const text = JSON.stringify(where)
  if (/"(?:won|lost)"|closed_at/.test(text)) return 'closed_at'
  return /"open"|expected_close_date/.test(text) ? 'expected_close_date' : undefined
}
