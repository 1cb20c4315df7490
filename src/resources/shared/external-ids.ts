/** The ids that a record has in other systems, such as `{"hubspot": "123"}`: unique per source and kind of record. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { addKeys } from '../../kernel/merge-patch.ts'
import type { Filter, Merge } from '../../kernel/resource.ts'
import { dict, optional, rule, sometimes, text } from '../../kernel/schema/index.ts'
import { rows } from '../../kernel/statements.ts'
import { isRecord, property } from '../../lib/values.ts'

const SOURCE = /^[a-z][a-z0-9_]{0,62}$/
const MAX_SOURCES = 20
const MAX_ID = 255

export const isSource = (text: string): boolean => SOURCE.test(text)

/** The source that `external_ids.<source>` names, as in `match_on`. */
export const sourceNamed = (name: string): string | undefined =>
  /^external_ids\.([a-z][a-z0-9_]{0,62})$/.exec(name)?.[1]

function problemOf(ids: Record<string, unknown>): string | undefined {
  const entries = Object.entries(ids)
  if (entries.length > MAX_SOURCES) return `there may be ids of at most ${MAX_SOURCES} sources`
  for (const [source, id] of entries) {
    if (!isSource(source)) return `“${source.slice(0, 80)}” is no source: write it with a-z, 0-9 and _`
    if (typeof id !== 'string' || id.trim() === '' || [...id].length > MAX_ID)
      return `the id of ${source} must be a text of 1 to ${MAX_ID} characters`
  }
  return undefined
}

const shape = dict({
  description: 'Ids in other systems, by source; no two records of a kind have the same id of a source',
  examples: [{ hubspot: '151' }],
  values: { type: 'string' },
})

export const externalIdsInput = optional(rule(shape, problemOf))
/** Only records that have external ids show the field, because the contract does not have it. */
export const externalIdsOutput = sometimes(shape)
export const externalIds = () => sql`nullif(r.external_ids, '{}'::jsonb)`

/**
 * The ids in an upsert or an import, added to those of the record. An id of a record that was merged into this one stays
 * where it is: as the record's own it would replace the one that its source knows it by.
 */
export const addExternalIds: Merge = {
  reads: ['merged_external_ids'],
  value(stored, sent, { merged_external_ids: merged }) {
    if (!isRecord(sent)) return sent
    const isMerged = ([source, id]: [string, unknown]) => [property(merged, source)].flat().includes(id)
    return addKeys.value(stored, Object.fromEntries(Object.entries(sent).filter(e => !isMerged(e))), {})
  },
}

/**
 * For a record that takes over the ids of others, the ids besides `own` by which it is found from then on:
 * `{"hubspot": ["2"]}`.
 */
export function mergedIds(own: unknown, rows: readonly IdRow[]): Record<string, string[]> {
  const ids = rows.flatMap(({ external_ids, merged_external_ids }) => [
    ...Object.entries(external_ids),
    ...Object.entries(merged_external_ids).flatMap(([source, more]) =>
      more.map((id): [string, string] => [source, id]),
    ),
  ])
  const bySource = Map.groupBy(ids, ([source]) => source)
  return Object.fromEntries(
    [...bySource].flatMap(([source, pairs]) => {
      const main = isRecord(own) && Object.hasOwn(own, source) ? own[source] : undefined
      const others = [...new Set(pairs.map(([, id]) => id))].filter(id => id !== main)
      // without an id of its own, the client has decided that the record has none of this source
      return main === undefined || others.length === 0 ? [] : [[source, others]]
    }),
  )
}

/** The columns with the ids of a record. */
export interface IdRow {
  external_ids: Record<string, string>
  merged_external_ids: Record<string, string[]>
}

export const withExternalId = (ctx: Ctx, entityType: string, source: string, id: string) =>
  sql`r.id in (select x.entity_id from ${rows(ctx, 'external_ids')} x
    where x.entity_type = ${entityType} and x.source = ${source} and x.external_id = ${id})`

const FILTER = 'As source:id; an id of a record that was merged into another finds the other'

/** `external_id=hubspot:151` */
export const externalIdFilter = (entityType: string): Filter<string> => ({
  schema: rule(text({ max: 320, description: FILTER, examples: ['hubspot:151'] }), value =>
    /^[a-z][a-z0-9_]{0,62}:./.test(value) ? undefined : 'write it as source:id',
  ),
  where(ctx, value) {
    const at = value.indexOf(':')
    return withExternalId(ctx, entityType, value.slice(0, at), value.slice(at + 1))
  },
})
