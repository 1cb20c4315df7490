/**
 * Companies and people that rows name and that do not exist: their ids are reserved, and they are created with the first
 * good row that names them.
 */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { errors, type HttpError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Item, RecordType, SetResource } from '../../../kernel/resource.ts'
import type { Issue } from '../../../kernel/schema/index.ts'
import { rows, type TableName } from '../../../kernel/statements.ts'
import { at, present } from '../../../lib/values.ts'
import { isUuid } from './infer.ts'
import { personName, splitName, turnedName } from './people-names.ts'
import type { Existing, Plan, Reserved, Write } from './types.ts'

export interface Reserver {
  /** Returns the reserved id; undefined where nothing can be created from the name. */
  reserve(
    field: string,
    id: string | undefined,
    name: string,
    domain: string | undefined,
    external: string | undefined,
  ): string | undefined
  /** The ids that are reserved for a name or an address: two where rows have two records of one name. */
  named(name: string): readonly string[]
}

/** One reservation for each name, address or domain, in any spelling, however many rows name it. */
export function reserver(
  plan: Plan,
  table: TableName,
  reserved: Map<string, Reserved>,
  existing: Existing,
): Reserver | undefined {
  if (table !== 'companies' && table !== 'contacts') return undefined
  if (plan.onMissing[table === 'companies' ? 'company' : 'contact'] !== 'create') return undefined
  const byKey = new Map<string, string[]>()
  const keysOfName = (name: string) =>
    table === 'companies' ? companyKeys(name, undefined, existing) : personKeys(name, existing)
  const named = (name: string) => keysOfName(name).flatMap(key => byKey.get(key) ?? [])
  const reserve: Reserver['reserve'] = (field, requestedId, name, domain, external) => {
    const named = table === 'companies' ? companyKeys(name, domain, existing) : personKeys(name, existing)
    const ofId = external === undefined ? [] : [`external ${external}`]
    // Two records with an id each are two, even with the same name.
    const keys = [...ofId, ...(external === undefined ? named : [])]
    const reservedId = keys.map(key => byKey.get(key)?.[0]).find(id => id !== undefined)
    if (reservedId === undefined && named.length === 0) return undefined
    const isFree =
      requestedId !== undefined &&
      isUuid(requestedId) &&
      !existing.states.has(requestedId) &&
      !reserved.has(requestedId)
    const id = reservedId ?? (isFree ? requestedId : newId())
    for (const key of [...ofId, ...named]) {
      const ids = byKey.get(key) ?? []
      if (!ids.includes(id)) byKey.set(key, [...ids, id])
    }
    if (reservedId === undefined) {
      const shown = name.trim() || present(domain, 'the domain of a company without a name')
      reserved.set(id, { table, id, field, name: shown, domain, external })
    }
    return id
  }
  return { reserve, named }
}

const companyKeys = (name: string, domain: string | undefined, existing: Existing): string[] => [
  ...(domain === undefined ? [] : [`domain ${existing.domains.get(domain)?.key}`]),
  ...(name.trim() === '' ? [] : [`name ${existing.names.get(name)?.key ?? name}`]),
]

function personKeys(text: string, existing: Existing): string[] {
  const { name, email } = personName(text)
  if (email !== undefined) return [`address ${existing.addresses.get(email)?.key ?? email}`]
  const plain = turnedName(name) ?? name
  return plain === '' ? [] : [`name ${existing.names.get(plain)?.key ?? plain}`]
}

const LINKS = [
  'parent_id',
  'company_id',
  'company_ids',
  'associated_company_ids',
  'primary_contact_id',
  'contact_ids',
  'associated_contact_ids',
]

