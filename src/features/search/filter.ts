/** Applies the filters of lists to a search: `{"status": "lead"}` searches only leads. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { filtersOf } from '../../kernel/list-parameters.ts'
import { conditionsOf } from '../../kernel/list-query.ts'
import type { RecordType, Resource } from '../../kernel/resource.ts'
import type { Issue } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { SOURCES } from './sources/index.ts'

export interface Filtered {
  types: string[]
  passages?: RawBuilder<unknown>
}

/** Kinds of record that lack one of the filters are not searched. If no kind has all of them, it is an error. */
export async function filtered(
  ctx: Ctx,
  resources: readonly Resource[],
  types: readonly string[],
  filter: Record<string, unknown> | undefined,
): Promise<Filtered> {
  const names = Object.keys(filter ?? {})
  if (filter === undefined || names.length === 0) return { types: [...types] }
  const filterable = SOURCES.filter(source => types.includes(source.entityType)).flatMap(
    ({ entityType, table }) => {
      const record = resources.find(resource => resource.record.table === table)?.record
      const accepted = record && names.every(name => name in filtersOf(record) || isCustom(record, name))
      return accepted ? [{ entityType, record }] : []
    },
  )
  if (filterable.length === 0) {
    throw errors.invalidValue(
      ['body', 'filter'],
      'no searched kind of record has all of these filters: use the filters of one list, such as {"status": "lead"}',
      filter,
    )
  }
  const issues: Issue[] = []
  const accepting: { entityType: string; select: RawBuilder<unknown> }[] = []
  for (const { entityType, record } of filterable) {
    const select = await matching(ctx, record, filter, issues)
    if (select) accepting.push({ entityType, select })
  }
  // a kind is skipped if a value is invalid for it, such as a contact's status for activities
  if (accepting.length === 0) throw errors.invalid(issues)
  const selects = accepting.map(one => one.select)
  return {
    types: accepting.map(one => one.entityType),
    passages: sql`select p.id from ${rows(ctx, 'search_passages')} p
      where p.entity_id in (${sql.join(selects, sql` union all `)})`,
  }
}

const isCustom = (record: RecordType, name: string) =>
  /^cf\.\w/.test(name) && 'metadata' in record.output.fields

async function matching(
  ctx: Ctx,
  record: RecordType,
  filter: Record<string, unknown>,
  issues: Issue[],
): Promise<RawBuilder<unknown> | undefined> {
  const before = issues.length
  const filters = filtersOf(record)
  const values = Object.entries(filter).map(([name, value]) => {
    const schema = Object.hasOwn(filters, name) ? filters[name]?.schema : undefined
    return [name, schema ? schema.check(value, ['body', 'filter', name], issues) : String(value)]
  })
  if (issues.length > before) return undefined
  const params = { page: 1, page_size: 1, ...Object.fromEntries(values) }
  const conditions = await conditionsOf(ctx, record, params)
  return sql`select r.id from ${living(ctx, record.table)} r where ${sql.join([sql`true`, ...conditions], sql` and `)}`
}
