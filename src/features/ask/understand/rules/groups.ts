/** Figures for each of something, ordered or compared: "top 2 countries by open pipeline", "stages with more than 2 deals". */
import type { Bucket } from '../../../records/query/spec.ts'
import { type About, type FieldMeaning, narrowed, on, type Records } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import { ruleSet } from './build.ts'
import {
  AMOUNT,
  type Comparator,
  count,
  DEALS,
  type Direction,
  dated,
  first,
  grouped,
  havingOf,
  measured,
  modified,
  OPEN,
  type Superlative,
  type Time,
  type Wanted,
  WEIGHTED,
} from './shared.ts'

const WON = { field: 'status', op: 'eq', value: 'won' } as const

export const groupRules = ruleSet(rule => {
  // a figure without a noun for the deals: "won amount", "amount won", "total value", "open pipeline"
  rule('Figure = Sum? *Adjective MoneyNoun|Field', 0.1, (about: About) => sumOf(about))
  rule('Figure = Sum? Field|MoneyNoun *State', 0.1, sumOf)
  rule('Figure = Sum *Adjective', 0.2, sumOf)
  rule('Figure = Sum? *Field', 0.2, (field: FieldMeaning) =>
    field.field === 'amount' ? measured('sum', field, DEALS) : undefined,
  )
  // revenue may be that of the companies; what is open is no sale
  rule('Figure = *MoneyNoun', 0.3, (word: string) =>
    ['money', 'volume'].includes(word) ? measured('sum', AMOUNT, DEALS) : undefined,
  )
  rule('Figure = Sales', 0, () => measured('sum', AMOUNT, { ...DEALS, where: [WON] }))
  rule('Figure = Sum? *OpenDeals', 0, (of: Records) => measured('sum', AMOUNT, of))
  rule('Figure = Count? *Records', 0.3, count)
  rule('Wanted = *Figure Preposition? *Time', 0.3, (figure: Wanted, time: Time) => {
    const of = /"(?:won|lost)"/.test(JSON.stringify(figure.of.where)) ? when(figure.of, time) : undefined
    return of && figure.measure.kind === 'sum' ? { ...figure, of } : undefined
  })
  rule('Figure = Article *Figure', 0.1, (figure: Wanted) => figure)
  rule('Wanted = Ask? *Figure Per Article? *Field', 0.2, (figure: Wanted, field: FieldMeaning) =>
    figure.measure.kind === 'sum' ? grouped(figure, field) : undefined,
  )
  rule('Wanted = Sort|Ask Article? *Field Per *Figure', 0, (field: FieldMeaning, figure: Wanted) =>
    grouped(figure, field),
  )
  for (const [word, direction] of [
    ['Top', 'desc'],
    ['Bottom', 'asc'],
  ] as const) {
    rule(
      `Wanted = ${word} *Number *Field Per *Figure`,
      0,
      (limit: Quantity, field: FieldMeaning, figure: Wanted) =>
        first(grouped(figure, field), direction, limit.value),
    )
    rule(`Wanted = *Wanted ${word} *Number`, 0.1, (wanted: Wanted, limit: Quantity) =>
      wanted.limit === undefined ? first(wanted, direction, limit.value) : undefined,
    )
  }
  for (const [word, direction] of [
    ['Most', 'desc'],
    ['Least', 'asc'],
  ] as const) {
    rule(
      `Wanted = AskField? *Field Have|Brings ${word} *Figure`,
      0.1,
      (field: FieldMeaning, figure: Wanted) =>
        figure.measure.kind === 'sum' ? first(grouped(figure, field), direction) : undefined,
    )
  }
  rule(
    'Wanted = AskField *Bucket *Time Have Most *Figure',
    0,
    (bucket: Bucket, time: Time, figure: Wanted) => {
      const of = when(figure.of, time)
      const wanted = of && { ...figure, of, group: { field: 'closed_at', bucket } }
      return wanted && first(wanted, 'desc')
    },
  )
  rule('Wanted = MostCommon *Field', 0, (field: FieldMeaning) =>
    field.type === 'text'
      ? first(grouped(count({ entity: field.entity, where: [] }), field), 'desc')
      : undefined,
  )
  // "industries where we have more than one customer", "stages with more than 2 deals"
  rule('Wanted = Ask? *Field Whose|Have|That Exists? *Comparison *Records', 0.1, ofGroups)
  // the other way round
  rule('Wanted = *Wanted *Superlative First', 0.1, (wanted: Wanted, order: Superlative) =>
    reordered(wanted, order),
  )
  rule('Wanted = *Wanted *Direction', 0.2, (wanted: Wanted, direction: Direction) =>
    wanted.group && !wanted.order ? { ...wanted, order: { by: 'measure', direction } } : undefined,
  )
  // what is expected, and what was sold
  rule('Wanted = Forecast', 0.1, () => measured('sum', WEIGHTED, { ...DEALS, where: [OPEN] }))
  rule('Wanted = Forecast Preposition? *Time', 0, (time: Time) => expected(time, WEIGHTED))
  rule('Wanted = HowMuch CouldBringIn *Time IfAllClose?', 0, (time: Time) => expected(time, AMOUNT))
  rule('Wanted = Sales Preposition? *Time', 0, (time: Time) => {
    const of = when({ ...DEALS, where: [WON] }, time)
    return of && measured('sum', AMOUNT, of)
  })
})

function sumOf(about: About): Wanted | undefined {
  const of = about.entity === 'deal' || about.entity === 'company' ? modified(DEALS, about) : undefined
  return of ? measured('sum', AMOUNT, of.meaning as Records) : undefined
}

/** By when they were closed. */
function when(of: Records, time: Time): Records | undefined {
  const about = dated({ entity: 'deal', where: { and: [] }, date: 'closed_at' }, time)
  return about && narrowed(of, on('deal', about))
}

function expected(time: Time, field: FieldMeaning): Wanted | undefined {
  const about = dated({ entity: 'deal', where: OPEN, date: 'expected_close_date' }, time)
  return about && measured('sum', field, { ...DEALS, where: [about.where] })
}

function ofGroups(field: FieldMeaning, comparison: readonly Comparator[], of: Records): Wanted | undefined {
  // companies with more than 2 deals are companies
  const isCount = field.field !== 'company.name' && comparison.every(({ quantity }) => !quantity.isMoney)
  return isCount ? havingOf(grouped(count(of), field), comparison) : undefined
}

function reordered(wanted: Wanted, { field, direction }: Superlative): Wanted | undefined {
  if (wanted.order || wanted.limit !== undefined) return undefined
  if (wanted.group) return { ...wanted, order: { by: 'measure', direction } }
  if (wanted.measure.kind !== 'list' || field.entity !== wanted.of.entity) return undefined
  return { ...wanted, order: { by: field.field, direction } }
}
