/** The phrases of a question that the chart understood, as blocks from which a reading is composed. */
import type { Bucket, Condition } from '../../../records/query/spec.ts'
import { type Edge, textOf } from '../chart.ts'
import type { About, Clause, FieldMeaning, Meaning, Records } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import { type Comparator, isMe, type Superlative, type Time, type Wanted } from '../rules/shared.ts'

/** Words with a role of their own: the categories of the lexicon that have it. */
const MARKS = {
  count: ['Count', 'HowOften'],
  sum: ['Sum', 'HowMuch', 'HowBig', 'Worth', 'TheyWorth', 'MoneyNoun', 'InTotal'],
  average: ['Average'],
  median: ['Median'],
  most: ['Most', 'MostMany', 'MostOften', 'Top'],
  least: ['Least', 'LeastMany', 'Bottom', 'First'],
  when: ['WhenIs', 'When'],
  where: ['WhereIs', 'Where'],
  why: ['Why'],
  who: ['Who', 'Everyone'],
  owner: ['WhoOwns', 'Own'],
  per: ['Per'],
  not: ['Not', 'Never', 'Lack', 'LackVerb', 'Except'],
  'not done': ['NotDone'],
  nobody: ['Nothing', 'Nobody'],
  missing: ['Missing'],
  or: ['Or'],
  neither: ['Neither'],
  nor: ['Nor'],
  both: ['Both'],
  all: ['All', 'DoAll', 'EachOfUs'],
  only: ['Only'],
  'no other': ['NoOther'],
  difference: ['Difference', 'Versus'],
  larger: ['Larger', 'LargerThan', 'MoreOf'],
  smaller: ['Smaller'],
  next: ['Next'],
  last: ['Last'],
  colleagues: ['Colleagues'],
  self: ['Self'],
  'or more': ['OrMore'],
  'or less': ['OrLess'],
  'or not': ['OrNot'],
  whatever: ['Whatever'],
  regardless: ['Regardless'],
  including: ['Including'],
  together: ['Together'],
  hours: ['Hours'],
  share: ['ShareOf'],
  aside: ['Aside'],
  'win rate': ['WinRate'],
  supposed: ['Supposed'],
  'supposed won': ['SupposedWon'],
  'comes in': ['ComesIn'],
  would: ['Would'],
  passed: ['Passed'],
  ahead: ['Ahead'],
  ends: ['Ends'],
  filled: ['Filled'],
  'a year': ['AYear'],
  'written no': ['WrittenNo'],
} as const
export type Mark = keyof typeof MARKS

const markOf = new Map(
  Object.entries(MARKS).flatMap(([mark, categories]) =>
    categories.map((category): [string, Mark] => [category, mark as Mark]),
  ),
)

export type Block =
  | { kind: 'about'; about: About }
  | { kind: 'clause'; clause: Clause }
  /** `isPipeline`: they are said as one whole, whose size is their money */
  | { kind: 'records'; of: Records; isPipeline?: true }
  | { kind: 'field'; field: FieldMeaning }
  | { kind: 'order'; order: Superlative }
  | { kind: 'compare'; comparison: Comparator[] }
  | { kind: 'time'; time: Time }
  | { kind: 'number'; quantity: Quantity }
  | { kind: 'bucket'; bucket: Bucket }
  | { kind: 'wanted'; wanted: Wanted }
  | { kind: 'meaning'; meaning: Meaning }
  | { kind: 'mark'; mark: Mark }

/** A block and the words that it stands for. */
export interface Placed {
  block: Block
  /** equal for blocks that mean the same */
  key: string
  from: number
  to: number
  cost: number
}

const ABOUTS = new Set([
  'Condition',
  'Adjective',
  'LostFor',
  'Ending',
  'Happened',
  'Because',
  'Dated',
  'Verb',
])
const CLAUSES = new Set(['Clause', 'EndingClause'])
const RECORDS = new Set(['Records', 'Noun'])

/** Each phrase once for each meaning, with its cheapest derivation. */
export function blocksOf(edges: readonly Edge[]): Placed[] {
  const placed = new Map<string, Placed>()
  const ids = new Map<string, string>()
  for (const edge of most(edges)) {
    const block = blockOf(edge)
    if (!block) continue
    const text = keyOf(block, edge)
    const key = ids.get(text) ?? String(ids.size)
    ids.set(text, key)
    const at = `${edge.from}:${edge.to}:${key}`
    const cost = edge.cost + extraOf(edge.category, block)
    const known = placed.get(at)
    if (!known || known.cost > cost) placed.set(at, { block, key, from: edge.from, to: edge.to, cost })
  }
  return withoutParts([...placed.values()])
}

