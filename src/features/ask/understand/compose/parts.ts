/** Blocks sorted by what they contribute, with the operators between them applied. */
import type { Bucket } from '../../../records/query/spec.ts'
import { ANY_ENTITY, type EntityName } from '../../lexicon/types.ts'
import type { About, Clause, FieldMeaning, Meaning, Records } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import type { Comparator, Span, Superlative, Time, Wanted } from '../rules/shared.ts'
import type { Block, Mark } from './blocks.ts'
import { withOperators } from './operators.ts'

export interface Parts {
  abouts: About[]
  clauses: Clause[]
  /** in the order in which they are said */
  records: Records[]
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
  const parts: Parts = {
    abouts: [],
    clauses: [],
    records: [],
    isPipeline: applied.some(block => block.kind === 'records' && block.isPipeline),
    fields: [],
    isFieldLast: applied.findIndex(isRecords) < applied.findIndex(isField) && applied.some(isRecords),
    orders: [],
    comparisons: [],
    times: [],
    numbers: [],
    buckets: [],
    wanted: [],
    meanings: [],
    marks: new Set(),
  }
  for (const [i, block] of applied.entries()) add(parts, block, nounOf(applied, i))
  return parts
}

function add(parts: Parts, block: Block, noun: EntityName | undefined): void {
  switch (block.kind) {
    case 'about':
      parts.abouts.push(block.about)
      // "service vs repair" are compared: both together are not asked for
      if ('isVersus' in block.about.where) parts.marks.add('difference')
      break
    case 'clause':
      parts.clauses.push(block.clause)
      break
    case 'records':
      parts.records.push(block.of)
      break
    case 'field':
      if (
        !parts.fields.some(
          ({ entity, field }) => entity === block.field.entity && field === block.field.field,
        )
      )
        parts.fields.push(block.field)
      break
    case 'order':
      parts.orders.push({ ...block.order, ...(noun ? { noun } : {}) })
      break
    case 'compare':
      parts.comparisons.push(block.comparison)
      break
    case 'time':
      addTime(parts, block.time)
      break
    case 'number':
      parts.numbers.push(block.quantity)
      break
    case 'bucket':
      parts.buckets.push(block.bucket)
      break
    case 'wanted':
      parts.wanted.push(block.wanted)
      break
    case 'meaning':
      parts.meanings.push(block.meaning)
      break
    case 'mark':
      parts.marks.add(block.mark)
  }
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
function addTime(parts: Parts, time: Time): void {
  const joined = (one: Span, other: Span): Span | undefined => {
    const [begin, end] = one.to === null ? [one, other] : [other, one]
    const isOne = begin.to === null && end.from === null && begin.from !== null && end.to !== null
    return isOne && (begin.from ?? '') < (end.to ?? '') ? { from: begin.from, to: end.to } : undefined
  }
  const last = parts.times.pop()
  const [past, future] = last ? [joined(last.past, time.past), joined(last.future, time.future)] : []
  if (last && past && future) parts.times.push({ past, future })
  else parts.times.push(...(last ? [last] : []), time)
}

const isRecords = ({ kind }: Block): boolean => kind === 'records'
const isField = ({ kind }: Block): boolean => kind === 'field'
