/** How phrases combine. A word that has no place in a rule leaves the question without a parse: nothing is dropped. */
import type { Condition, Measure, Order, Query } from '../../query/spec.ts'
import type { EntityName } from '../lexicon/types.ts'
import { Costly, type Rule } from './chart.ts'
import {
  type About,
  both,
  type Clause,
  clauseOn,
  type FieldMeaning,
  isRelated,
  liftCost,
  type Meaning,
  narrowed,
  negated,
  on,
  type Records,
  union,
  whole,
} from './meaning.ts'
import type { Quantity } from './numbers.ts'

type Comparator = { op: 'gt' | 'gte' | 'lt' | 'lte' | 'eq'; quantity: Quantity }
type Span = { from: string | null; to: string | null }
type Time = { past: Span; future: Span }
/** A sentence before it becomes a query. */
interface Wanted {
  of: Records
  measure: Measure
  group?: string
  order?: Order
  limit?: number
}

const rules: Rule[] = []

/** `rule('Condition = Not Condition', 0.4, (_, about) => …)`; the cost makes the simpler reading win. */
function rule(form: string, cost: number, combine: (...meanings: never[]) => unknown): void {
  const [category = '', parts = ''] = form.split(' = ')
  rules.push({ category, parts: parts.split(' '), combine, cost })
}

// ---- conditions

// An adjective can stand before a noun ("open deals"), other conditions only after it ("deals in Berlin").
rule('Adjective = Value', 0, (value: About) => value)
rule('Adjective = State', 0, ({ date: _, ...state }: About) => state)
rule('Adjective = Values', 0, (values: About) => values)
rule('Adjective = Not Adjective', 0.4, (_: never, about: About) => negated(about))
rule(
  'Adjective = Adjective Or Adjective',
  0.4,
  (a: About, _: never, b: About) =>
    // "customers in France or prospects in Spain" are two sets, not customers in one of two cases
    union(a, b) ?? new Costly(both('or', a, b), 1),
)
rule('Adjective = Either Adjective Or Adjective', 0.3, (_: never, a: About, __: never, b: About) =>
  both('or', a, b),
)
rule('Adjective = Neither Adjective Or Adjective', 0, (_: never, a: About, __: never, b: About) =>
  neither(a, b),
)
rule('Condition = Adjective', 0, (about: About) => about)
rule('Values = Value Or Value', -0.5, (a: About, _: never, b: About) => union(a, b))
rule('Values = Values Or Value', -0.5, (a: About, _: never, b: About) => union(a, b))
rule('Values = Either Value Or Value', -0.6, (_: never, a: About, __: never, b: About) => union(a, b))
// "in Germany and France": a record has one country, so a list of values means any of them
rule('Values = Value And Value', -0.3, (a: About, _: never, b: About) => listed(a, b))
rule('Values = Values And Value', -0.3, (a: About, _: never, b: About) => listed(a, b))
rule('Condition = Preposition Condition', 0.2, (word: string, about: About) => placed(word, about))
rule('Condition = Preposition Article Condition', 0.2, (word: string, _: never, about: About) =>
  placed(word, about),
)
rule('Condition = OwnedBy Value', 0, (_: never, about: About) => (isOwner(about) ? about : undefined))
rule('Condition = Condition Suffix', 0.2, (about: About) => about)
rule('Condition = Have Condition', 0.3, (_: never, about: About) => about)
rule('Condition = Have Article Condition', 0.3, (_: never, __: never, about: About) => about)
rule('Condition = Be Condition', 0.1, (_: never, about: About) => about)
rule('Condition = That Condition', 0.1, (_: never, about: About) => about)
rule('Condition = We Condition', 0.2, (_: never, about: About) => about)
rule('Condition = Not Condition', 0.4, (_: never, about: About) =>
  // "not in Germany and in Energy": the negation is of the first alone
  'and' in about.where ? new Costly(negated(about), 1) : negated(about),
)
rule('Condition = Neither Condition Or Condition', 0, (_: never, a: About, __: never, b: About) =>
  neither(a, b),
)
rule('Condition = Not Condition Or Condition', 0.5, (_: never, a: About, __: never, b: About) =>
  neither(a, b),
)
rule('Condition = Either Condition Or Condition', 0.3, (_: never, a: About, __: never, b: About) =>
  both('or', a, b),
)
rule('Condition = Both Condition And Condition', 0.3, (_: never, a: About, __: never, b: About) =>
  both('and', a, b),
)
rule('Condition = Condition Or Condition', 1.2, (a: About, _: never, b: About) => both('or', a, b))
rule('Condition = Condition And Condition', 1.2, (a: About, _: never, b: About) => both('and', a, b))
rule('Condition = Condition But Condition', 1.2, (a: About, _: never, b: About) => both('and', a, b))
rule('Condition = State Time', 0, (state: About, time: Time) => dated(state, time))
rule('Condition = State Preposition Time', 0.1, (state: About, _: never, time: Time) => dated(state, time))
rule('Condition = Dated Time', 0, (about: About, time: Time) => dated(about, time))
rule('Condition = Dated Preposition Time', 0.1, (about: About, _: never, time: Time) => dated(about, time))

