/**
 * `email` and `emails`, `phone` and `phones`: the single one is the primary of the list, whichever was written.
 *
 * - The list alone: the one marked primary leads, else the one that led before, else the first. Emptying a
 *   list that had entries leaves nobody to lead.
 * - The single one alone: it leads. If the list has it, it is marked there; otherwise it takes the place of
 *   the one that led. `null` takes that one off the list, and none of the rest is promoted.
 * - Both: the single one leads, and joins the list at its head when it is not in it.
 *
 * A contact with one address need not have a list at all.
 */
import { errors } from '../../kernel/errors.ts'
import type { Item } from '../../kernel/resource.ts'
import { MAX_ADDRESSES } from './record.ts'

type Entry = Item & { is_primary: boolean }

interface Kind {
  one: 'email' | 'phone'
  many: 'emails' | 'phones'
  /** how two spellings of the same are recognised */
  same: (value: string) => string
}

export const EMAIL: Kind = { one: 'email', many: 'emails', same: value => value.toLowerCase() }
export const PHONE: Kind = {
  one: 'phone',
  many: 'phones',
  same: value => value.replace(/[^0-9]/g, '') || value,
}

/** The two fields as they are to be written, given how they stand and what the caller sent of them. */
export function settle(kind: Kind, now: Item, input: Item): Item {
  const { one, many } = kind
  const single: string | null | undefined = input[one]
  const list: Entry[] | null | undefined = input[many]
  if (list === undefined) return single === undefined ? {} : singleAlone(kind, now, single)
  if (list === null || list.length === 0) {
    if (single !== undefined) return { [one]: single, [many]: list }
    return now[many]?.length ? { [one]: null, [many]: list } : { [many]: list }
  }
  return typeof single === 'string' ? both(kind, list, single) : listAlone(kind, now, list)
}

function singleAlone(kind: Kind, now: Item, single: string | null): Item {
  const { one, many } = kind
  const list: Entry[] = now[many] ?? []
  if (list.length === 0) return { [one]: single }
  if (single === null) return { [one]: null, [many]: list.filter(entry => !entry.is_primary) }
  const known = placeOf(kind, list, single)
  const place = known >= 0 ? known : list.findIndex(entry => entry.is_primary)
  return place >= 0 ? led(kind, list, place, single) : both(kind, list, single)
}

function listAlone(kind: Kind, now: Item, list: Entry[]): Item {
  const marked = list.findIndex(entry => entry.is_primary)
  const before = typeof now[kind.one] === 'string' ? placeOf(kind, list, now[kind.one]) : -1
  const place = marked >= 0 ? marked : Math.max(before, 0)
  return led(kind, list, place, list[place]![kind.one])
}

function both(kind: Kind, list: Entry[], single: string): Item {
  const place = placeOf(kind, list, single)
  if (place >= 0) return led(kind, list, place, single)
  if (list.length >= MAX_ADDRESSES) {
    const sentence = `at most ${MAX_ADDRESSES} are kept, the one in ${kind.one} among them`
    throw errors.invalidValue(['body', kind.many], sentence, list)
  }
  return led(kind, [{ [kind.one]: single, type: 'work', is_primary: true }, ...list], 0, single)
}

const placeOf = (kind: Kind, list: Entry[], value: string): number =>
  list.findIndex(entry => kind.same(entry[kind.one]) === kind.same(value))

const led = ({ one, many }: Kind, list: Entry[], place: number, value: string): Item => ({
  [one]: value,
  [many]: list.map((entry, i) =>
    i === place ? { ...entry, [one]: value, is_primary: true } : { ...entry, is_primary: false },
  ),
})
