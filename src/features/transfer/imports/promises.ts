/** Companies and people that rows name and that are not here yet: made once a row that names them is good. */
import { sql } from 'kysely'
import { insertRecords } from '../../../kernel/bulk-sql.ts'
import { type Ctx, query } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import type { RecordInput } from '../../../kernel/resource.ts'
import { rows, type TableName } from '../../../kernel/statements.ts'
import { present } from '../../../lib/values.ts'
import type { Draft } from './drafts.ts'
import { isUuid } from './infer.ts'
import type { Known } from './lookups.ts'
import { personName, splitName } from './people-names.ts'
import type { Plan } from './plan.ts'

export interface Promised {
  table: 'companies' | 'contacts'
  id: string
  name: string
  domain: string | undefined
  /** its id in the system the file comes from */
  external: string | undefined
  /** the row that asked for it first */
  by: Draft
}

/** Answers the id of what is promised; undefined where nothing can be made of it. */
export type Promising = (
  draft: Draft,
  id: string | undefined,
  name: string,
  domain: string | undefined,
  external: string | undefined,
) => string | undefined

/** One promise for each name, address or domain, whatever its spelling and however many rows name it. */
export function promises(
  plan: Plan,
  table: TableName,
  promised: Map<string, Promised>,
  known: Known,
): Promising | undefined {
  if (table !== 'companies' && table !== 'contacts') return undefined
  if (plan.onMissing[table === 'companies' ? 'company' : 'contact'] !== 'create') return undefined
  const byKey = new Map<string, string>()
  return (draft, wanted, name, domain, external) => {
    const named = table === 'companies' ? companyKeys(name, domain, known) : personKeys(name, known)
    const ofId = external === undefined ? [] : [`external ${external}`]
    // Two records with an id each are two, even with the same name.
    const keys = [...ofId, ...(external === undefined ? named : [])]
    const there = keys.map(key => byKey.get(key)).find(id => id !== undefined)
    if (there === undefined && named.length === 0) return undefined
    const isFree =
      wanted !== undefined && isUuid(wanted) && !known.states.has(wanted) && !promised.has(wanted)
    const id = there ?? (isFree ? wanted : newId())
    for (const key of [...ofId, ...named]) if (!byKey.has(key)) byKey.set(key, id)
    if (there === undefined) {
      const shown = name.trim() || present(domain, 'the domain of a company without a name')
      promised.set(id, { table, id, name: shown, domain, external, by: draft })
    }
    return id
  }
}

const companyKeys = (name: string, domain: string | undefined, known: Known): string[] => [
  ...(domain === undefined ? [] : [`domain ${known.domains.get(domain)?.key}`]),
  ...(name.trim() === '' ? [] : [`name ${known.names.get(name)?.key ?? name}`]),
]

function personKeys(text: string, known: Known): string[] {
  const { name, email } = personName(text)
  if (email !== undefined) return [`address ${known.addresses.get(email)?.key ?? email}`]
  return name === '' ? [] : [`name ${known.names.get(name)?.key ?? name}`]
}

const LINKS = [
  'company_id',
  'company_ids',
  'associated_company_ids',
  'primary_contact_id',
  'contact_ids',
  'associated_contact_ids',
]

/** Makes what these rows were promised and what is not there yet. */
export async function keepPromises(
  tx: Ctx,
  plan: Plan,
  inputs: readonly RecordInput[],
  promised: ReadonlyMap<string, Promised>,
): Promise<void> {
  if (promised.size === 0) return
  const named = new Set(inputs.flatMap(input => LINKS.flatMap(field => input[field] ?? [])))
  const wanted = [...promised.values()].filter(({ id }) => named.has(id))
  const companies = await notThere(tx, wanted, 'companies')
  await insertRecords(
    tx,
    'companies',
    companies.map(({ id, name, domain, external }) => ({
      id,
      name,
      domains: domain === undefined ? null : [domain],
      created_by: tx.user,
      ...idsOf(plan, external),
    })),
  )
  const people = await notThere(tx, wanted, 'contacts')
  if (people.length === 0) return
  const { operations } = present(plan.contacts, 'the resource of contacts')
  const saved = await operations.createMany(
    tx,
    people.map(({ id, name: text, external }) => {
      const { name, email } = personName(text)
      const input = {
        ...(name === '' ? {} : splitName(name)),
        ...(email === undefined ? {} : { email }),
        ...idsOf(plan, external),
      }
      return { input, set: { id } }
    }),
  )
  for (const { error } of saved) if (error) throw error
}

const idsOf = ({ source }: Plan, external: string | undefined) =>
  source === undefined || external === undefined ? {} : { external_ids: { [source]: external } }

async function notThere(tx: Ctx, wanted: readonly Promised[], table: Promised['table']): Promise<Promised[]> {
  const mine = wanted.filter(promise => promise.table === table)
  if (mine.length === 0) return []
  const there = await query(
    tx,
    sql<{
      id: string
    }>`select r.id from ${rows(tx, table)} r where r.id = any(${mine.map(({ id }) => id)}::uuid[])`,
  )
  const known = new Set(there.map(({ id }) => id))
  return mine.filter(({ id }) => !known.has(id))
}