/** The year in "this year" is nothing to group by, the status in "all statuses" neither, and who "runs out" runs nothing. */
function withoutParts(placed: readonly Placed[]): Placed[] {
  const times = placed.filter(({ block }) => block.kind === 'time')
  const whatever = placed.filter(({ block }) => block.kind === 'mark' && block.mark === 'whatever')
  const ends = placed.filter(({ block }) => block.kind === 'mark' && block.mark === 'ends')
  const isWithin = (one: Placed) => (other: Placed) =>
    other.from <= one.from && one.to <= other.to && other.to - other.from > one.to - one.from
  return placed.filter(
    one =>
      !(one.block.kind === 'mark' && one.block.mark === 'owner' && ends.some(isWithin(one))) &&
      !(one.block.kind === 'bucket' && times.some(isWithin(one))) &&
      !(one.block.kind === 'field' && whatever.some(isWithin(one))),
  )
}

/** Equal for blocks that mean the same. */
function keyOf(block: Block, { meaning }: Edge): string {
  if (block.kind === 'mark') return block.mark
  if (block.kind === 'records' && block.isPipeline) return `pipeline ${textOf(meaning)}`
  return block.kind === 'about' ? JSON.stringify(block.about) : `${block.kind} ${textOf(meaning)}`
}

/** Of very many phrases those that cover the most words for their cost. */
const MAX_EDGES = 800
const gainOf = ({ cost, from, to }: Edge): number => to - from - cost
const most = (edges: readonly Edge[]): readonly Edge[] =>
  edges.length <= MAX_EDGES ? edges : edges.toSorted((a, b) => gainOf(b) - gainOf(a)).slice(0, MAX_EDGES)

/** Verbs say little of records, "I" is rarely whose they are, and one word that several names share is rarely a name. */
function extraOf(category: string, block: Block): number {
  if (block.kind !== 'about') return 0
  const { where } = block.about
  const isShared =
    'field' in where && where.field === 'id' && Array.isArray(where.value) && where.value.length > 1
  return (category === 'Verb' ? 0.4 : 0) + (isMe(block.about) ? 0.4 : 0) + (isShared ? 0.6 : 0)
}

/** A date to compare without a time says nothing. */
const isEmpty = ({ where }: About): boolean => 'and' in where && where.and.length === 0

function blockOf({ category, meaning }: Edge): Block | undefined {
  if (ABOUTS.has(category)) {
    const { date: _, ...about } = meaning as About
    return isEmpty(about) ? undefined : { kind: 'about', about }
  }
  if (CLAUSES.has(category)) return { kind: 'clause', clause: meaning as Clause }
  if (RECORDS.has(category)) return { kind: 'records', of: meaning as Records }
  switch (category) {
    case 'OpenDeals':
      return { kind: 'records', of: meaning as Records, isPipeline: true }
    case 'Field':
      return { kind: 'field', field: meaning as FieldMeaning }
    case 'Superlative':
      return { kind: 'order', order: meaning as Superlative }
    case 'Comparison':
      return { kind: 'compare', comparison: meaning as Comparator[] }
    case 'Time':
    case 'Month':
      return { kind: 'time', time: meaning as Time }
    case 'Number':
      return { kind: 'number', quantity: meaning as Quantity }
    case 'Touch':
      return touched(meaning)
    case 'Bucket':
      return { kind: 'bucket', bucket: meaning as Bucket }
    case 'Wanted':
      return { kind: 'wanted', wanted: meaning as Wanted }
    case 'Meaning':
      return { kind: 'meaning', meaning: meaning as Meaning }
    default: {
      const mark = markOf.get(category)
      return mark && { kind: 'mark', mark }
    }
  }
}

/** "talked to", "visited": calls, meetings and emails. */
function touched(meaning: unknown): Block | undefined {
  const value = Array.isArray(meaning) ? meaning : undefined
  const where: Condition = { field: 'type', op: 'in', value: value ?? [] }
  return value && { kind: 'records', of: { entity: 'activity', where: [where] } }
}

export const isMark = (block: Block | undefined, ...marks: readonly Mark[]): boolean =>
  block?.kind === 'mark' && marks.includes(block.mark)
