/** Several blocks of which either is meant: lists, outcomes of deals, and what "or" joins. */
import { type About, both, isField, type Records, union, whole } from '../meaning.ts'
import { isRecord, type Span, type Time } from '../rules/shared.ts'
import { type Block, isMark } from './blocks.ts'

/** "a call, a meeting or an email", "Japan + USA": one of them, also after "no". */
export function withLists(blocks: readonly Block[]): Block[] {
  const done: Block[] = []
  for (let i = 0; i < blocks.length; i++) {
    const [last, block] = [done.at(-1), blocks[i]]
    const next = isMark(block, 'or') ? blocks[i + 1] : undefined
    const joined = last && (next ? likeOf(last, next) : block && listedOf(last, block))
    if (joined) {
      done[done.length - 1] = joined
      if (next) i++
    } else if (block) done.push(block)
    const none = noneOf(done.at(-2), done.at(-1))
    if (none) done.splice(-2, 2, none)
  }
  return done
}

/** "no calls, meetings or emails": none of them. */
function noneOf(none: Block | undefined, list: Block | undefined): Block | undefined {
  const isList = list?.kind === 'records' && JSON.stringify(list.of.where).includes('"in"')
  if (!isList || none?.kind !== 'clause' || none.clause.kind !== 'none' || none.clause.also) return undefined
  const all = listedOf({ kind: 'records', of: none.clause.of }, list)
  return all?.kind === 'records' ? { kind: 'clause', clause: { kind: 'none', of: all.of } } : undefined
}

/** Either of two that are said of the same field. */
function likeOf(a: Block, b: Block): Block | undefined {
  const [one, other] = [aboutOf(a), aboutOf(b)]
  return one && other && a.kind === b.kind && union(one, other) ? eitherOf(a, b) : undefined
}

export const isCurrency = (block: Block | undefined): boolean =>
  block?.kind === 'about' && isField(block.about.where) && block.about.where.field === 'currency'

const OUTCOMES = ['open', 'won', 'lost']

function outcomesOf(block: Block | undefined): string[] {
  if (block?.kind !== 'about' || block.about.entity !== 'deal') return []
  const { where } = block.about
  const values = isField(where) && where.field === 'status' ? [where.value].flat().map(String) : []
  return values.every(value => OUTCOMES.includes(value)) ? values : []
}

export const isOutcome = (block: Block | undefined): boolean => outcomesOf(block).length > 0

/** "open, won and lost together", "won, lost or open": deals of each of them; all three are no condition. */
export function withOutcomes(blocks: readonly Block[]): Block[] {
  const isTogether = blocks.some(block => isMark(block, 'together'))
  const said = blocks.filter(isOutcome)
  const [first, ...others] = said
  const isAll = new Set(said.flatMap(outcomesOf)).size === OUTCOMES.length
  const isEither = isTogether || (isAll && said.some(block => outcomesOf(block).length > 1))
  if (!first || !isEither) return [...blocks]
  const rest = blocks.filter(block => block === first || !said.includes(block))
  if (isAll) return rest.filter(block => block !== first)
  const either = others.reduce<Block>((one, other) => eitherOf(one, other) ?? one, first)
  return rest.map(block => (block === first ? either : block))
}

export const aboutOf = (block: Block): About | undefined => {
  if (block.kind === 'about') return block.about
  const where = block.kind === 'records' ? whole(block.of.where) : undefined
  return block.kind === 'records' && where ? { entity: block.of.entity, where } : undefined
}

export function eitherOf(a: Block, b: Block): Block | undefined {
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