const PLACES = ['country', 'city', 'state']

/** One is in a country or from it; "the CFO of Germany" is not a CFO in Germany. */
const placed = (word: string, about: About): About | undefined =>
  /^(?:of|for|by|to)$/.test(word) && 'field' in about.where && PLACES.includes(about.where.field)
    ? undefined
    : about

/** Dates that lie ahead: "closing in March" is the next March. */
const PLANNED: ReadonlySet<string> = new Set(['expected_close_date', 'planned_at', 'when'])

const neither = (a: About, b: About) => {
  const either = union(a, b) ?? both('or', a, b)
  return either && negated(either)
}

function listed(a: About, b: About): About | undefined {
  const one = union(a, b)
  const field = one && 'field' in one.where ? one.where.field : ''
  // a record can have several tags: "tagged VIP and urgent" means both
  return field === 'categories' ? undefined : one
}

const boundsOf = (field: string, { from, to }: Span) => [
  ...(from === null ? [] : [{ field, op: 'gte' as const, value: from }]),
  ...(to === null ? [] : [{ field, op: 'lt' as const, value: to }]),
]

function dated({ entity, where, date, isState }: About, time: Time): About | undefined {
  if (date === undefined) return undefined
  const { from, to } = PLANNED.has(date) ? time.future : time.past
  const bounds = boundsOf(date, { from, to })
  const all = 'and' in where && where.and.length === 0 ? bounds : [where, ...bounds]
  return all.length === 0 ? undefined : { entity, where: { and: all }, ...(isState ? { isState } : {}) }
}

// ---- comparisons

const COMPARATORS = { More: 'gt', AtLeast: 'gte', Less: 'lt', AtMost: 'lte', Exactly: 'eq' } as const
for (const [word, op] of Object.entries(COMPARATORS)) {
  rule(`Comparison = ${word} Number`, 0, (_: never, quantity: Quantity) => [{ op, quantity }])
}
rule('Comparison = Between Number And Number', -0.5, (_: never, low: Quantity, __: never, high: Quantity) => [
  { op: 'gte', quantity: low },
  { op: 'lte', quantity: high },
])
rule('Comparison = Comparison But Comparison', 0, (a: Comparator[], _: never, b: Comparator[]) => [
  ...a,
  ...b,
])
rule('Comparison = Comparison And Comparison', 0, (a: Comparator[], _: never, b: Comparator[]) => [
  ...a,
  ...b,
])
rule('Condition = Comparison Field', 0, (comparison: Comparator[], field: FieldMeaning) =>
  compared(field, comparison),
)
rule('Condition = Field Comparison', 0, (field: FieldMeaning, comparison: Comparator[]) =>
  compared(field, comparison),
)
rule('Condition = Field Be Comparison', 0, (field: FieldMeaning, _: never, comparison: Comparator[]) =>
  compared(field, comparison),
)
rule('Condition = Article Field Comparison', 0.1, (_: never, field: FieldMeaning, comparison: Comparator[]) =>
  compared(field, comparison),
)
rule('Condition = Worth Comparison', 0, (_: never, comparison: Comparator[]) => compared(AMOUNT, comparison))
rule('Condition = Comparison', 0.5, (comparison: Comparator[]) =>
  comparison.every(({ quantity }) => quantity.isMoney) ? compared(AMOUNT, comparison) : undefined,
)
rule('Condition = Comparison Or Comparison', 0.3, (a: Comparator[], _: never, b: Comparator[]) =>
  [...a, ...b].every(({ quantity }) => quantity.isMoney)
    ? both('or', compared(AMOUNT, a) as About, compared(AMOUNT, b) as About)
    : undefined,
)
rule('FieldPhrase = Field', 0, (field: FieldMeaning) => field)
rule('FieldPhrase = Article Field', 0.1, (_: never, field: FieldMeaning) => field)
rule('Condition = Lack FieldPhrase', 0.2, (_: never, field: FieldMeaning) => empty(field, true))
rule(
  'Condition = Lack FieldPhrase Or FieldPhrase',
  0.2,
  (_: never, a: FieldMeaning, __: never, b: FieldMeaning) => bothEmpty(a, b),
)
rule(
  'Condition = Have Neither FieldPhrase Or FieldPhrase',
  0,
  (_: never, __: never, a: FieldMeaning, ___: never, b: FieldMeaning) => bothEmpty(a, b),
)
rule('Condition = Have Field', 0.6, (_: never, field: FieldMeaning) => empty(field, false))
rule('Condition = Whose Field Be Condition', 0.2, (_: never, field: FieldMeaning, __: never, about: About) =>
  ofField(field, about),
)
rule(
  'Condition = Whose Field Be Not Condition',
  0.2,
  (_: never, field: FieldMeaning, __: never, ___: never, about: About) => {
    const same = ofField(field, about)
    return same && negated(same)
  },
)
rule('Condition = Whose Condition', 0.3, (_: never, about: About) => about)

