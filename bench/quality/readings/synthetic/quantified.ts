/** What is said of all, of none or of several related records, and of the only choices of a record, with its wording. */
import type { Condition } from '../../../../src/features/records/query/spec.ts'
import type { Said, World } from './conditions.ts'
import { below, pick, random } from './random.ts'

/** How a state of a deal is said: "lost deals", "was lost", "lost". */
const OUTCOMES = [
  { value: 'won', such: 'won', is: ['was won', 'has been won', 'we won'] },
  { value: 'lost', such: 'lost', is: ['was lost', 'has been lost', 'we lost', 'fell through'] },
  { value: 'open', such: 'open', is: ['is open', 'is still open'] },
] as const
const TYPES = ['call', 'meeting', 'task', 'email'] as const

const status = (value: string): Condition => ({ field: 'status', op: 'eq', value })
const ofAll = (where: Condition): Condition => ({ and: [{ some: 'deals' }, { every: 'deals', where }] })

/** Of a company or a contact. */
export function quantifiedIn(): Said {
  const one = pick(OUTCOMES)
  const other = pick(OUTCOMES.filter(({ value }) => value !== one.value))
  const kind = below(6)
  if (kind < 2)
    return {
      words: pick([
        `whose deals are all ${one.such}`,
        `all of whose deals are ${one.such}`,
        `with nothing but ${one.such} deals`,
        `that have only ${one.such} deals`,
        `with only ${one.such} deals, no others`,
        `where every deal ${pick(one.is)}`,
        `where every deal so far ${pick(one.is)}`,
        `of which each deal ${pick(one.is)}`,
        `where all deals are ${one.such} without exception`,
      ]),
      where: ofAll(status(one.value)),
    }
  if (kind === 2) {
    const value = (1 + below(20)) * 1000
    const isMore = random() < 0.5
    return {
      words: pick([
        `whose deals are all ${isMore ? 'over' : 'under'} ${value}`,
        `where every deal is worth ${isMore ? 'more' : 'less'} than ${value}`,
      ]),
      where: ofAll({ field: 'amount', op: isMore ? 'gt' : 'lt', value }),
    }
  }
  if (kind === 3)
    return {
      words: pick([
        `with neither a ${one.such} nor a ${other.such} deal`,
        `that have no ${one.such} and no ${other.such} deal`,
        `without a deal that is ${one.such} or ${other.such}`,
      ]),
      where: { none: 'deals', where: { field: 'status', op: 'in', value: [one.value, other.value] } },
    }
  if (kind === 4)
    return {
      words: pick([
        `with a ${one.such} deal but no ${other.such} one`,
        `that have a ${one.such} deal and none that is ${other.such}`,
        `with at least one ${one.such} deal and without a ${other.such} one`,
      ]),
      where: {
        and: [
          { some: 'deals', where: status(one.value) },
          { none: 'deals', where: status(other.value) },
        ],
      },
    }
  return {
    words: pick([
      `with a ${one.such} deal as well as a ${other.such} one`,
      `that have both a ${one.such} and a ${other.such} deal`,
      `with ${one.such} deals and with ${other.such} ones, too`,
    ]),
    where: {
      and: [
        { some: 'deals', where: status(one.value) },
        { some: 'deals', where: status(other.value) },
      ],
    },
  }
}

/** No activity of several types. */
export function untouchedIn(): Said {
  const [a, b, c] = TYPES.toSorted(() => random() - 0.5)
  const types = random() < 0.5 ? [a, b] : [a, b, c]
  const list = types.join(', ').replace(/, (\w+)$/, ' or $1')
  return {
    words: pick([
      `with no ${list}`,
      `without any ${list}`,
      `that never had a ${list}`,
      `with neither a ${types.join(' nor a ')}`,
      `for which there is no ${list} at all`,
    ]),
    where: {
      none: 'activities',
      where: { field: 'type', op: 'in', value: types.filter(type => type !== undefined) },
    },
  }
}

/** The only choices of a field with several. */
export function onlyIn({ choices }: World, entity: string): Said | undefined {
  const own = pick(choices.filter(({ kind }) => kind === entity))
  const value = own && pick(own.choices)
  if (!own || value === undefined) return undefined
  const [label, said] = [own.label.toLowerCase(), random() < 0.4 ? value.toLowerCase() : value]
  const others = own.choices.filter(choice => choice !== value)
  const only: Condition[] = others.length > 0 ? [{ field: own.field, op: 'not_in', value: others }] : []
  return {
    words: pick([
      `with ${said} only`,
      `that have only ${said}`,
      `with ${said} and nothing else`,
      `with nothing but ${said} as ${label}`,
      `whose only ${label} is ${said}`,
      `with ${said} and no other ${label}`,
      `that just take ${said}`,
    ]),
    where: { and: [{ field: own.field, op: 'in', value: [value] }, ...only] },
  }
}
