/**
 * `email` and `emails`, `phone` and `phones`: the single value is the primary entry of the list.
 *
 * - Only the list is written: the primary entry is the one marked so, else the previous one, else the first. Emptying
 *   a list that had entries leaves no primary value.
 * - Only the single value is written: it becomes primary. If the list has it, it is marked there; otherwise it replaces
 *   the previous primary entry. `null` removes that entry, and no other entry becomes primary.
 * - Both are written: the single value is primary, and is added as the first entry if the list lacks it.
 *
 * A contact with one address needs no list.
 */
import { errors } from '../../kernel/errors.ts'
import { type ContactInput, MAX_ADDRESSES } from './record.ts'

export type Addresses = Pick<ContactInput, 'email' | 'emails' | 'phone' | 'phones'>
type Email = NonNullable<ContactInput['emails']>[number]
type Phone = NonNullable<ContactInput['phones']>[number]

/** The single value and the list; undefined: unchanged. */
interface Pair<Entry> {
  one: string | null | undefined
  many: Entry[] | null | undefined
}

interface Kind<Entry> {
  one: 'email' | 'phone'
  many: 'emails' | 'phones'
  /** the form in which values are compared */
  same(value: string): string
  valueOf(entry: Entry): string
  /** the entry with this value, or a new one */
  withValue(value: string, entry?: Entry): Entry
}

const EMAIL: Kind<Email> = {
  one: 'email',
  many: 'emails',
  same: value => value.toLowerCase(),
  valueOf: entry => entry.email,
  withValue: (email, entry = { email, type: 'work', is_primary: true }) => ({ ...entry, email }),
}

const PHONE: Kind<Phone> = {
  one: 'phone',
  many: 'phones',
  same: value => value.replace(/[^0-9]/g, '') || value,
  valueOf: entry => entry.phone,
  withValue: (phone, entry = { phone, type: 'work', is_primary: true }) => ({ ...entry, phone }),
}

/** The four fields to write, from their current values and the caller's input. */
export function settleAddresses(now: Addresses, input: Addresses): Addresses {
  const emails = settle(EMAIL, { one: now.email, many: now.emails }, { one: input.email, many: input.emails })
  const phones = settle(PHONE, { one: now.phone, many: now.phones }, { one: input.phone, many: input.phones })
  return {
    ...(emails.one === undefined ? {} : { email: emails.one }),
    ...(emails.many === undefined ? {} : { emails: emails.many }),
    ...(phones.one === undefined ? {} : { phone: phones.one }),
    ...(phones.many === undefined ? {} : { phones: phones.many }),
  }
}

type Marked = { is_primary: boolean }

function settle<Entry extends Marked>(
  kind: Kind<Entry>,
  now: Pair<Entry>,
  { one, many }: Pair<Entry>,
): Pair<Entry> {
  if (many === undefined) return one === undefined ? { one, many } : singleAlone(kind, now, one)
  if (many === null || many.length === 0) {
    if (one !== undefined) return { one, many }
    return { one: now.many?.length ? null : undefined, many }
  }
  return typeof one === 'string' ? both(kind, many, one) : listAlone(kind, now, many)
}

function singleAlone<Entry extends Marked>(
  kind: Kind<Entry>,
  now: Pair<Entry>,
  one: string | null,
): Pair<Entry> {
  const list = now.many ?? []
  if (list.length === 0) return { one, many: undefined }
  if (one === null) return { one, many: list.filter(entry => !entry.is_primary) }
  const present = indexOf(kind, list, one)
  const index = present >= 0 ? present : list.findIndex(entry => entry.is_primary)
  return index >= 0 ? led(kind, list, index, one) : both(kind, list, one)
}

function listAlone<Entry extends Marked>(kind: Kind<Entry>, now: Pair<Entry>, list: Entry[]): Pair<Entry> {
  const before = typeof now.one === 'string' ? indexOf(kind, list, now.one) : -1
  const marked = list.findIndex(entry => entry.is_primary)
  const index = marked >= 0 ? marked : Math.max(before, 0)
  const leader = list[index]
  return leader ? led(kind, list, index, kind.valueOf(leader)) : { one: undefined, many: list }
}

function both<Entry extends Marked>(kind: Kind<Entry>, list: Entry[], one: string): Pair<Entry> {
  const index = indexOf(kind, list, one)
  if (index >= 0) return led(kind, list, index, one)
  if (list.length >= MAX_ADDRESSES) {
    const sentence = `at most ${MAX_ADDRESSES} are kept, the one in ${kind.one} among them`
    throw errors.invalidValue(['body', kind.many], sentence, list)
  }
  return led(kind, [kind.withValue(one), ...list], 0, one)
}

const indexOf = <Entry>(kind: Kind<Entry>, list: Entry[], value: string): number =>
  list.findIndex(entry => kind.same(kind.valueOf(entry)) === kind.same(value))

const led = <Entry extends Marked>(
  kind: Kind<Entry>,
  list: Entry[],
  index: number,
  value: string,
): Pair<Entry> => ({
  one: value,
  many: list.map((entry, i) =>
    i === index ? { ...kind.withValue(value, entry), is_primary: true } : { ...entry, is_primary: false },
  ),
})