const AMOUNT: FieldMeaning = { entity: 'deal', field: 'amount', type: 'money' }

function compared({ entity, field, type }: FieldMeaning, comparison: Comparator[]): About | undefined {
  if (type !== 'number' && type !== 'money') return undefined
  const where = whole(comparison.map(({ op, quantity }) => ({ field, op, value: quantity.value })))
  return where && { entity, where }
}

const empty = ({ entity, field }: FieldMeaning, isEmpty: boolean): About => ({
  entity,
  where: { field, op: 'is_null', value: isEmpty },
})

const bothEmpty = (a: FieldMeaning, b: FieldMeaning) => both('and', empty(a, true), empty(b, true))

const ofField = ({ entity, field }: FieldMeaning, about: About): About | undefined =>
  about.entity === entity && 'field' in about.where && about.where.field === field ? about : undefined

// ---- records

rule('Records = Noun', 0, (records: Records) => records)
rule('Records = Article Records', 0.1, (_: never, records: Records) => records)
rule('Records = Adjective Records', 0.5, (about: About, records: Records) => {
  // before a noun only what the company is can stand for the record: "German deals", not "CFO companies"
  if (about.entity !== 'company' && liftCost(records.entity, about) > 0) return undefined
  const meaning = modified(records, about)
  // "open deals in Germany or lost deals": what comes first is said of the first alone
  const [only] = records.where
  return meaning && only && 'or' in only ? new Costly(meaning.meaning, meaning.extra + 0.8) : meaning
})
rule('Records = Records Condition', 0.6, (records: Records, about: About) => modified(records, about))
rule('Records = Records And Condition', 1.1, (records: Records, _: never, about: About) =>
  records.where.length > 0 ? modified(records, about) : undefined,
)
rule('Records = Records Or Condition', 1, (records: Records, _: never, about: About) => {
  const meaning = alternative(records, on(records.entity, about))
  return meaning && new Costly(meaning, liftCost(records.entity, about))
})
rule('Records = Records Or Clause', 1.1, (records: Records, _: never, clause: Clause) =>
  alternative(records, clauseOn(records.entity, clause)),
)
rule('Records = Records Or Records', 1, (a: Records, _: never, b: Records) => {
  const [left, right] = [whole(a.where), whole(b.where)]
  return a.entity === b.entity && left && right
    ? { entity: a.entity, where: [{ or: [left, right] }] }
    : undefined
})
rule('Records = Records Clause', 0.6, (records: Records, clause: Clause) => described(records, clause))
rule('Records = Records Exists', 0.1, (records: Records) => records)
rule('Records = Records And Clause', 1.1, (records: Records, _: never, clause: Clause) =>
  narrowed(records, clauseOn(records.entity, clause)),
)
rule('Records = Records But Clause', 1.1, (records: Records, _: never, clause: Clause) =>
  narrowed(records, clauseOn(records.entity, clause)),
)
rule('Except = Except Pronoun', 0, () => true)
rule('Records = Records Except Condition', 0.4, (records: Records, _: never, about: About) =>
  modified(records, negated(about)),
)
rule('Records = Records Except Records', 0.4, (records: Records, _: never, other: Records) => {
  const where = whole(other.where)
  return other.entity === records.entity && where ? narrowed(records, { not: where }) : undefined
})
rule('Records = Only Records', 0.4, (_: never, records: Records) =>
  records.where.length > 0 ? records : undefined,
)

/**
 * "CFOs of companies in Norway", "customers in France or customers in Norway": what follows a clause or an
 * alternative is said of the last records.
 */
const AFTER_CLAUSE_COST = 0.5

function afterClause({ where }: Records): number {
  const last = where.at(-1)
  return isRelated(last) || (last && 'or' in last) ? AFTER_CLAUSE_COST : 0
}

