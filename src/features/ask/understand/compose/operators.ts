/** Operators between blocks (not, or, only, at least, missing) applied to the blocks beside them. */
import {
  type About,
  both,
  type Clause,
  canHaveOthers,
  type FieldMeaning,
  isField,
  negated,
  type Records,
  union,
  whole,
} from '../meaning.ts'
import { counted, onlySuch } from '../rules/clauses.ts'
import { DURATION } from '../rules/comparisons.ts'
import { compared, empty, isRecord, type Span, type Time } from '../rules/shared.ts'
import type { Block, Mark } from './blocks.ts'

const isMark = (block: Block | undefined, ...marks: readonly Mark[]): boolean =>
  block?.kind === 'mark' && marks.includes(block.mark)

/** Undefined where an operator has nothing that it could apply to. */
export function withOperators(blocks: readonly Block[]): Block[] | undefined {
  const done: Block[] = []
  let isNeither = false
  for (let i = 0; i < blocks.length; i++) {
    const [block, next] = [blocks[i], blocks[i + 1]]
    if (!block) continue
    // "not A nor B" is neither of them
    if (isMark(block, 'neither', 'nor')) {
      isNeither = true
      continue
    }
    const isNot = isMark(block, 'not', 'not done', 'nobody')
    if (isNot || (isNeither && block.kind !== 'mark')) {
      const operand = isNot ? next : block
      // "whose revenue don't we know"
      const last = done.at(-1)
      if (isNot && !next && last?.kind === 'field') {
        done[done.length - 1] = { kind: 'about', about: unset(last.field) }
        continue
      }
      const such = isNot ? stateAfter(operand, blocks[i + 2]) : undefined
      const opposite = operand && mayOppose(block, operand) ? opposed(such ?? operand) : undefined
      if (!opposite) return undefined
      done.push(opposite)
      if (isNot) i += such ? 2 : 1
      continue
    }
    if (isMark(block, 'aside')) {
      const last = done.pop()
      const opposite = last && isTelling(last) ? opposed(last) : undefined
      if (!opposite) return undefined
      done.push(opposite)
      continue
    }
    if (isMark(block, 'missing')) {
      const at = done.findLastIndex(({ kind }) => kind === 'field')
      const field = done[at]
      if (field?.kind === 'field') done[at] = { kind: 'about', about: unset(field.field) }
      else if (next?.kind === 'field') {
        done.push({ kind: 'about', about: unset(next.field) })
        i++
      } else return undefined
      continue
    }
    if (isMark(block, 'filled')) {
      const last = done.at(-1)
      if (last?.kind === 'field') done[done.length - 1] = { kind: 'about', about: set(last.field) }
      else if (!(last?.kind === 'about' && isUnset(last.about))) return undefined
      continue
    }
    if (isMark(block, 'written no')) {
      const at = done.findLastIndex(one => flagOf(one) !== undefined)
      const flag = flagOf(done[at])
      if (!flag) return undefined
      done[at] = { kind: 'about', about: flag }
      continue
    }
    if (isMark(block, 'or')) {
      if (isNeither) continue
      const last = done.pop()
      const either = last && next && eitherOf(last, next)
      if (!either) return undefined
      done.push(either)
      i++
      continue
    }
    if (isMark(block, 'or more', 'or less')) {
      const at = done.findLastIndex(({ kind }) => kind === 'number')
      const number = done[at]
      if (number?.kind !== 'number') return undefined
      const op = isMark(block, 'or more') ? 'gte' : 'lte'
      const comparison: Block = { kind: 'compare', comparison: [{ op, quantity: number.quantity }] }
      const beside = done[at + 1]
      const joined = beside && joinedOf(comparison, beside)
      done.splice(at, joined ? 2 : 1, joined ?? comparison)
      continue
    }
    if (isMark(block, 'hours')) {
      const last = done.pop()
      if (last?.kind !== 'number') return undefined
      const { value } = last.quantity
      done.push(
        { kind: 'number', quantity: { value: 60 * value, isMoney: false } },
        { kind: 'field', field: DURATION },
      )
      continue
    }
    if (isMark(block, 'or not')) {
      // "late or not": it does not matter
      if (done.at(-1)?.kind === 'about') done.pop()
      continue
    }
    if (isMark(block, 'whatever')) continue
    if (isMark(block, 'only')) {
      // "only one company": exactly one. "the open ones only" are the open ones, "only lost deals" are not.
      if (next?.kind === 'number') {
        const comparison: Block = { kind: 'compare', comparison: [{ op: 'eq', quantity: next.quantity }] }
        const of = blocks[i + 2]
        const joined = of && joinedOf(comparison, of)
        done.push(joined ?? comparison)
        i += joined ? 2 : 1
        continue
      }
      const such = next && allOf(next, blocks[i + 2])
      if (such && blocks.some(one => one.kind === 'records' && one.of.entity !== such.clause.of.entity)) {
        done.push({ kind: 'clause', clause: such.clause })
        i += such.length
      } else if (!isEnding(next, blocks[i + 2], done.at(-1))) return undefined
      continue
    }
    const joined = next && (joinedOf(block, next) ?? listedOf(block, next))
    if (joined) {
      done.push(joined)
      i++
      continue
    }
    done.push(block)
  }
  return done
}

