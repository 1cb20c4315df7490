/** Blocks sorted by what they contribute, with the operators between them applied. */
import type { Bucket, Condition } from '../../../records/query/spec.ts'
import { ANY_ENTITY, type EntityName } from '../../lexicon/types.ts'
import { type About, type Clause, type FieldMeaning, type Meaning, type Records, union } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import {
  type Comparator,
  isRecord,
  type Span,
  type Superlative,
  type Time,
  type Wanted,
} from '../rules/shared.ts'
import type { Block, Mark } from './blocks.ts'
import { type OnlyOf, withOperators } from './operators.ts'

export interface Parts {
  abouts: About[]
  /** how many records are named before what compares them */
  before: number
  clauses: Clause[]
  /** in the order in which they are said */
  records: Records[]
  /** "if all deals came in": those that are open */
  isOpenImplied: boolean
  /** records are said as one whole: "the pipeline" */
  isPipeline: boolean
  fields: FieldMeaning[]
  /** "deals with a ship date": a field after the noun is not what is counted by its values */
  isFieldLast: boolean
  /** `noun`: what it is said of, where that follows it */
  orders: (Superlative & { noun?: EntityName })[]
  comparisons: Comparator[][]
  times: Time[]
  numbers: Quantity[]
  buckets: Bucket[]
  wanted: Wanted[]
  meanings: Meaning[]
  marks: Set<Mark>
}

/** Undefined where an operator has nothing that it could apply to. */
export function partsOf(blocks: readonly Block[], onlyOf: OnlyOf): Parts | undefined {
  const said = withOperators(blocks, onlyOf)
  if (!said) return undefined
  const isElse = said.some(block => block.kind === 'mark' && block.mark === 'colleagues')
  const applied = isElse ? withoutEmployer(said) : said
  const all = <Kind extends Block['kind']>(kind: Kind) =>
    applied.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind)
  const firstOf = (kind: Block['kind']) => applied.findIndex(block => block.kind === kind)
  const isComparing = (block: Block) => block.kind === 'mark' && COMPARING.has(block.mark)
  const named = (some: readonly Block[]) =>
    some.filter(block => block.kind === 'about' && isRecord(block.about)).length
  const fields = all('field').map(({ field }) => field)
  const records = all('records').map(({ of }) => of)
  const marks = new Set(all('mark').map(({ mark }) => mark))
  const own = all('about').map(({ about }) => about)
  // "service vs repair" are compared: both together are not asked for
  if (own.some(({ where }) => 'isVersus' in where)) marks.add('difference')
  const isSupposed = marks.has('supposed won') || (marks.has('supposed') && marks.has('comes in'))
  // what could be is asked only of deals that are won all
  if (!isSupposed && (marks.has('supposed') || marks.has('comes in'))) return undefined
  const isOpenImplied = isSupposed && !isOfStage([...own, ...records, ...fields])
  const areCompared = applied.some(isComparing) && !marks.has('together')
  const placed = isElse ? own.map(withColleagues) : areCompared ? together(own) : own
  const abouts = isOpenImplied ? [...placed, OPEN] : placed
  return {
    before: named(applied.slice(0, Math.max(0, applied.findIndex(isComparing)))),
    abouts,
    clauses: all('clause').map(({ clause }) => clause),
    records,
    isOpenImplied,
    isPipeline: all('records').some(({ isPipeline }) => isPipeline),
    fields: [...new Map(fields.map(one => [`${one.entity} ${one.field}`, one])).values()],
    isFieldLast: firstOf('records') >= 0 && firstOf('records') < firstOf('field'),
    orders: all('order').map(block => {
      const noun = nounOf(applied, applied.indexOf(block))
      return { ...block.order, ...(noun ? { noun } : {}) }
    }),
    comparisons: all('compare').reduce<Comparator[][]>(
      (comparisons, { comparison }) => withBound(comparisons, comparison),
      [],
    ),
    times: all('time').reduce<Time[]>((times, { time }) => withTime(times, time), []),
    numbers: all('number').map(({ quantity }) => quantity),
    buckets: all('bucket').map(({ bucket }) => bucket),
    wanted: all('wanted').map(({ wanted }) => wanted),
    meanings: all('meaning').map(({ meaning }) => meaning),
    marks,
  }
}