function modified(records: Records, about: About): Costly | undefined {
  const meaning = narrowed(records, on(records.entity, about))
  return meaning && new Costly(meaning, liftCost(records.entity, about) + afterClause(records))
}

function described(records: Records, clause: Clause): Costly | undefined {
  const meaning = narrowed(records, clauseOn(records.entity, clause))
  return meaning && new Costly(meaning, afterClause(records))
}

/** "deals in Proposal or over 10k": the alternative is to the last thing said. */
function alternative(records: Records, where: ReturnType<typeof whole>): Records | undefined {
  const last = records.where.at(-1)
  // with several conditions before it, it cannot be told which one it is an alternative to
  if (!where || !last || records.where.length !== 1) return undefined
  // "not owned by Mia or in France": neither
  return { ...records, where: ['not' in last ? { not: { or: [last.not, where] } } : { or: [last, where] }] }
}

// ---- clauses about related records

rule('Clause = Have Records', 0.3, (_: never, of: Records) => ({ kind: 'some', of }))
// "the biggest customer by won deals" is a ranking
rule('Clause = Preposition Records', 0.4, (word: string, of: Records) =>
  word === 'by' ? undefined : { kind: 'some', of },
)
rule('Clause = That Clause', 0.1, (_: never, clause: Clause) => clause)
rule('Clause = Lack Records', 0.3, (_: never, of: Records) => ({ kind: 'none', of }))
rule('Clause = Not Clause', 0.4, (_: never, clause: Clause) =>
  clause.kind === 'some' ? { ...clause, kind: 'none' } : undefined,
)
rule(
  'Clause = Have Both Condition And Condition Noun',
  0,
  (_: never, __: never, a: About, ___: never, b: About, of: Records) => twoClauses(a, b, of),
)
rule('Clause = Have Comparison Records', 0, (_: never, comparison: Comparator[], of: Records) =>
  counted(comparison, of),
)
rule('Clause = Have Number Records', 0.2, (_: never, quantity: Quantity, of: Records) =>
  counted([{ op: 'eq', quantity }], of),
)
rule('Clause = Have Only Records', 0, (_: never, __: never, of: Records) => onlySuch(of))
rule('Clause = Only Have Records', 0, (_: never, __: never, of: Records) => onlySuch(of))
rule('Clause = Whose Noun Be All Condition', 0, (_: never, of: Records, __: never, ___: never, each: About) =>
  every(of, each),
)
rule(
  'Clause = Whose Noun Be Only Condition',
  0,
  (_: never, of: Records, __: never, ___: never, each: About) => every(of, each),
)
rule('Clause = AllOfWhose Noun Condition', 0, (_: never, of: Records, each: About) => every(of, each))
rule('Clause = Have All Noun Condition', 0, (_: never, __: never, of: Records, each: About) =>
  every(of, each),
)
rule(
  'Clause = Have All Article Noun Condition',
  0,
  (_: never, __: never, ___: never, of: Records, each: About) => every(of, each),
)
rule('Clause = Whose All Noun Condition', 0, (_: never, __: never, of: Records, each: About) =>
  every(of, each),
)

/** "both open and won deals": one of each. */
function twoClauses(a: About, b: About, of: Records): Clause | undefined {
  const [first, second] = [on(of.entity, a), on(of.entity, b)]
  if (!first || !second) return undefined
  return {
    kind: 'some',
    of: { ...of, where: [...of.where, first] },
    also: { ...of, where: [...of.where, second] },
  }
}

const every = (of: Records, each: About): Clause | undefined =>
  on(of.entity, each) ? { kind: 'every', of, each } : undefined

/** "companies with only won deals": all their deals are such. */
function onlySuch(of: Records): Clause | undefined {
  const where = whole(of.where)
  const all = { entity: of.entity, where: [] }
  return where ? { kind: 'every', of: all, each: { entity: of.entity, where } } : undefined
}

function counted(comparison: Comparator[], of: Records): Clause | undefined {
  if (comparison.some(({ quantity }) => quantity.isMoney || !Number.isInteger(quantity.value)))
    return undefined
  return { kind: 'count', of, compare: comparison.map(({ op, quantity }) => ({ op, value: quantity.value })) }
}

// ---- what is wanted

const list = (of: Records): Wanted => ({ of, measure: { kind: 'list' } })
const count = (of: Records): Wanted => ({ of, measure: { kind: 'count' } })