/** Creates the reserved records of these rows by the operations of their resource. Returns the rows that it refuses. */
export async function createReserved(
  tx: Ctx,
  plan: Plan,
  writes: readonly Write[],
  reserved: ReadonlyMap<string, Reserved>,
): Promise<Map<string, HttpError>> {
  if (reserved.size === 0) return new Map()
  const named = writes.map(({ id, input }) => ({
    id,
    links: LINKS.flatMap(field => input[field] ?? []).map(String),
  }))
  const links = new Set(named.flatMap(write => write.links))
  const linked = [...reserved.values()].filter(({ id }) => links.has(id))
  const refused = new Map<string, HttpError>()
  for (const [table, resource] of [
    ['companies', plan.companies],
    ['contacts', plan.contacts],
  ] as const) {
    const missing = await missingRecords(tx, linked, table)
    if (missing.length === 0) continue
    const operations = present(resource, `the resource of ${table}`)
    for (const [id, error] of await create(tx, plan, operations, missing)) refused.set(id, error)
  }
  return new Map(
    named.flatMap(({ id, links }) => {
      const error = links.map(link => refused.get(link)).find(one => one !== undefined)
      return error ? [[id, error] as const] : []
    }),
  )
}

/** Returns those that the schema or a rule of the resource refuses, by id. */
async function create(
  tx: Ctx,
  plan: Plan,
  { record, operations }: SetResource,
  missing: readonly Reserved[],
): Promise<Map<string, HttpError>> {
  const refused = new Map<string, HttpError>()
  const inputs = missing.flatMap(reservation => {
    const issues: Issue[] = []
    const input = record.input.check(inputOf(plan, reservation), ['body'], issues)
    if (issues.length === 0) return [{ reservation, input }]
    refused.set(reservation.id, refusalOf(reservation, record.label, errors.invalid(issues)))
    return []
  })
  const linked = linkedBits(plan.resource.record, record)
  const saved = await operations.createMany(
    tx,
    inputs.map(({ reservation, input }) => ({ input, set: { id: reservation.id }, linked })),
  )
  for (const [i, { error }] of saved.entries()) {
    const { reservation } = at(inputs, i)
    if (error) refused.set(reservation.id, refusalOf(reservation, record.label, error))
  }
  return refused
}

/**
 * The bits of `linked` that the links of the imported records will set in these. Without them the trigger of the links
 * would write each of these rows a second time, with all of its index entries.
 */
function linkedBits(imported: RecordType, { table, links = {} }: RecordType): number {
  const tables = Object.values(imported.links ?? {}).flatMap(link =>
    link.target.table === table ? [link.table] : [],
  )
  const bits = Object.values(links).map(link => (tables.includes(link.table) ? (link.bit ?? 0) : 0))
  return bits.reduce((all, bit) => all | bit, 0)
}

function inputOf({ source }: Plan, { table, name: text, domain, external }: Reserved): Item {
  const ids = source === undefined || external === undefined ? {} : { external_ids: { [source]: external } }
  if (table === 'companies')
    return { name: text, ...(domain === undefined ? {} : { domains: [domain] }), ...ids }
  const { name, email } = personName(text)
  return { ...(name === '' ? {} : splitName(name)), ...(email === undefined ? {} : { email }), ...ids }
}

/** The row fails at the column that names the record. */
function refusalOf({ name, field }: Reserved, label: string, { detail }: HttpError): HttpError {
  const reasons =
    typeof detail === 'string'
      ? detail
      : detail
          .map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg.replace(/^Value error, /, '')}`)
          .join('; ')
  const sentence = `the ${label.toLowerCase()} “${name}” cannot be created: ${reasons}`
  return errors.invalidValue(['body', field], sentence, name)
}

async function missingRecords(
  tx: Ctx,
  reserved: readonly Reserved[],
  table: Reserved['table'],
): Promise<Reserved[]> {
  const mine = reserved.filter(reservation => reservation.table === table)
  if (mine.length === 0) return []
  const there = await query(
    tx,
    sql<{
      id: string
    }>`select r.id from ${rows(tx, table)} r where r.id = any(${mine.map(({ id }) => id)}::uuid[])`,
  )
  const existingIds = new Set(there.map(({ id }) => id))
  return mine.filter(({ id }) => !existingIds.has(id))
}
