/** Blocks sorted by what they contribute, with the operators between them applied. */
import type { Bucket } from '../../../records/query/spec.ts'
import { ANY_ENTITY, type EntityName } from '../../lexicon/types.ts'
import { type About, type Clause, type FieldMeaning, type Meaning, type Records, union } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import type { Comparator, Span, Superlative, Time, Wanted } from '../rules/shared.ts'
import type { Block, Mark } from './blocks.ts'
import { withOperators } from './operators.ts'

export interface Parts {
  abouts: About[]
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
export function partsOf(blocks: readonly Block[]): Parts | undefined {
  const applied = withOperators(blocks)
  if (!applied) return undefined
  const all = <Kind extends Block['kind']>(kind: Kind) =>
    applied.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind)
  const firstOf = (kind: Block['kind']) => applied.findIndex(block => block.kind === kind)
  const fields = all('field').map(({ field }) => field)
  const records = all('records').map(({ of }) => of)
  const marks = new Set(all('mark').map(({ mark }) => mark))
  const said = all('about').map(({ about }) => about)
  const together = marks.has('together') ? withStates(said) : said
  const isSupposed = marks.has('supposed won') || (marks.has('supposed') && marks.has('comes in'))
  // what could be is asked only of deals that are won all
  if (!isSupposed && (marks.has('supposed') || marks.has('comes in'))) return undefined
  const isOpenImplied = isSupposed && !isOfStage([...together, ...records, ...fields])
  const abouts = isOpenImplied ? [...together, OPEN] : together
  if (together !== said) marks.add('sum')
  // "service vs repair" are compared: both together are not asked for
  if (abouts.some(({ where }) => 'isVersus' in where)) marks.add('difference')
  return {
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
    comparisons: all('compare').map(({ comparison }) => comparison),
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

/** "won and open together": no deal is both, so the deals of both states are meant. */
function withStates(abouts: About[]): About[] {
  const isState = ({ entity, isState: is }: About) => entity === 'deal' && is === true
  const [first, ...others] = abouts.filter(isState)
  const all = others.reduce<About | undefined>((one, other) => one && union(one, other), first)
  return all && others.length > 0 ? [...abouts.filter(about => !isState(about)), all] : abouts
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
