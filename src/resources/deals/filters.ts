/** The filters of the list of deals and of the board. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { Link } from '../../kernel/links.ts'
import { equals } from '../../kernel/list-parameters.ts'
import type { Filter } from '../../kernel/resource.ts'
import { boolean, date, number, oneOf, uuid } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { linkFrom } from '../kinds.ts'
import { STAGE_TYPES } from '../pipelines/record.ts'
import { rottenIn } from './computed.ts'
import { companyLinks, contactLinks } from './links.ts'

const isLinked = (ctx: Ctx, link: Link, id: string) =>
  sql`r.id in (select l.deal_id from ${rows(ctx, link.table)} l join ${living(ctx, link.target.table)} t
    on t.id = l.${sql.ref(link.other)} where l.${sql.ref(link.other)} = ${id})`

export const dealFilters: Record<string, Filter> = {
  pipeline_id: equals('pipeline_id', uuid()),
  stage_id: equals('stage_id', uuid(), (_, value) => sql`c.value = ${value}`),
  status: {
    schema: oneOf(STAGE_TYPES),
    where: (ctx, value) =>
      sql`r.stage_id in (select s.id from ${rows(ctx, 'stages')} s where s.type = ${value})`,
    bindsValue: true,
    counted: (ctx, value) =>
      sql`c.value in (select s.id::text from ${rows(ctx, 'stages')} s where s.type = ${value})`,
  },
  company_id: {
    schema: uuid({ description: 'Any of the deal’s companies' }),
    where: (ctx, value: string) => isLinked(ctx, companyLinks, value),
  },
  contact_id: {
    schema: uuid({ description: 'Any of the deal’s contacts' }),
    where: (ctx, value: string) => isLinked(ctx, contactLinks, value),
  },
  product_id: {
    schema: uuid({ description: 'A product among its line items' }),
    where: (ctx, value: string) => isLinked(ctx, linkFrom('deal_line_items', 'deal'), value),
  },
  owner_id: equals('owner_id', uuid()),
  amount_gte: { schema: number(), where: (_, value) => sql`r.amount >= ${value}::numeric` },
  amount_lte: { schema: number(), where: (_, value) => sql`r.amount <= ${value}::numeric` },
  expected_close_from: {
    schema: date(),
    where: (_, value) => sql`r.expected_close_date >= ${value}::date`,
  },
  expected_close_to: {
    schema: date(),
    where: (_, value) => sql`r.expected_close_date <= ${value}::date`,
  },
  is_rotten: {
    schema: boolean(),
    // a join with the few stages, because the field itself would be computed for each deal of the account
    where: (ctx, value) => sql`${value ? sql`` : sql`not`} exists (
      select from ${rows(ctx, 'stages')} s where s.id = r.stage_id and ${rottenIn})`,
  },
}
