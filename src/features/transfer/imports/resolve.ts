/**
 * Looks up the records that rows name, for all rows at once: companies, people, deals and members. The draft gets their
 * ids. A company or a person that does not exist may be created: its id is reserved until its row is known to be good.
 */
import type { Ctx } from '../../../kernel/context.ts'
import type { Target } from '../../../kernel/links.ts'
import type { TableName } from '../../../kernel/statements.ts'
import { present } from '../../../lib/values.ts'
import type { Draft, NamedRecords } from './draft.ts'
import { findByExternalId, haveIdOf } from './external.ts'
import { referenceTargets } from './fields.ts'
import { findAll, type Hit, variantsOf, type Wish } from './find-named.ts'
import { isUuid } from './infer.ts'
import { findCalled, membersOf, stagesOf, statesOf } from './lookups.ts'
import { noteMissing, noteSeveral } from './missing.ts'
import { personName, turnedName } from './people-names.ts'

import { missingOf } from './relations.ts'
import { type Reserver, reserver } from './reservations.ts'
import { resolveMembers } from './resolve-members.ts'
import { resolveStages } from './resolve-stages.ts'
import { rowError } from './row-values.ts'
import { resolveTags } from './tags.ts'
import type { Existing, Plan, Reserved } from './types.ts'
import { readNames } from './values.ts'

/** The limit of a company's name and of its domains. */
const MAX_NAME = 255

/** A field of one id, and where further ones go. */
const PLURAL: Record<string, readonly string[]> = {
  company_id: ['associated_company_ids', 'company_ids'],
  primary_contact_id: ['associated_contact_ids'],
}

/** Returns the reserved records, by id. */
export async function resolveLinks(
  tx: Ctx,
  plan: Plan,
  drafts: readonly Draft[],
): Promise<Map<string, Reserved>> {
  const { record } = plan.resource
  const targets = referenceTargets(record)
  const reserved = new Map<string, Reserved>()
  const named = new Set(drafts.flatMap(draft => Object.keys(draft.links)))
  const columns = plan.columns.flatMap(({ field: { destination } }) =>
    destination.at === 'link' ? destination.field : [],
  )
  // All of the file, so that the errors of a row are in the same order whatever rows it is looked up with.
  const references = [...new Set([...columns, ...Object.keys(targets)])]
    .filter(field => !['pipeline_id', 'stage_id'].includes(field))
    .map(field => ({ field, target: present(targets[field], `the target of ${field}`) }))
  for (const [table, all] of Map.groupBy(references, ({ target }) => target.table)) {
    const group = all.filter(({ field }) => named.has(field))
    if (group.length === 0) continue
    const fields = group.map(({ field }) => field)
    if (table === 'members') resolveMembers(await membersOf(tx), plan, fields, drafts)
    else {
      const links = drafts.flatMap(draft => fields.flatMap(field => draft.links[field] ?? []))
      const existing = await lookUp(tx, table, links, plan.source)
      const reserve = reserver(plan, table, reserved, existing)
      for (const draft of drafts) {
        for (const { field, target } of group) resolveLink(draft, field, target, plan, existing, reserve)
      }
    }
  }
  if (record.entityType === 'deal') resolveStages(plan, await stagesOf(tx), drafts)
  await resolveTags(tx, plan, drafts)
  return reserved
}

export async function lookUp(
  tx: Ctx,
  table: TableName,
  links: readonly NamedRecords[],
  source: string | undefined,
): Promise<Existing> {
  const texts = links.flatMap(link => link.names.flatMap(variantsOf)).filter(name => name.trim() !== '')
  const people = table === 'contacts' ? texts.map(personName) : []
  const names =
    table === 'contacts'
      ? people.flatMap(({ name }) => [name, turnedName(name) ?? '']).filter(name => name !== '')
      : texts
  const called = { companies: 'company name', contacts: 'contact name', deals: 'deal name' } as const
  const elsewhere = links.flatMap(link => link.externals)
  const maps = {
    names: await findCalled(tx, called[table as 'companies'], names),
    addresses: await findCalled(
      tx,
      'contact address',
      people.flatMap(({ email }) => email ?? []),
    ),
    domains: await findCalled(
      tx,
      'company domain',
      links.flatMap(link => link.domain ?? []),
    ),
  }
  const hits = Object.values(maps).flatMap(map => [...map.values()].flatMap(({ ids }) => ids))
  const isExternal = source !== undefined && elsewhere.length > 0
  return {
    externals: isExternal ? await findByExternalId(tx, table, source, elsewhere) : new Map(),
    identified: isExternal ? await haveIdOf(tx, source, hits) : new Set(),
    states: await statesOf(tx, table, links.flatMap(link => link.ids).filter(isUuid)),
    ...maps,
  }
}

