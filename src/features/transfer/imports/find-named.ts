/** The records that a cell names: by an id, a domain, an address or a name, as a whole or as a list. */
import { personName, turnedName } from './people-names.ts'
import type { Existing } from './types.ts'
import { readNames } from './values.ts'

export interface Wish {
  id: string | undefined
  external: string | undefined
  name: string
  domain: string | undefined
}

/** One record, or several that the text fits: no one can tell which of them is meant. */
export type Hit = { id: string } | { several: string; by: 'name' | 'address' | 'domain' }

/** The ids that rows before this one have reserved for records with a name (reservations.ts). */
export type ReservedFor = (name: string) => readonly string[]

/** A name may contain a comma or a semicolon, or be several names: the one that exists counts. */
export const variantsOf = (name: string): string[] => [
  ...new Set([name, ...readNames(name), ...splitAtCommas(name)]),
]

const splitAtCommas = (name: string): string[] =>
  name.includes(',')
    ? name
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== '')
    : []

/** By its id, then by its domain, then by its address or name: as a whole, or as a list of which all are found. */
export function findAll(wish: Wish, existing: Existing, reserved: ReservedFor): Hit[] {
  const { id, external, name, domain } = wish
  const elsewhere = external === undefined ? undefined : existing.externals.get(external)?.ids[0]
  if (elsewhere !== undefined) return [{ id: elsewhere }]
  if (id !== undefined && existing.states.get(id) === 'living') return [{ id }]
  const open = (ids: readonly string[] = []) =>
    external === undefined ? ids : ids.filter(each => !existing.identified.has(each))
  const among: Among = { existing, open, reserved: external === undefined ? reserved : () => [] }
  const ofDomain = domain === undefined ? [] : open(existing.domains.get(domain)?.ids)
  const [first] = ofDomain
  if (first !== undefined && ofDomain.length === 1) return [{ id: first }]
  const whole = findNamed(name, among)
  if (domain !== undefined && ofDomain.length > 1)
    return [whole && 'id' in whole ? whole : { several: domain, by: 'domain' }]
  if (whole !== undefined) return [whole]
  for (const parts of [readNames(name), splitAtCommas(name)]) {
    const hits = parts.map(part => findNamed(part, among))
    if (parts.length > 1 && hits.every(hit => hit !== undefined)) return hits
  }
  return []
}

interface Among {
  existing: Existing
  /** A record that has another id in the same system is another record, even with the same name. */
  open(ids: readonly string[] | undefined): readonly string[]
  reserved: ReservedFor
}

function findNamed(text: string, among: Among): Hit | undefined {
  const { existing } = among
  const plain = hitOf(text, 'name', existing.names.get(text)?.ids, among)
  if (plain) return plain
  const { name, email } = personName(text)
  const turned = turnedName(name)
  return (
    (email === undefined ? undefined : hitOf(email, 'address', existing.addresses.get(email)?.ids, among)) ??
    (name === '' || name === text ? undefined : hitOf(name, 'name', existing.names.get(name)?.ids, among)) ??
    (turned === undefined ? undefined : hitOf(turned, 'name', existing.names.get(turned)?.ids, among))
  )
}

/** A reserved record alone is no hit: reserving it again returns it. */
function hitOf(
  text: string,
  by: 'name' | 'address',
  all: readonly string[] | undefined,
  { open, reserved }: Among,
): Hit | undefined {
  const ids = open(all)
  const [id] = ids
  const others = reserved(text).filter(other => !ids.includes(other))
  if (ids.length + others.length > 1) return { several: text, by }
  return id === undefined ? undefined : { id }
}
