import { crud } from '../../kernel/crud.ts'
import type { Operations, Resource } from '../../kernel/resource.ts'
import { logoEndpoints } from './logo.ts'
import { company } from './record.ts'
import { teamEndpoints } from './team.ts'

const base = crud(company)

const operations: Operations = {
  ...base,
  create: (ctx, input) => base.create(ctx, { ...input, created_by: ctx.user }),
}

export const companies: Resource = {
  name: 'companies',
  idParam: 'company_id',
  tag: 'Companies',
  record: base.record,
  operations,
  endpoints: [...teamEndpoints, ...logoEndpoints(operations)],
}