/** "deals aside" leaves nothing to ask for. */
const isTelling = (block: Block): boolean => block.kind !== 'records' || block.of.where.length > 0

/** "without a deal running": the state of the records is said after them. */
const stateAfter = (records: Block | undefined, state: Block | undefined): Block | undefined =>
  records?.kind === 'records' &&
  state?.kind === 'about' &&
  state.about.isState &&
  state.about.entity === records.of.entity
    ? { kind: 'records', of: { ...records.of, where: [...records.of.where, state.about.where] } }
    : undefined

/** "firms with only lost deals": all that they have are lost. */
function allOf(next: Block, after: Block | undefined): { clause: Clause; length: number } | undefined {
  const isState = next.kind === 'about' && after?.kind === 'records' && after.of.entity === next.about.entity
  const of = isState
    ? { ...after.of, where: [...after.of.where, next.about.where] }
    : next.kind === 'records'
      ? next.of
      : undefined
  const clause = of && onlySuch(of)
  return clause && { clause, length: isState ? 2 : 1 }
}

/** "the open ones only" and "meetings, only completed" say no more than that they are open or completed. */
const isEnding = (next: Block | undefined, after: Block | undefined, last: Block | undefined): boolean =>
  (last?.kind === 'about' || last?.kind === 'records') &&
  (next === undefined || (next.kind === 'about' && after === undefined)) &&
  !(last.kind === 'about' ? [last.about.where] : last.of.where).some(canHaveOthers) &&
  // "deals with nothing but bouldering" have no other choice
  !(next?.kind === 'about' && canHaveOthers(next.about.where))

/** A flag that was not filled in says neither yes nor no. */
const unset = (field: FieldMeaning): About =>
  field.type === 'flag'
    ? { entity: field.entity, where: { field: field.field, op: 'is_null', value: true } }
    : empty(field, true)

const set = (field: FieldMeaning): About =>
  field.type === 'flag'
    ? { entity: field.entity, where: { field: field.field, op: 'is_null', value: false } }
    : empty(field, false)

/** "no length filled in" */
const isUnset = ({ where }: About): boolean =>
  isField(where) && where.op === 'is_null' && where.value === true

/** "not insured, written no": the flag is no, and not only not yes. */
function flagOf(block: Block | undefined): About | undefined {
  if (block?.kind === 'field' && block.field.type === 'flag')
    return { entity: block.field.entity, where: { field: block.field.field, op: 'eq', value: false } }
  if (block?.kind !== 'about') return undefined
  const { entity, where } = block.about
  const is = 'not' in where ? where.not : where
  return isField(is) && typeof is.value === 'boolean' && is.op === 'eq'
    ? { entity, where: { ...is, value: false } }
    : undefined
}

/** "why didn't Ann like it" does not ask of others than Ann, and "nobody has had a completed call" not of planned ones. */
const mayOppose = (mark: Block, operand: Block): boolean =>
  operand.kind !== 'about' ||
  !(
    (isMark(mark, 'nobody') && !isOfDeal(operand.about)) ||
    (isMark(mark, 'not done') && isRecord(operand.about))
  )

