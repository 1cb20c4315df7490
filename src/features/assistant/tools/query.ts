/** The tool that runs a query (features/records/query) as the caller. A bad query returns its position to the model. */
import type { Tool } from '../../../ai/language-model/index.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { type Issue, published } from '../../../kernel/schema/index.ts'
import { unknownKeys } from '../../../kernel/strict.ts'
import { querySchema } from '../../records/query/index.ts'
import { RELATIONS } from '../../records/query/relations.ts'
import { type AskedQuery, type Result, runQuery } from '../../records/query/run.ts'
import type { Cited } from '../cited.ts'
import { ENTITY_TYPES } from '../proposals/check.ts'
import { brief, shown } from './record-text.ts'

/** The maximum numbers of records and of groups in a result. */
const MAX_ROWS = 25
const MAX_GROUPS = 100

export const queryTool = (ctx: Ctx, records: Cited): Tool => ({
  name: 'query',
  description: `Lists, counts, adds up and groups records, at most ${MAX_ROWS} records or ${MAX_GROUPS} groups. Conditions within where have the same keys. ${RELATIONS}`,
  parameters: published(querySchema.json, 'request'),
  async run(args) {
    const query = checked(args)
    const result = await runQuery(ctx, bounded(query), { loc: [] })
    return report(records, result)
  },
})

function checked(args: unknown): AskedQuery {
  const issues: Issue[] = []
  const query = querySchema.check(args, [], issues)
  issues.push(...unknownKeys(querySchema.json, args, []))
  if (issues.length > 0) throw errors.invalid(issues)
  return query
}

function bounded(query: AskedQuery): AskedQuery {
  const max = query.group_by?.length ? MAX_GROUPS : MAX_ROWS
  return { ...query, limit: Math.min(max, query.limit ?? max) }
}

function report(records: Cited, { items, ...result }: Result) {
  if (!items) return result
  const isCited = ENTITY_TYPES.includes(result.entity)
  const rows = items.map(item => ({
    ...(isCited ? { number: shown(records, result.entity, item) } : {}),
    ...brief(item),
  }))
  return { ...result, items: rows }
}