rule('Wanted = Records', 0.3, (of: Records) => list(of))
rule('Wanted = Ask Records', 0, (_: never, of: Records) => list(of))
rule('Wanted = Ask All Records', 0, (_: never, __: never, of: Records) => list(of))
rule('Wanted = All Records', 0.3, (_: never, of: Records) => list(of))
rule('Wanted = Exists Records', 0, (_: never, of: Records) => list(of))
rule('Wanted = Count Records', 0, (_: never, of: Records) => count(of))
rule('Wanted = Count All Records', 0.1, (_: never, __: never, of: Records) => count(of))
for (const [word, kind] of [
  ['Average', 'avg'],
  ['Median', 'median'],
  ['Sum', 'sum'],
] as const) {
  const figure = (field: FieldMeaning, of: Records) => measured(kind, field, of)
  rule(`Wanted = ${word} Field Of Records`, 0, (_: never, field: FieldMeaning, __: never, of: Records) =>
    figure(field, of),
  )
  rule(
    `Wanted = ${word} Field Preposition Records`,
    0.1,
    (_: never, field: FieldMeaning, __: never, of: Records) => figure(field, of),
  )
  rule(
    `Wanted = ${word} Noun Field Of Records`,
    0,
    (_: never, noun: Records, field: FieldMeaning, __: never, of: Records) =>
      noun.entity === of.entity ? figure(field, of) : undefined,
  )
}
rule('Wanted = Sum Of Records', 0.2, (_: never, __: never, of: Records) => measured('sum', AMOUNT, of))
rule('Wanted = HowMuch Wanted', 0.1, (_: never, wanted: Wanted) =>
  wanted.measure.kind === 'list' ? undefined : wanted,
)
rule('Wanted = HowMuch Be Wanted', 0.1, (_: never, __: never, wanted: Wanted) =>
  wanted.measure.kind === 'list' ? undefined : wanted,
)
rule('Wanted = HowMuch Be Records Worth', 0, (_: never, __: never, of: Records) =>
  measured('sum', AMOUNT, of),
)
rule(
  'Wanted = Superlative Records',
  0.1,
  (order: { field: FieldMeaning; direction: 'asc' | 'desc' }, of: Records) =>
    order.field.entity === of.entity ? ranked(of, order.field, order.direction, 1) : undefined,
)
rule(
  'Wanted = Number Superlative Records',
  0,
  (limit: Quantity, order: { field: FieldMeaning; direction: 'asc' | 'desc' }, of: Records) =>
    order.field.entity === of.entity ? ranked(of, order.field, order.direction, limit.value) : undefined,
)
rule(
  'Wanted = Top Number Records Per Field',
  0,
  (_: never, limit: Quantity, of: Records, __: never, field: FieldMeaning) =>
    field.entity === of.entity && field.type !== 'text' ? ranked(of, field, 'desc', limit.value) : undefined,
)
rule('Wanted = Ask Wanted', 0.1, (_: never, wanted: Wanted) => wanted)
rule('Wanted = Ask Be Wanted', 0.1, (_: never, __: never, wanted: Wanted) => wanted)
rule('Wanted = Article Wanted', 0.1, (_: never, wanted: Wanted) => wanted)
rule('Wanted = Please Wanted', 0.1, (_: never, wanted: Wanted) => wanted)
rule('Wanted = Wanted Please', 0.1, (wanted: Wanted) => wanted)
rule('Wanted = Wanted Per Field', 0.4, (wanted: Wanted, _: never, field: FieldMeaning) =>
  grouped(wanted, field),
)
rule('Wanted = Wanted Per Article Field', 0.4, (wanted: Wanted, _: never, __: never, field: FieldMeaning) =>
  grouped(wanted, field),
)
rule('Wanted = Wanted Exists', 0.2, (wanted: Wanted) =>
  wanted.measure.kind === 'count' ? wanted : undefined,
)

function measured(kind: 'sum' | 'avg' | 'median', field: FieldMeaning, of: Records): Wanted | undefined {
  const isNumeric = field.type === 'number' || field.type === 'money'
  return isNumeric && field.entity === of.entity ? { of, measure: { kind, field: field.field } } : undefined
}

const ranked = (
  of: Records,
  field: FieldMeaning,
  direction: 'asc' | 'desc',
  limit: number,
): Wanted | undefined =>
  Number.isInteger(limit) && limit > 0 && limit <= 100
    ? { ...list(of), order: { by: field.field, direction }, limit }
    : undefined

function grouped(wanted: Wanted, field: FieldMeaning): Wanted | undefined {
  if (wanted.group !== undefined || wanted.limit !== undefined || field.type !== 'text') return undefined
  const group = pathTo(wanted.of.entity, field)
  const measure = wanted.measure.kind === 'list' ? { kind: 'count' as const } : wanted.measure
  return group === undefined ? undefined : { ...wanted, measure, group }
}

