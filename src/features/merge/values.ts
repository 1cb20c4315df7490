/** What a merged record holds: the primary's values, its gaps filled from the others in order, lists joined. */
import type { Item, RecordType } from '../../kernel/resource.ts'

/** A yes of any of them counts: whoever asked not to be contacted stays so. */
function firstGiven(values: unknown[]): unknown {
  if (typeof values[0] === 'boolean') return values.some(Boolean)
  return values.find(value => value !== null && value !== undefined && value !== '') ?? null
}

export function mergedValues(record: RecordType, primary: Item, others: readonly Item[]): Item {
  const merged: Item = {}
  for (const field of Object.keys(record.input.fields)) {
    if (record.links?.[field] || !Object.hasOwn(primary, field)) continue
    const values = [primary[field], ...others.map(other => other[field])]
    const joined = JOINED[field]?.(values, primary, others)
    const value = joined === undefined ? firstGiven(values) : joined
    if (JSON.stringify(value) !== JSON.stringify(primary[field])) merged[field] = value
  }
  return merged
}

type Join = (values: unknown[], primary: Item, others: readonly Item[]) => unknown

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

/** The first to have a key gives its value. */
const joinObjects: Join = values => Object.assign({}, ...values.map(value => value ?? {}).reverse())

const MOST = 20

/** Addresses or numbers of all, the primary's first; its main one stays the main one. */
const joinReach =
  (field: 'email' | 'phone'): Join =>
  (_, primary, others) => {
    const listed = (record: Item): Item[] => {
      const list = record[`${field}s`]
      return Array.isArray(list) ? list : []
    }
    const single = (record: Item): Item[] => (record[field] ? [{ [field]: record[field], type: 'work' }] : [])
    const all = [
      ...(listed(primary).length > 0 ? listed(primary) : single(primary)),
      ...others.flatMap(other => [...listed(other), ...single(other)]),
    ]
    const keyOf = (entry: Item) => String(entry[field]).toLowerCase()
    const main = keyOf(primary[field] ? primary : (all[0] ?? {}))
    const distinct = new Map(all.toReversed().map(entry => [keyOf(entry), entry]))
    const entries = [...distinct.values()].reverse().slice(0, MOST)
    if (entries.length < 2) return primary[`${field}s`]
    return entries.map(entry => ({ ...entry, is_primary: keyOf(entry) === main }))
  }

const JOINED: Record<string, Join> = {
  categories: distinctTexts,
  domains: (values, primary) =>
    texts(values.slice(1)).length === 0 ? primary.domains : distinctTexts(values),
  metadata: joinObjects,
  enrichment: joinObjects,
  emails: joinReach('email'),
  phones: joinReach('phone'),
}
