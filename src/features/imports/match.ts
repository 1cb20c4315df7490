/** Which record that is already here a row is about. */

import type { Ctx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import type { RecordType } from '../../kernel/resource.ts'
import type { TableName } from '../../kernel/statements.ts'
import type { Exported } from '../exports/record.ts'
import type { Draft } from './drafts.ts'
import { type Found, findByCustomValue, findCalled, statesOf } from './lookups.ts'
import { readList } from './values.ts'

export interface Match {
  /** what the row could be matched on, in the form in which it is compared: no two rows of a round share one */
  keys: string[]
  ids: string[]
}

interface Matcher {
  values(draft: Draft): string[]
  find(ctx: Ctx, values: readonly string[]): Promise<Map<string, Found>>
}

const text = (value: unknown): string[] => (typeof value === 'string' && value.trim() !== '' ? [value] : [])

const fullName = ({ input }: Draft): string[] =>
  text(
    [input.first_name, input.last_name]
      .filter(part => typeof part === 'string')
      .join(' ')
      .trim(),
  )

const domains = ({ input }: Draft): string[] =>
  (Array.isArray(input.domains) ? input.domains : text(input.domains).flatMap(readList)).filter(
    (domain: unknown) => typeof domain === 'string' && domain !== '',
  )

const MATCHERS: Record<Exported, Record<string, Matcher>> = {
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
    domain: { values: domains, find: (ctx, values) => findCalled(ctx, 'company domain', values) },
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

/** What is looked at when nobody says: what hardly two records share. */
export const DEFAULT_MATCH: Record<Exported, string[]> = {
  contact: ['email'],
  company: ['domain', 'name'],
  deal: [],
  activity: [],
  note: [],
}

const addresses = (emails: unknown): string[] =>
  Array.isArray(emails) ? emails.flatMap(entry => text((entry as { email?: unknown } | null)?.email)) : []

export const matchNames = (entity: Exported): string[] => Object.keys(MATCHERS[entity])

/** For an import's options: every name must be one that records of this kind can be matched on. */
export async function checkMatchOn(ctx: Ctx, record: RecordType, matchOn: readonly string[]): Promise<void> {
  for (const [i, name] of matchOn.entries()) {
    if (await matcherOf(ctx, record, name)) continue
    const names = [...matchNames(record.entityType as Exported), 'cf.<key>'].join(', ')
    throw errors.invalidValue(['body', 'options', 'match_on', i], `take one of ${names}`, name)
  }
}

export async function matcherOf(ctx: Ctx, record: RecordType, name: string): Promise<Matcher | undefined> {
  const known = MATCHERS[record.entityType as Exported]
  if (Object.hasOwn(known, name)) return known[name]
  const key = /^cf\.(.+)$/.exec(name)?.[1]
  const column = key === undefined ? undefined : (await record.custom?.(ctx))?.get(key)
  if (!column) return undefined
  return {
    values: ({ metadata }) => {
      const value = metadata && Object.hasOwn(metadata, key!) ? metadata[key!] : undefined
      if (typeof value === 'number') return [String(value)]
      const isRight =
        column.kind === 'text' || (column.kind === 'time' && /^\d{4}-\d{2}-\d{2}/.test(String(value)))
      return isRight ? text(typeof value === 'boolean' ? String(value) : value) : []
    },
    find: (at, values) => findByCustomValue(at, record.table, column, values),
  }
}

/** Row by row the first way of matching that the row has a value for and that finds something. */
export async function matches(
  ctx: Ctx,
  record: RecordType,
  matchOn: readonly string[],
  drafts: readonly Draft[],
): Promise<Match[]> {
  const found: Match[] = drafts.map(() => ({ keys: [], ids: [] }))
  for (const name of matchOn) {
    const matcher = (await matcherOf(ctx, record, name))!
    const values = drafts.map(draft => matcher.values(draft))
    const known = await matcher.find(ctx, values.flat())
    for (const [i, match] of found.entries()) {
      const hits = values[i]!.flatMap(value => known.get(value) ?? []).filter(({ key }) => key !== '')
      match.keys.push(...hits.map(({ key }) => `${name} ${key}`))
      if (match.ids.length === 0) match.ids = hits.find(({ ids }) => ids.length > 0)?.ids ?? []
    }
  }
  return found
}

/** The records that rows name by id. */
export const namedStates = (ctx: Ctx, table: TableName, drafts: readonly Draft[]) =>
  statesOf(
    ctx,
    table,
    drafts.flatMap(draft => draft.id ?? []),
  )