/** A field of the record, or of the one company it belongs to. */
function pathTo(host: EntityName, field: FieldMeaning): string | undefined {
  if (field.entity === host) return field.field
  const isSingle = field.entity === 'company' && (host === 'deal' || host === 'contact')
  return isSingle ? `company.${field.field}` : undefined
}

// ---- the pipeline: its amount unless records are asked for

const PIPELINE: Records = { entity: 'deal', where: [{ field: 'status', op: 'eq', value: 'open' }] }
const WEIGHTED: FieldMeaning = { entity: 'deal', field: 'weighted_amount', type: 'money' }

rule('OpenDeals = Pipeline', 0, () => PIPELINE)
rule('OpenDeals = Article OpenDeals', 0.1, (_: never, of: Records) => of)
rule('OpenDeals = Adjective OpenDeals', 0.4, (about: About, of: Records) => modified(of, about))
rule('OpenDeals = OpenDeals Condition', 0.5, (of: Records, about: About) => modified(of, about))
rule('Records = Preposition OpenDeals', 0.3, (_: never, of: Records) => of)
rule('Wanted = OpenDeals', 0.2, (of: Records) => measured('sum', AMOUNT, of))
rule('Wanted = OpenDeals Field', 0.2, (of: Records, field: FieldMeaning) => measured('sum', field, of))
rule('Wanted = OpenDeals Sum', 0.2, (of: Records) => measured('sum', AMOUNT, of))
rule('Wanted = Sum Field Of OpenDeals', 0, (_: never, field: FieldMeaning, __: never, of: Records) =>
  measured('sum', field, of),
)
rule('Wanted = Field Of OpenDeals', 0, (field: FieldMeaning, _: never, of: Records) =>
  measured('sum', field, of),
)
rule('Wanted = Weighted OpenDeals', 0, (_: never, of: Records) => measured('sum', WEIGHTED, of))
rule('Wanted = Weighted OpenDeals Sum', 0, (_: never, of: Records) => measured('sum', WEIGHTED, of))
rule('Wanted = HowMuch OpenDeals', 0, (_: never, of: Records) => measured('sum', AMOUNT, of))
rule('Wanted = HowMuch Be OpenDeals Worth', 0, (_: never, __: never, of: Records) =>
  measured('sum', AMOUNT, of),
)
rule('Wanted = HowMuch Be Wanted Worth', 0.1, (_: never, __: never, wanted: Wanted) =>
  wanted.measure.kind === 'sum' ? wanted : undefined,
)
rule('Wanted = HowMuch Condition', 0.6, (_: never, about: About) =>
  about.entity === 'deal' ? measured('sum', AMOUNT, { entity: 'deal', where: [about.where] }) : undefined,
)
rule('Wanted = HowMuch Be Condition', 0.6, (_: never, __: never, about: About) =>
  about.entity === 'deal' ? measured('sum', AMOUNT, { entity: 'deal', where: [about.where] }) : undefined,
)

// ---- owners

rule('Condition = Do Value Own', 0.2, (_: never, about: About) => (isOwner(about) ? about : undefined))
rule('Condition = Value Own', 0.3, (about: About) => (isOwner(about) ? about : undefined))
rule('Wanted = Wanted Do Per Field Own', 0.2, (wanted: Wanted, _: never, __: never, field: FieldMeaning) =>
  grouped(wanted, field),
)
rule('Wanted = Wanted Do All Field Own', 0.2, (wanted: Wanted, _: never, __: never, field: FieldMeaning) =>
  grouped(wanted, field),
)

const isOwner = ({ where }: About): boolean =>
  'field' in where && /^(?:owner|assignee)(?:\.name|_id)$/.test(where.field)

const OWNER: Partial<Record<EntityName, FieldMeaning>> = {
  deal: { entity: 'deal', field: 'owner.name', type: 'text' },
  contact: { entity: 'contact', field: 'owner.name', type: 'text' },
  activity: { entity: 'activity', field: 'assignee.name', type: 'text' },
}

rule('Wanted = WhoOfUs Have Most Records', 0, (_: never, __: never, ___: never, of: Records) =>
  topOwner(of, 'desc'),
)
rule('Wanted = WhoOfUs Have Least Records', 0, (_: never, __: never, ___: never, of: Records) =>
  topOwner(of, 'asc'),
)
rule(
  'Wanted = WhoOfUs Have State Most Noun',
  0,
  (_: never, __: never, state: About, ___: never, of: Records) => {
    const such = narrowed(of, on(of.entity, state))
    return such && topOwner(such, 'desc')
  },
)

function topOwner(of: Records, direction: 'asc' | 'desc'): Wanted | undefined {
  const owner = OWNER[of.entity]
  return owner && { ...count(of), group: owner.field, order: { by: 'measure', direction }, limit: 1 }
}

