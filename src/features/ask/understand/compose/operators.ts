/** Operators between blocks (not, or, only, at least, missing) applied to the blocks beside them. */
import type { Condition } from '../../../records/query/spec.ts'
import { type About, type Clause, canHaveOthers, isField, negated, whole } from '../meaning.ts'
import { counted, onlySuch } from '../rules/clauses.ts'
import { DURATION } from '../rules/comparisons.ts'
import { compared, empty, isRecord } from '../rules/shared.ts'
import { type Block, isMark } from './blocks.ts'
import { aboutOf, eitherOf, isCurrency, isOutcome, withLists, withOutcomes } from './either.ts'
import { flagOf, isUnset, set, unset } from './filled.ts'

/** The records of which nothing else of its kind is said; undefined where that is not known. */
export type OnlyOf = (about: About) => About | undefined

/** Undefined where an operator has nothing that it could apply to. */
export function withOperators(all: readonly Block[], onlyOf: OnlyOf): Block[] | undefined {
  const blocks = withLists(all)
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
      // "who works where Ann works, not counting herself"
      if (isNot && isMark(next, 'self')) {
        done.push({ kind: 'mark', mark: 'colleagues' })
        i++
        continue
      }
      const operand = isNot ? next : block
      const last = done.at(-1)
      // "companies where we know nobody"
      if (isMark(block, 'nobody') && !next && last && entityOf(last) === 'company') {
        done.push({ kind: 'clause', clause: { kind: 'none', of: { entity: 'contact', where: [] } } })
        continue
      }
      // "whose revenue don't we know"
      if (isNot && !next && last?.kind === 'field') {
        done[done.length - 1] = { kind: 'about', about: unset(last.field) }
        continue
      }
      const such = isNot ? suchRecords(operand, blocks[i + 2], done) : undefined
      const opposite = operand && mayOppose(block, such ?? operand) ? opposed(such ?? operand) : undefined
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
      // "status planned" is a value; every record has a status
      if (last?.kind === 'field' && last.field.field === 'status') return undefined
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
      // "where the phone or the address is missing"
      const isBoth = last?.kind === 'field' && next?.kind === 'about' && isUnset(next.about)
      const either =
        last && next && eitherOf(isBoth ? { kind: 'about', about: unset(last.field) } : last, next)
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
    // "how many francs is that" asks for the money
    if (isMark(block, 'count') && isCurrency(next) && !isNounOf(blocks[i + 2], next)) {
      done.push({ kind: 'mark', mark: 'sum' })
      continue
    }
    if (isMark(block, 'regardless')) {
      // "regardless of stage", "whether won or lost, no matter"
      if (next?.kind === 'field') i++
      // "have you got, won or lost" says of none that it was won
      if (isOutcome(blocks[i + 1]) && done.some(isOutcome)) return undefined
      // "whatever's open" is open
      if (isOutcome(blocks[i + 2])) while (isOutcome(blocks[i + 1])) i++
      continue
    }
    if (isMark(block, 'including')) {
      // "including the lost ones": besides those that are named before, or all
      if (!next || !isOutcome(next)) continue
      const at = done.findLastIndex(isOutcome)
      const either = done[at] && eitherOf(done[at], next)
      if (either) done[at] = either
      i++
      continue
    }
    if (isMark(block, 'no other')) {
      if (!endsOnly(done, onlyOf)) return undefined
      continue
    }
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
        continue
      }
      const isSaid =
        next?.kind === 'field' && JSON.stringify(done.slice(-1)).includes(`"${next.field.field}"`)
      const isLast = !next || isSaid || isMark(next, 'no other')
      const only = next?.kind === 'about' && onlyOf(next.about)
      if (isLast && endsOnly(done, onlyOf)) continue
      // "only the bouldering deals" may have other choices, too
      const isOwn = done.length > 0 && !isNounOf(blocks[i + 2], next)
      if (next?.kind === 'about' && only && only !== next.about && isOwn) {
        done.push({ kind: 'about', about: only })
        i++
      } else if (!isEnding(next, blocks[i + 2], done.at(-1))) return undefined
      continue
    }
    const joined = next && joinedOf(block, next)
    if (joined) {
      done.push(joined)
      i++
      continue
    }
    done.push(block)
  }
  return withOutcomes(done)
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