const OPEN: About = { entity: 'deal', where: { field: 'status', op: 'eq', value: 'open' }, isState: true }

const isOfStage = (said: readonly unknown[]): boolean =>
  /"field":"(?:status|stage|lost_reason|closed_at)/.test(JSON.stringify(said))

const COMPARING = new Set<Mark>(['larger', 'smaller', 'difference'])

/** "Acme has more open deals than Initech": what is asked of each of two records is asked of both. */
function together(abouts: About[]): About[] {
  const [one, other, ...more] = abouts.filter(isRecord)
  if (!one || !other || more.length > 0) return abouts
  const both = union(one, other)
  return both ? abouts.flatMap(about => (about === one ? [both] : about === other ? [] : [about])) : abouts
}

/** "who else works at Ann Smith's company": the company is said of the person, and not of those who are asked for. */
function withoutEmployer(blocks: readonly Block[]): Block[] {
  const isPerson = (block: Block | undefined) =>
    block?.kind === 'about' && block.about.entity === 'contact' && isRecord(block.about)
  const isCompany = (block: Block) =>
    block.kind === 'records'
      ? block.of.entity === 'company' && block.of.where.length === 0
      : block.kind === 'field' && block.field.field === 'company.name'
  return blocks.filter(
    (block, i) => !(isCompany(block) && (isPerson(blocks[i - 1]) || isPerson(blocks[i + 1]))),
  )
}

/** Who else is at the company of a person. */
function withColleagues(about: About): About {
  if (about.entity !== 'contact' || !isRecord(about)) return about
  const company: Condition = { some: 'companies', where: { some: 'contacts', where: about.where } }
  return { entity: 'contact', where: { and: [company, { not: about.where }] } }
}

/** The kind that a superlative is said of: that of the noun after it, or of a value or a field in place of one. */
function nounOf(blocks: readonly Block[], at: number): EntityName | undefined {
  const [first, ...others] = blocks.slice(at + 1)
  const next = [first, ...others].find(one => one?.kind !== 'about')
  if (next?.kind === 'records') return next.of.entity
  if (blocks.slice(0, at).some(({ kind }) => kind === 'records')) return undefined
  const entity =
    first?.kind === 'about' ? first.about.entity : first?.kind === 'field' ? first.field.entity : undefined
  return entity === ANY_ENTITY ? undefined : entity
}

/** "20k at least and no more than 50k" is one comparison. */
function withBound(comparisons: readonly Comparator[][], next: Comparator[]): Comparator[][] {
  const sideOf = (all: Comparator[] | undefined) => (all?.length === 1 ? all[0]?.op[0] : undefined)
  const last = comparisons.at(-1)
  const isOne = last && [sideOf(last), sideOf(next)].sort().join() === 'g,l'
  return isOne ? [...comparisons.slice(0, -1), [...last, ...next]] : [...comparisons, next]
}

/** "from today on … until Christmas" is one time. */
function withTime(times: readonly Time[], time: Time): Time[] {
  const joined = (one: Span, other: Span): Span | undefined => {
    const [begin, end] = one.to === null ? [one, other] : [other, one]
    const isOne = begin.to === null && end.from === null && begin.from !== null && end.to !== null
    return isOne && (begin.from ?? '') < (end.to ?? '') ? { from: begin.from, to: end.to } : undefined
  }
  const last = times.at(-1)
  const [past, future] = last ? [joined(last.past, time.past), joined(last.future, time.future)] : []
  return past && future ? [...times.slice(0, -1), { past, future }] : [...times, time]
}
