/** The mail addresses and phone numbers of a contact: `email` and `phone` are the primary ones of the lists. */
export type AddressList = 'emails' | 'phones'

export const ADDRESS_KEY = { emails: 'email', phones: 'phone' } as const

export const ADDRESS_TYPES: Readonly<Record<AddressList, readonly string[]>> = {
  emails: ['work', 'home', 'other'],
  phones: ['work', 'mobile', 'home', 'other'],
}

export interface Address {
  value: string
  type: string
  is_primary: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A value of `emails` or `phones`. */
export const addressesOf = (list: AddressList, value: unknown): Address[] =>
  (Array.isArray(value) ? value : []).filter(isObject).map(entry => ({
    value: String(entry[ADDRESS_KEY[list]] ?? ''),
    type: String(entry.type ?? 'work'),
    is_primary: entry.is_primary === true,
  }))

/** The list of a record, which has none while its contact has one address only. */
export function addressesIn(record: object, list: AddressList): unknown {
  const { [list]: many, [ADDRESS_KEY[list]]: one } = record as Record<string, unknown>
  if ((Array.isArray(many) && many.length > 0) || !one) return many ?? null
  return [{ [ADDRESS_KEY[list]]: one, type: 'work', is_primary: true }]
}

/** What is written: the list, and the primary address, which Undo would lose with a list that was null before. */
export function addressChanges(list: AddressList, addresses: readonly Address[]) {
  const complete = addresses.flatMap(one => (one.value.trim() ? [{ ...one, value: one.value.trim() }] : []))
  const primary = complete.find(({ is_primary }) => is_primary) ?? complete[0]
  const value = complete.map(one => ({
    ...{ [ADDRESS_KEY[list]]: one.value, type: one.type },
    is_primary: one === primary,
  }))
  return { value, also: { [ADDRESS_KEY[list]]: primary?.value ?? null } }
}
