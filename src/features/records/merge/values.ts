/** The values of a merged record: the primary's, empty ones filled from the others in order, and lists joined. */

import type { RecordInput, RecordType, Stored } from '../../../kernel/resource.ts'
import { isRecord } from '../../../lib/values.ts'

const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** True if any is true: a person who asked not to be contacted must not be contacted after a merge. */
function firstFilled(values: unknown[]): unknown {
  if (typeof values[0] === 'boolean') return values.some(Boolean)
  return values.find(isFilled) ?? null
}

export function mergedValues(record: RecordType, primary: Stored, others: readonly Stored[]): RecordInput {
  const merged: RecordInput = {}
  for (const field of Object.keys(record.input.fields)) {
    if (record.links?.[field] || ![primary, ...others].some(each => Object.hasOwn(each, field))) continue
    const values = [primary[field], ...others.map(other => other[field])]
    const joined = JOINED[field]?.(values, primary, others)
    const value = joined === undefined ? firstFilled(values) : joined
    if (JSON.stringify(value) !== JSON.stringify(primary[field])) merged[field] = value
  }
  return merged
}

type Join = (values: unknown[], primary: Stored, others: readonly Stored[]) => unknown

const texts = (values: unknown[]): string[] => values.flat().filter(value => typeof value === 'string')

function distinctTexts(values: unknown[]): string[] | null {
  const byFolded = new Map(
    texts(values)
      .reverse()
      .map(text => [text.toLowerCase(), text]),
  )
  const list = [...byFolded.values()].reverse()
  return list.length > 0 ? list : null
}

/** The first object with a value for a key provides it; an empty value is better than none. */
const joinObjects: Join = values => {
  const objects = values.filter(isRecord).toReversed()
  const filled = objects.map(one => Object.fromEntries(Object.entries(one).filter(([, v]) => isFilled(v))))
  return Object.assign({}, ...objects, ...filled)
}

/** What the client decided, instead of what would be taken over; custom fields are decided one by one. */
export function overridden(values: RecordInput, overrides: RecordInput = {}, primary: Stored): RecordInput {
  const { metadata } = overrides
  if (!isRecord(metadata)) return { ...values, ...overrides }
  const joined = isRecord(values.metadata) ? values.metadata : primary.metadata
  return { ...values, ...overrides, metadata: { ...(isRecord(joined) ? joined : {}), ...metadata } }
}

const MOST = 20

/** An entry of `emails` or `phones`. */
interface Reach {
  email?: string
  phone?: string
  type?: string
}

/** The e-mail addresses or phone numbers of all records, the primary's first. Its main entry remains the main entry. */
const joinReach =
  (field: 'email' | 'phone'): Join =>
  (_, primary, others) => {
    const listed = (record: Stored): Reach[] => {
      const list = record[`${field}s`]
      return Array.isArray(list) ? list : []
    }
    const single = (record: Stored): Reach[] => {
      const value = record[field]
      return typeof value === 'string' && value !== '' ? [{ [field]: value, type: 'work' }] : []
    }
    const all = [
      ...(listed(primary).length > 0 ? listed(primary) : single(primary)),
      ...others.flatMap(other => [...listed(other), ...single(other)]),
    ]
    const keyOf = (entry: Reach) => String(entry[field]).toLowerCase()
    const main = keyOf(single(primary)[0] ?? all[0] ?? {})
    const distinct = new Map(all.toReversed().map(entry => [keyOf(entry), entry]))
    const entries = [...distinct.values()].reverse().slice(0, MOST)
    if (entries.length < 2) return primary[`${field}s`]
    return entries.map(entry => ({ ...entry, is_primary: keyOf(entry) === main }))
  }

/** One of the companies that are merged cannot be the parent of the result. */
const otherParent: Join = ([own, ...values], _, others) =>
  own ?? values.find(id => isFilled(id) && !others.some(other => other.id === id)) ?? null

const JOINED: Record<string, Join> = {
  parent_id: otherParent,
  categories: distinctTexts,
  domains: (values, primary) =>
    texts(values.slice(1)).length === 0 ? primary.domains : distinctTexts(values),
  metadata: joinObjects,
  enrichment: joinObjects,
  external_ids: joinObjects,
  emails: joinReach('email'),
  phones: joinReach('phone'),
}