function resolveLink(
  draft: Draft,
  field: string,
  target: Target,
  plan: Plan,
  existing: Existing,
  reserve: Reserver | undefined,
): void {
  const link = draft.links[field]
  if (!link) return
  const ids: string[] = []
  const names = namesBeside(link)
  const count = Math.max(
    link.ids.length,
    link.externals.length,
    names.length,
    link.domain === undefined ? 0 : 1,
  )
  for (let i = 0; i < count; i++) {
    const wish = {
      id: link.ids[i]?.toLowerCase(),
      external: link.externals[i],
      name: names[i] ?? '',
      domain: i === 0 ? link.domain : undefined,
    }
    const hits = findAll(wish, existing, name => reserve?.named(name) ?? [])
    if (hits.length > 0) ids.push(...idsOf(draft, field, target, plan, hits))
    else ids.push(...missing(draft, field, target, plan, existing, reserve, wish))
  }
  const { links, input } = plan.resource.record
  if (ids.length === 0) return
  if (links?.[field]) draft.input[field] = union(draft.input[field], ids)
  else {
    draft.input[field] = ids[0]
    const all = PLURAL[field]?.find(name => name in input.fields)
    if (all && ids.length > 1) {
      draft.input[all] = union(draft.input[all], ids)
      // The input was checked without these ids.
      delete draft.ahead
    }
  }
}

/** Several ids beside one cell of names: as many names, or a name with a semicolon in it. */
function namesBeside({ externals, names }: NamedRecords): string[] {
  const [first, ...more] = names
  const isOne = first !== undefined && more.length === 0
  const parts = isOne && externals.length > 1 ? readNames(first) : names
  return parts.length === externals.length ? parts : names
}

/** `before`: ids that an earlier column of the row has put there. */
const union = (before: unknown, ids: readonly string[]): unknown[] => [
  ...new Set([...(Array.isArray(before) ? before : []), ...ids]),
]

/** The ids of hits; one that fits several records is noted. */
function idsOf(draft: Draft, field: string, target: Target, plan: Plan, hits: readonly Hit[]): string[] {
  const rule = plan.onMissing[missingOf(field, target.table) ?? 'deal']
  return hits.flatMap(hit => {
    if ('id' in hit) return [hit.id]
    noteSeveral(draft, field, target.table, hit, rule)
    return []
  })
}

/** The ids for records that do not exist, by `on_missing`; each item of a list by itself. */
function missing(
  draft: Draft,
  field: string,
  target: Target,
  plan: Plan,
  existing: Existing,
  reserve: Reserver | undefined,
  wish: Wish,
): string[] {
  const rule = plan.onMissing[missingOf(field, target.table) ?? 'deal']
  const parts = readNames(wish.name)
  const wishes =
    parts.length > 1
      ? parts.map(name => ({ id: undefined, external: undefined, name, domain: undefined }))
      : [wish]
  return wishes.flatMap(each => {
    const hits = findAll(each, existing, name => reserve?.named(name) ?? [])
    if (hits.length > 0) return idsOf(draft, field, target, plan, hits)
    if (reserve && [...each.name].length > MAX_NAME) {
      const message = `String should have at most ${MAX_NAME} characters`
      draft.errors.push(rowError('string_too_long', message, null, null, field))
      return []
    }
    const isNew = each.external !== undefined
    if (!isNew && reserve && reserve.named(each.name).length > 1)
      return idsOf(draft, field, target, plan, [{ several: each.name, by: 'name' }])
    const reserved = reserve?.reserve(field, each.id, each.name, siteOf(each.domain, existing), each.external)
    if (reserved !== undefined) return [reserved]
    const value = each.name || each.domain || each.id || each.external || ''
    // Nothing can be created from an id of another system alone.
    const isIdOnly = each.external !== undefined && value === each.external
    noteMissing(draft, field, target.label, value, rule !== 'create' ? rule : isIdOnly ? 'empty' : 'fail')
    return []
  })
}

const siteOf = (domain: string | undefined, existing: Existing): string | undefined =>
  domain !== undefined && domain.length <= MAX_NAME && existing.domains.get(domain)?.key ? domain : undefined
