/**
 * The records that rows name, found for all rows at once: companies, people, deals, members, pipelines and stages.
 * What is found goes into the draft as an id. A company that is not there may be made; until it is known that its row
 * is good, it is only promised.
 */
import type { Ctx } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import type { Target } from '../../kernel/links.ts'
import type { RecordType } from '../../kernel/resource.ts'
import type { TableName } from '../../kernel/statements.ts'
import type { Draft, Tie } from './drafts.ts'
import { rowError } from './drafts.ts'
import { tieTargets } from './fields.ts'
import { isEmailLike, isUuid } from './infer.ts'
import { type Found, findCalled, type Member, membersOf, stagesOf, statesOf } from './lookups.ts'
import { resolveStages } from './resolve-stages.ts'

export interface PromisedCompany {
  id: string
  name: string
  domain: string | undefined
  /** the row that asked for it first */
  by: Draft
}

export interface Resolved {
  /** companies that rows were promised, by id */
  promised: Map<string, PromisedCompany>
}

/** As long as a company's name, or one of its domains, may be. */
const MAX_NAME = 255

interface Known {
  states: ReadonlyMap<string, 'living' | 'trashed'>
  names: ReadonlyMap<string, Found>
  addresses: ReadonlyMap<string, Found>
  domains: ReadonlyMap<string, Found>
}

export async function resolveTies(
  ctx: Ctx,
  record: RecordType,
  drafts: readonly Draft[],
  options: { createCompanies: boolean },
): Promise<Resolved> {
  const targets = tieTargets(record)
  const promised = new Map<string, PromisedCompany>()
  const named = new Set(drafts.flatMap(draft => Object.keys(draft.ties)))
  const byTable = Map.groupBy(
    [...named].filter(field => !['pipeline_id', 'stage_id'].includes(field)),
    field => targets[field]!.table,
  )
  for (const [table, fields] of byTable) {
    const ties = drafts.flatMap(draft => fields.flatMap(field => draft.ties[field] ?? []))
    if (table === 'members') resolveMembers(await membersOf(ctx), fields, drafts)
    else {
      const known = await lookUp(ctx, table, ties)
      const companies =
        table === 'companies' && options.createCompanies ? promises(promised, known) : undefined
      for (const draft of drafts) {
        for (const field of fields) resolveTie(draft, field, targets[field]!, record, known, companies)
      }
    }
  }
  if (record.entityType === 'deal') resolveStages(await stagesOf(ctx), drafts)
  return { promised }
}

async function lookUp(ctx: Ctx, table: TableName, ties: readonly Tie[]): Promise<Known> {
  const names = ties.flatMap(tie => tie.names).filter(name => name.trim() !== '')
  const emails = table === 'contacts' ? names.filter(isEmailLike) : []
  const called = { companies: 'company name', contacts: 'contact name', deals: 'deal name' } as const
  return {
    states: await statesOf(ctx, table, ties.flatMap(tie => tie.ids).filter(isUuid)),
    names: await findCalled(
      ctx,
      called[table as 'companies'],
      names.filter(name => !emails.includes(name)),
    ),
    addresses: await findCalled(ctx, 'contact address', emails),
    domains: await findCalled(
      ctx,
      'company domain',
      ties.flatMap(tie => tie.domain ?? []),
    ),
  }
}

type Promising = (draft: Draft, id: string | undefined, name: string, domain: string | undefined) => string

/** One promise for each name or domain, whatever its spelling and however many rows name it. */
function promises(promised: Map<string, PromisedCompany>, known: Known): Promising {
  const byKey = new Map<string, string>()
  return (draft, wanted, name, domain) => {
    const keys = [
      ...(domain === undefined ? [] : [`domain ${known.domains.get(domain)?.key}`]),
      ...(name === '' ? [] : [`name ${known.names.get(name)?.key}`]),
    ]
    const there = keys.map(key => byKey.get(key)).find(id => id !== undefined)
    const isFree =
      wanted !== undefined && isUuid(wanted) && !known.states.has(wanted) && !promised.has(wanted)
    const id = there ?? (isFree ? wanted.toLowerCase() : newId())
    for (const key of keys) byKey.set(key, id)
    if (there === undefined) promised.set(id, { id, name: name || domain!, domain, by: draft })
    return id
  }
}

function resolveTie(
  draft: Draft,
  field: string,
  target: Target,
  record: RecordType,
  known: Known,
  promise: Promising | undefined,
): void {
  const tie = draft.ties[field]
  if (!tie) return
  const many = record.links?.[field] !== undefined
  const count = Math.max(tie.ids.length, tie.names.length, tie.domain === undefined ? 0 : 1)
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    if (promise && [...(tie.names[i] ?? '')].length > MAX_NAME) {
      draft.errors.push(
        rowError('string_too_long', `String should have at most ${MAX_NAME} characters`, null, null, field),
      )
      continue
    }
    const found = resolveOne(
      draft,
      tie.ids[i],
      tie.names[i] ?? '',
      i === 0 ? tie.domain : undefined,
      known,
      promise,
    )
    if (found !== undefined) ids.push(found)
    else {
      const value = tie.names[i] || tie.domain || tie.ids[i] || ''
      draft.errors.push(rowError('reference_not_found', `${target.label} not found`, value, null, field))
    }
  }
  if (many) draft.input[field] = ids
  else if (ids.length > 0) draft.input[field] = ids[0]
}

/** By its id, then by its domain or address, then by its name. */
function resolveOne(
  draft: Draft,
  id: string | undefined,
  name: string,
  domain: string | undefined,
  known: Known,
  promise: Promising | undefined,
): string | undefined {
  const plain = id?.toLowerCase()
  if (plain !== undefined && known.states.get(plain) === 'living') return plain
  const found =
    (domain === undefined ? undefined : known.domains.get(domain)?.ids[0]) ??
    known.addresses.get(name)?.ids[0] ??
    known.names.get(name)?.ids[0]
  if (found !== undefined) return found
  const site =
    domain !== undefined && domain.length <= MAX_NAME && known.domains.get(domain)?.key ? domain : undefined
  const isNamed = name.trim() !== '' || site !== undefined
  return isNamed && promise ? promise(draft, plain, name.trim() === '' ? '' : name, site) : undefined
}

function resolveMembers(
  members: readonly Member[],
  fields: readonly string[],
  drafts: readonly Draft[],
): void {
  const byKey = new Map<string, string>()
  // An address names one person; should a name be somebody's address too, the address counts.
  for (const { user_id, name } of members) byKey.set(name.trim().toLowerCase(), user_id)
  for (const { user_id, email } of members) byKey.set(email.toLowerCase(), user_id).set(user_id, user_id)
  for (const draft of drafts) {
    for (const field of fields) {
      const tie = draft.ties[field]
      if (!tie) continue
      const wanted = [...tie.ids, ...tie.names].map(value => value.trim())
      const found = wanted.map(value => byKey.get(value.toLowerCase())).find(id => id !== undefined)
      if (found !== undefined) draft.input[field] = found
      else draft.errors.push(rowError('reference_not_found', 'User not found', wanted[0] ?? '', null, field))
    }
  }
}