/** "customers with nothing running" */
const isOfDeal = ({ entity, isState }: About): boolean => entity === 'deal' && isState === true

function opposed(block: Block): Block | undefined {
  switch (block.kind) {
    case 'about':
      return block.about.isLasting ? undefined : { kind: 'about', about: negated(block.about) }
    case 'clause':
      return block.clause.kind === 'some' && !block.clause.also
        ? { kind: 'clause', clause: { ...block.clause, kind: 'none' } }
        : undefined
    case 'records': {
      // "hotels that are not customers": the noun is a state of the company
      const state = block.of.entity === 'company' ? aboutOf(block) : undefined
      return state
        ? { kind: 'about', about: negated(state) }
        : { kind: 'clause', clause: { kind: 'none', of: block.of } }
    }
    case 'field':
      return { kind: 'about', about: empty(block.field, true) }
    default:
      return undefined
  }
}

const aboutOf = (block: Block): About | undefined => {
  if (block.kind === 'about') return block.about
  const where = block.kind === 'records' ? whole(block.of.where) : undefined
  return block.kind === 'records' && where ? { entity: block.of.entity, where } : undefined
}

function eitherOf(a: Block, b: Block): Block | undefined {
  if (a.kind === 'time' && b.kind === 'time') return eitherTime(a.time, b.time)
  const [one, other] = [aboutOf(a), aboutOf(b)]
  const either = one && other && both('or', one, other)
  if (!either) return undefined
  const shared = a.kind === 'records' && other ? sharedWith(a.of, other) : undefined
  if (shared) return { kind: 'records', of: shared }
  return a.kind === 'records' && b.kind === 'records'
    ? { kind: 'records', of: { ...a.of, where: [either.where] } }
    : { kind: 'about', about: either }
}

/** "hotels that are customers or leads": of both it is said that they are hotels. */
function sharedWith(of: Records, other: About): Records | undefined {
  const last = of.where.at(-1)
  const either = last && of.where.length > 1 ? union({ entity: of.entity, where: last }, other) : undefined
  return either && { ...of, where: [...of.where.slice(0, -1), either.where] }
}

/** "in January or February": two times that follow each other are one. */
function eitherTime(a: Time, b: Time): Block | undefined {
  const joined = (one: Span, other: Span): Span | undefined =>
    one.to !== null && one.to === other.from ? { from: one.from, to: other.to } : undefined
  const [past, future] = [joined(a.past, b.past), joined(a.future, b.future)]
  return past && future ? { kind: 'time', time: { past, future } } : undefined
}

/** "calls, meetings" and "Japan + USA": either of them. "Both won and lost" is not one that is either. */
function listedOf(a: Block, b: Block): Block | undefined {
  if (a.kind === 'about' && b.kind === 'about' && !a.about.isState && !isRecord(a.about)) {
    const about = union(a.about, b.about)
    return about && { kind: 'about', about }
  }
  if (a.kind !== 'records' || b.kind !== 'records' || a.of.entity !== b.of.entity) return undefined
  const [one, other] = [whole(a.of.where), whole(b.of.where)]
  const either =
    one && other && union({ entity: a.of.entity, where: one }, { entity: b.of.entity, where: other })
  return either && { kind: 'records', of: { ...a.of, where: [either.where] } }
}

/** A comparison belongs to the field or the records beside it. */
function joinedOf(block: Block, next: Block): Block | undefined {
  const [comparison, other] =
    block.kind === 'compare'
      ? [block, next]
      : next.kind === 'compare'
        ? [next, block]
        : [undefined, undefined]
  if (comparison?.kind !== 'compare' || !other) return undefined
  if (other.kind === 'field') {
    const about = compared(other.field, comparison.comparison)
    return about && { kind: 'about', about }
  }
  const clause =
    block.kind === 'compare' && next.kind === 'records' ? counted(comparison.comparison, next.of) : undefined
  return clause && { kind: 'clause', clause }
}