/** "never logged a call", "deals nobody planned anything for": it is said before the records, and after others. */
function suchRecords(operand: Block | undefined, next: Block | undefined, before: readonly Block[]) {
  const isLast =
    next?.kind === 'records' && before.some(one => (entityOf(one) ?? next.of.entity) !== next.of.entity)
  // "nobody has planned anything for"
  if (!next && operand?.kind === 'about' && operand.about.entity === 'activity' && operand.about.isState)
    return { kind: 'records' as const, of: { entity: 'activity' as const, where: [operand.about.where] } }
  const isOwn = isLast && operand?.kind === 'about' && operand.about.entity === next.of.entity
  return isOwn
    ? { ...next, of: { ...next.of, where: [...next.of.where, operand.about.where] } }
    : stateAfter(operand, next)
}

/** The kind of record that a part of the question asks for. */
const entityOf = (block: Block): string | undefined =>
  block.kind === 'records' || block.kind === 'wanted'
    ? (block.kind === 'records' ? block.of : block.wanted.of).entity
    : block.kind === 'meaning' && block.meaning.kind === 'query'
      ? block.meaning.query.entity
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

const isNounOf = (noun: Block | undefined, state: Block | undefined): boolean =>
  noun?.kind === 'records' && state?.kind === 'about' && noun.of.entity === state.about.entity

const TELLING = new Set(['about', 'records', 'clause', 'wanted', 'meaning'])

/** "bouldering and no other wall type", "where are starlings the only pest": what is said before has no other choice. */
function endsOnly(done: Block[], onlyOf: OnlyOf): boolean {
  const block = done.findLast(({ kind }) => TELLING.has(kind))
  if (block?.kind === 'clause') return block.clause.kind === 'every'
  const said = block && aboutOf(block)
  if (!said) return false
  // "firms with lost deals and nothing else": of what there may be several, all are such
  const isMany = said.entity === 'deal' || said.entity === 'activity'
  const isOwn = done.some(one => one.kind !== 'about' && entityOf(one) === said.entity)
  // "bouldering and lead and nothing else"
  const isLike = (one: Block) =>
    one.kind === 'about' && one.about.entity === said.entity && canHaveOthers(one.about.where)
  const all = isLike(block) ? done.filter(isLike) : [block]
  const where = whole(all.flatMap(one => aboutOf(one)?.where ?? []))
  const only = where && onlyOf({ ...said, where })
  if (!only || (only.where === said.where && isMany && !(isOwn && block.kind === 'about'))) return false
  if (block.kind === 'records') return only.where === said.where
  done.splice(0, done.length, ...done.filter(one => !all.includes(one)), { kind: 'about', about: only })
  return true
}

/** "the open ones only" and "meetings, only completed" say no more than that they are open or completed. */
const isEnding = (next: Block | undefined, after: Block | undefined, last: Block | undefined): boolean =>
  (last?.kind === 'about' || last?.kind === 'records') &&
  (next === undefined || (next.kind === 'about' && after === undefined)) &&
  !(last.kind === 'about' ? [last.about.where] : last.of.where).some(canHaveOthers) &&
  // "deals with nothing but bouldering" have no other choice
  !(next?.kind === 'about' && canHaveOthers(next.about.where))

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
      const [where] = block.of.entity === 'company' ? block.of.where : []
      const state = where && isOfNoun(where) ? aboutOf(block) : undefined
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

/** What a noun says: "non-customers with over 200 people" are not those with fewer. */
const isOfNoun = (where: Condition): boolean =>
  isField(where) && (/^(?:status|industry|categories)$/.test(where.field) || where.field.startsWith('cf.'))

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
