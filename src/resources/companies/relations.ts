/** The owner and the parent of a company, the companies around it and the sums of their deals. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { type Endpoint, endpoint, putAndPatch } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { mayRead } from '../../kernel/reach.ts'
import type { Operations } from '../../kernel/resource.ts'
import { type Infer, int, list, nullable, number, object, text, uuid } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { referenceItem } from '../shared/fields.ts'
import { MAX_LEVELS } from './parents.ts'
import { type Company, type CompanyInput, companyInput } from './record.ts'

const MAX_CHILDREN = 1000

const sum = object(
  { currency: text({ examples: ['EUR'] }), deals_count: int({ min: 0 }), amount: number({ min: 0 }) },
  { title: 'CompanyDealSum' },
)
const sums = object({ open: list(sum), won: list(sum) }, { title: 'CompanyDealSums' })
type Sums = Infer<typeof sums>

const relations = object(
  {
    company_id: uuid(),
    owner_id: nullable(uuid({ description: 'The member who is responsible for the company' })),
    owner: nullable(referenceItem),
    parent_id: nullable(uuid()),
    ancestors: list(referenceItem, { description: 'The parent, its parent and so on' }),
    children: list(referenceItem, { description: `By name, at most ${MAX_CHILDREN}` }),
    children_count: int({ min: 0 }),
    deals: nullable(
      object({
        own: sums,
        total: sums,
      }),
      { description: 'Of the company, and with all companies below it; null without the scope deals:read' },
    ),
  },
  { title: 'CompanyRelations' },
)
type Relations = Infer<typeof relations>

const { owner_id, parent_id } = companyInput.fields
const change = object({ owner_id, parent_id }, { title: 'CompanyRelationsUpdate' })

async function read(ctx: Ctx, id: string): Promise<Relations> {
  const relations = await queryOne(
    ctx,
    sql<{ owner_id: string | null; owner: Infer<typeof referenceItem> | null }>`
      select r.owner_id, case when r.owner_id is not null
        then json_build_object('id', r.owner_id, 'name', member_name(r.owner_id)) end as owner
      from ${living(ctx, 'companies')} r where r.id = ${id}`,
  )
  if (!relations) throw errors.notFound('Company')
  const ancestors = await ancestorsOf(ctx, id)
  const children = await query(
    ctx,
    sql<
      Infer<typeof referenceItem>
    >`select c.id, c.name from ${living(ctx, 'companies')} c where c.parent_id = ${id}
      order by lower(c.name collate "C"), c.id limit ${MAX_CHILDREN}`,
  )
  const count = await query(
    ctx,
    sql<{ count: number }>`select count(*) from ${living(ctx, 'companies')} c where c.parent_id = ${id}`,
  )
  return {
    company_id: id,
    ...relations,
    parent_id: ancestors[0]?.id ?? null,
    ancestors,
    children,
    children_count: one(count).count,
    deals: mayRead(ctx, 'deals')
      ? { own: await sumsOf(ctx, sql`select ${id}::uuid`), total: await sumsOf(ctx, subtree(ctx, id)) }
      : null,
  }
}

/** A parent in the trash is hidden with its own parents, until it is restored. */
const ancestorsOf = (ctx: Ctx, id: string): Promise<Infer<typeof referenceItem>[]> =>
  query(
    ctx,
    sql<Infer<typeof referenceItem>>`with recursive above (id, level) as (
        select c.parent_id, 1 from ${living(ctx, 'companies')} c where c.id = ${id}
        union select c.parent_id, a.level + 1 from above a
          join ${living(ctx, 'companies')} c on c.id = a.id where a.level < ${MAX_LEVELS}
      )
      select c.id, c.name from above a join ${living(ctx, 'companies')} c on c.id = a.id order by a.level`,
  )

/** The company and all below it. `union` terminates even if a restored archive contains a cycle. */
const subtree = (ctx: Ctx, id: string): RawBuilder<unknown> => sql`(
  with recursive below (id) as (
    select ${id}::uuid
    union select c.id from below b join ${living(ctx, 'companies')} c on c.parent_id = b.id
  ) select id from below)`

/** A deal that is linked to several of the companies counts once. */
async function sumsOf(ctx: Ctx, companies: RawBuilder<unknown>): Promise<Sums> {
  const dealSums = await query(
    ctx,
    sql<Infer<typeof sum> & { type: string }>`
      select s.type, d.currency, count(*) as deals_count, coalesce(sum(d.amount), 0)::float8 as amount
      from ${living(ctx, 'deals')} d join ${rows(ctx, 'stages')} s on s.id = d.stage_id
      where s.type in ('open', 'won') and d.id in (
        select l.deal_id from ${rows(ctx, 'deal_companies')} l where l.company_id in (${companies}))
      group by s.type, d.currency order by d.currency`,
  )
  const ofType = (stageType: string) =>
    dealSums.flatMap(({ type, ...rest }) => (type === stageType ? [rest] : []))
  return { open: ofType('open'), won: ofType('won') }
}

const about = {
  path: '/api/companies/{company_id}/relations',
  tag: 'Companies',
  response: relations,
} as const

export const relationEndpoints = (companies: Operations<CompanyInput, Company>): Endpoint[] => [
  endpoint({
    ...about,
    method: 'GET',
    permission: 'companies:read',
    summary: 'Get the owner, parent and deal sums of a company',
    description:
      'Sums are grouped by currency; a deal that is linked to several of the companies counts once. A parent in the trash is left out, with the companies above it.',
    run: (ctx, { params }) => read(ctx, params.company_id),
  }),
  ...putAndPatch(
    endpoint({
      ...about,
      method: 'PUT',
      permission: 'companies:write',
      summary: 'Set the owner and the parent of a company',
      description: 'An absent field is not changed; null clears it. A company cannot belong to one below it.',
      body: change,
      run: (ctx, { params, body }) =>
        transaction(ctx, async tx => {
          await companies.update(tx, params.company_id, body)
          return read(tx, params.company_id)
        }),
    }),
  ),
]