// ---- one field of a record

rule('Meaning = WhatIs Field Of Value', 0, (_: never, field: FieldMeaning, __: never, about: About) =>
  fieldOf(field, about),
)
rule(
  'Meaning = WhatIs Article Field Of Value',
  0,
  (_: never, __: never, field: FieldMeaning, ___: never, about: About) => fieldOf(field, about),
)
rule('Meaning = Field Of Value', 0.1, (field: FieldMeaning, _: never, about: About) => fieldOf(field, about))
rule('Meaning = Field Of Article Value', 0.1, (field: FieldMeaning, _: never, __: never, about: About) =>
  fieldOf(field, about),
)
rule('Meaning = WhatIs Field Of Value Noun', 0, (_: never, field: FieldMeaning, __: never, about: About) =>
  fieldOf(field, about),
)
rule('Meaning = WhatIs Value Field', 0, (_: never, about: About, field: FieldMeaning) =>
  fieldOf(field, about),
)
rule('Meaning = Value Field', 0.2, (about: About, field: FieldMeaning) => fieldOf(field, about))
rule(
  'Meaning = WhatIs Article Field Preposition Article Value',
  0,
  (_: never, __: never, field: FieldMeaning, ___: never, ____: never, about: About) => fieldOf(field, about),
)
rule('RecordPhrase = Value', 0, (about: About) => about)
rule('RecordPhrase = Article Value', 0.1, (_: never, about: About) => about)
rule('RecordPhrase = Article Value Noun', 0.1, (_: never, about: About, noun: Records) =>
  noun.entity === about.entity ? about : undefined,
)
rule('RecordPhrase = Value Noun', 0.1, (about: About, noun: Records) =>
  noun.entity === about.entity ? about : undefined,
)
rule(
  'Meaning = AskField Field Be RecordPhrase Preposition',
  0,
  (_: never, field: FieldMeaning, __: never, about: About) => fieldOf(field, about),
)
rule(
  'Meaning = AskField Field Do RecordPhrase Own',
  0,
  (_: never, field: FieldMeaning, __: never, about: About) => fieldOf(field, about),
)
rule(
  'Meaning = WhatIs Article Field Preposition RecordPhrase',
  0,
  (_: never, __: never, field: FieldMeaning, ___: never, about: About) => fieldOf(field, about),
)
rule(
  'Meaning = WhatIs Article Field Of RecordPhrase',
  0,
  (_: never, __: never, field: FieldMeaning, ___: never, about: About) => fieldOf(field, about),
)
rule('Meaning = WhoOwns RecordPhrase', 0, (_: never, about: About) => {
  const owner = about.entity === '*' ? undefined : OWNER[about.entity]
  return owner && fieldOf(owner, about)
})
rule('Meaning = WhenIs RecordPhrase Dated', 0, (_: never, about: About, dated: About) =>
  closingOf(about, dated),
)
rule('Meaning = WhenIs Dated RecordPhrase', 0, (_: never, dated: About, about: About) =>
  closingOf(about, dated),
)
rule('Meaning = HowMuch Be RecordPhrase Worth', 0, (_: never, __: never, about: About) =>
  fieldOf(AMOUNT, about),
)

const isRecord = ({ where }: About): boolean => 'field' in where && where.field === 'id'

function fieldOf(field: FieldMeaning, about: About): Meaning | undefined {
  if (!isRecord(about) || field.entity !== about.entity) return undefined
  const query = { entity: about.entity, where: about.where, measure: { kind: 'list' as const } }
  return { kind: 'query', query, show: field }
}

const closingOf = (about: About, dated: About): Meaning | undefined =>
  about.entity === 'deal' && dated.date === 'expected_close_date'
    ? fieldOf({ entity: 'deal', field: 'expected_close_date', type: 'date' }, about)
    : undefined

// ---- the most of a field

rule(
  'Wanted = Ask Noun Have Most Field',
  0,
  (_: never, of: Records, __: never, ___: never, field: FieldMeaning) => mostOf(of, field, 'desc'),
)
rule(
  'Wanted = Ask Records Have Most Field',
  0.1,
  (_: never, of: Records, __: never, ___: never, field: FieldMeaning) => mostOf(of, field, 'desc'),
)
rule(
  'Wanted = Ask Records Have Least Field',
  0,
  (_: never, of: Records, __: never, ___: never, field: FieldMeaning) => mostOf(of, field, 'asc'),
)
rule(
  'Wanted = Superlative Records Per Field',
  0,
  (order: { direction: 'asc' | 'desc' }, of: Records, _: never, field: FieldMeaning) =>
    mostOf(of, field, order.direction),
)

