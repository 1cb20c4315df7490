/** Finds the existing record that a row describes. */
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import type { RecordType } from '../../../kernel/resource.ts'
import type { TableName } from '../../../kernel/statements.ts'
import { at, isRecord, present } from '../../../lib/values.ts'
import { declarationOf } from '../../../resources/kinds.ts'
import { sourceNamed } from '../../../resources/shared/external-ids.ts'
import type { Exported } from '../exports/record.ts'
import type { Draft } from './draft.ts'
import { externalIdOf, findByExternalId, haveIdOf } from './external.ts'
import { findByColumn, findByCustomValue, findCalled, type Matches, statesOf } from './lookups.ts'
import { readList } from './values.ts'

export interface Match {
  /** the values that the row could be matched on, in the form in which they are compared: no two rows of a round share one */
  keys: string[]
  ids: string[]
}

interface Matcher {
  values(draft: Draft): string[]
  find(ctx: Ctx, values: readonly string[]): Promise<Map<string, Matches>>
}

const text = (value: unknown): string[] => (typeof value === 'string' && value.trim() !== '' ? [value] : [])

const fullName = ({ input }: Draft): string[] =>
  text(
    [input.first_name, input.last_name]
      .filter(part => typeof part === 'string')
      .join(' ')
      .trim(),
  )

export const domainsOf = ({ input }: Draft): string[] =>
  (Array.isArray(input.domains) ? input.domains : text(input.domains).flatMap(readList)).filter(
    (domain: unknown) => typeof domain === 'string' && domain !== '',
  )

/** By the text of one column, whatever its case and accents. */
function column(table: TableName, name: string): Matcher {
  return {
    values: ({ input }) => text(input[name]),
    find: (ctx, values) => findByColumn(ctx, table, name, values),
  }
}

const MATCHERS: Partial<Record<Exported, Record<string, Matcher>>> = {
  contact: {
    email: {
      values: ({ input }) => [...text(input.email), ...addresses(input.emails)],
      find: (ctx, values) => findCalled(ctx, 'contact address', values),
    },
    phone: {
      values: ({ input }) => text(input.phone).filter(phone => phone.replace(/\D/g, '').length >= 5),
      find: (ctx, values) => findCalled(ctx, 'contact phone', values),
    },
    name: { values: fullName, find: (ctx, values) => findCalled(ctx, 'contact name', values) },
  },
  company: {
    domain: { values: domainsOf, find: (ctx, values) => findCalled(ctx, 'company domain', values) },
    name: {
      values: ({ input }) => text(input.name),
      find: (ctx, values) => findCalled(ctx, 'company name', values),
    },
  },
  deal: {
    name: {
      values: ({ input }) => text(input.name),
      find: (ctx, values) => findCalled(ctx, 'deal name', values),
    },
  },
  activity: {},
  note: {},
}

/** Without `match_on`: fields whose values are rarely shared by two records. */
const DEFAULT_MATCH: Partial<Record<Exported, string[]>> = {
  contact: ['email'],
  company: ['domain', 'name'],
  deal: [],
  activity: [],
  note: [],
}

const addresses = (emails: unknown): string[] =>
  Array.isArray(emails) ? emails.flatMap(entry => (isRecord(entry) ? text(entry.email) : [])) : []

/** Other kinds are matched by their code and their name. */
function matchersOf(entity: Exported): Record<string, Matcher> {
  const { table, name, code } = declarationOf(entity)
  const columns = code === undefined ? [name] : [code, name]
  return MATCHERS[entity] ?? Object.fromEntries(columns.map(key => [key, column(table, key)]))
}

export const defaultMatch = (entity: Exported): string[] =>
  DEFAULT_MATCH[entity] ?? [declarationOf(entity).code].filter(code => code !== undefined)

export const matchNames = (entity: Exported): string[] => Object.keys(matchersOf(entity))

/** For an import's options: every name must be one that records of this kind can be matched on. */
export async function checkMatchOn(ctx: Ctx, record: RecordType, matchOn: readonly string[]): Promise<void> {
  for (const [i, name] of matchOn.entries()) {
    if (await matcherOf(ctx, record, name)) continue
    const names = [...matchNames(record.entityType as Exported), 'external_ids.<source>', 'cf.<key>'].join(
      ', ',
    )
    throw errors.invalidValue(['body', 'options', 'match_on', i], `take one of ${names}`, name)
  }
}

export async function matcherOf(ctx: Ctx, record: RecordType, name: string): Promise<Matcher | undefined> {
  const matchers = matchersOf(record.entityType as Exported)
  if (Object.hasOwn(matchers, name)) return matchers[name]
  const source = 'external_ids' in record.input.fields ? sourceNamed(name) : undefined
  if (source !== undefined)
    return {
      values: ({ input }) => text(externalIdOf(input, source)),
      find: (at, values) => findByExternalId(at, record.table, source, values),
    }
  const key = /^cf\.(.+)$/.exec(name)?.[1]
  const column = key === undefined ? undefined : (await record.custom?.(ctx))?.get(key)
  if (key === undefined || !column) return undefined
  return {
    values: ({ metadata }) => {
      const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
      if (typeof value === 'number') return [String(value)]
      const isRight =
        column.kind === 'text' || (column.kind === 'time' && /^\d{4}-\d{2}-\d{2}/.test(String(value)))
      return isRight ? text(typeof value === 'boolean' ? String(value) : value) : []
    },
    find: (at, values) => findByCustomValue(at, record.table, column, values),
  }
}

/** For each row, the first of the fields for which the row has a value and a record matches. */
export async function matches(
  ctx: Ctx,
  record: RecordType,
  matchOn: readonly string[],
  drafts: readonly Draft[],
  source: string | undefined,
): Promise<Match[]> {
  const matches: Match[] = drafts.map(() => ({ keys: [], ids: [] }))
  for (const name of matchOn) {
    const matcher = present(await matcherOf(ctx, record, name), `the way to match on ${name}`)
    const values = drafts.map(draft => matcher.values(draft))
    const existing = await matcher.find(ctx, values.flat())
    const hitIds = [...existing.values()].flatMap(({ ids }) => ids)
    const isNamed = source !== undefined && name !== `external_ids.${source}`
    const others = isNamed ? await haveIdOf(ctx, source, hitIds) : new Set<string>()
    for (const [i, match] of matches.entries()) {
      const hits = at(values, i)
        .flatMap(value => existing.get(value) ?? [])
        .filter(({ key }) => key !== '')
      match.keys.push(...hits.map(({ key }) => `${name} ${key}`))
      if (match.ids.length > 0) continue
      // A record that has another id in the same system is another record, even with the same address.
      const isOther = (id: string) =>
        source !== undefined && externalIdOf(at(drafts, i).input, source) !== undefined && others.has(id)
      const open = hits.map(({ ids }) => ids.filter(id => !isOther(id)))
      match.ids = open.find(ids => ids.length > 0) ?? []
    }
  }
  return matches
}

/** The records that rows name by id. */
export const namedStates = (ctx: Ctx, table: TableName, drafts: readonly Draft[]) =>
  statesOf(
    ctx,
    table,
    drafts.flatMap(draft => draft.id ?? []),
  )
