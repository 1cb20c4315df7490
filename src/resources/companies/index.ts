import { type Ctx, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import type { Resource, Stamps } from '../../kernel/resource.ts'
import { deals } from '../deals/index.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { subLists } from '../shared/sub-lists.ts'
import { logoEndpoints } from './logo.ts'
import { changingTeam, welcome } from './membership.ts'
import { type Company, type CompanyInput, company } from './record.ts'
import { relationEndpoints } from './relations.ts'
import { teamEndpoints } from './team.ts'

const base = crud(company)

function create(ctx: Ctx, input: CompanyInput, writing: { set?: Stamps } = {}): Promise<Company> {
  const set = { ...writing.set, created_by: ctx.user }
  if (!input.team_ids?.length) return base.create(ctx, input, { set })
  return transaction(ctx, async tx => {
    const item = await base.create(tx, input, { set })
    await welcome(tx, item.id)
    return item
  })
}

function update(ctx: Ctx, id: string, input: Partial<CompanyInput>): Promise<Company> {
  if (input.team_ids === undefined) return base.update(ctx, id, input)
  return transaction(ctx, tx => changingTeam(tx, id, () => base.update(tx, id, input)))
}

const operations = recordOperations(company, {
  ...base,
  create,
  update,
  updateMany: base.updatingMany([]),
})

export const companies: Resource<CompanyInput, Company> = {
  name: 'companies',
  idParam: 'company_id',
  tag: 'Companies',
  record: base.record,
  operations,
  endpoints: [
    ...teamEndpoints,
    ...relationEndpoints,
    ...logoEndpoints(operations),
    ...subLists(deals, ['company']),
  ],
}