const mostOf = (of: Records, field: FieldMeaning, direction: 'asc' | 'desc'): Wanted | undefined =>
  field.entity === of.entity && (field.type === 'number' || field.type === 'money')
    ? ranked(of, field, direction, 1)
    : undefined

// ---- people and activities

rule('Records = PeopleAt Condition', 0, (_: never, about: About) =>
  about.entity === 'company'
    ? { entity: 'contact', where: [{ some: 'companies', where: about.where }] }
    : undefined,
)
rule('Records = Everyone Clause', 0.4, (_: never, clause: Clause) =>
  narrowed(PEOPLE, clauseOn('contact', clause)),
)
rule('Records = Everyone Condition', 0.4, (_: never, about: About) => narrowed(PEOPLE, on('contact', about)))
rule(
  'Condition = Time',
  0.6,
  (time: Time): About => ({
    entity: 'activity',
    where: { and: [{ field: 'status', op: 'ne', value: 'cancelled' }, ...boundsOf('when', time.future)] },
  }),
)
rule('Meaning = LastContact Value', 0, (_: never, about: About) =>
  contactWith(about, 'completed', 'desc', []),
)
rule('Meaning = Next Noun With Value', 0, (_: never, of: Records, __: never, about: About) =>
  contactWith(about, 'planned', 'asc', of.where),
)
rule('Meaning = Last Noun With Value', 0, (_: never, of: Records, __: never, about: About) =>
  contactWith(about, 'completed', 'desc', of.where),
)

const PEOPLE: Records = { entity: 'contact', where: [] }

/** The last activity with a person or company that took place, or the next one that is planned. */
function contactWith(
  about: About,
  status: 'completed' | 'planned',
  direction: 'asc' | 'desc',
  more: readonly Condition[],
): Meaning | undefined {
  const where = isRecord(about) && about.entity !== 'activity' ? on('activity', about) : undefined
  if (!where) return undefined
  const all = [where, { field: 'status', op: 'eq' as const, value: status }, ...more]
  return {
    kind: 'query',
    query: {
      entity: 'activity',
      where: { and: all },
      measure: { kind: 'list' },
      order: [{ by: 'when', direction }],
      limit: 1,
    },
  }
}

rule('Meaning = WinRate', 0, () => ({ kind: 'win rate', query: CLOSED }))
rule('Meaning = WhatIs WinRate', 0, () => ({ kind: 'win rate', query: CLOSED }))
rule('Meaning = Meaning Please', 0.1, (meaning: Meaning) =>
  meaning.kind === 'win rate' ? meaning : undefined,
)

const CLOSED: Query = {
  entity: 'deal',
  where: { field: 'status', op: 'in', value: ['won', 'lost'] },
  measure: { kind: 'count' },
  group_by: [{ field: 'status' }],
}

rule('Meaning = Wanted', 0, (wanted: Wanted): Meaning => ({ kind: 'query', query: queryOf(wanted) }))
for (const [subject, holds] of [
  ['Noun', 'Condition'],
  ['Records', 'Condition'],
] as const) {
  rule(`Meaning = DoAll ${subject} ${holds}`, 0, (_: never, of: Records, about: About) =>
    everyOf(of, on(of.entity, about)),
  )
  rule(`Meaning = DoAll Article ${subject} ${holds}`, 0, (_: never, __: never, of: Records, about: About) =>
    everyOf(of, on(of.entity, about)),
  )
}
rule('Meaning = DoAll Noun Clause', 0, (_: never, of: Records, clause: Clause) =>
  everyOf(of, clauseOn(of.entity, clause)),
)
rule('Meaning = DoAll Article Noun Clause', 0, (_: never, __: never, of: Records, clause: Clause) =>
  everyOf(of, clauseOn(of.entity, clause)),
)
rule('Meaning = DoAny Records', 0.2, (_: never, of: Records): Meaning | undefined =>
  of.where.length > 0 ? { kind: 'query', query: queryOf(list(of)) } : undefined,
)

function everyOf(of: Records, holds: ReturnType<typeof whole>): Meaning | undefined {
  const set = queryOf(list(of))
  const exceptions = holds && narrowed(of, { not: holds })
  return exceptions && { kind: 'every', set, exceptions: queryOf(list(exceptions)) }
}

function queryOf({ of, measure, group, order, limit }: Wanted): Query {
  const where = whole(of.where)
  return {
    entity: of.entity,
    ...(where ? { where } : {}),
    measure,
    ...(group === undefined ? {} : { group_by: [{ field: group }] }),
    ...(order ? { order: [order] } : {}),
    ...(limit === undefined ? {} : { limit }),
  }
}

export const RULES: readonly Rule[] = rules
