import { sql } from 'kysely'
import type { SetResource } from '../../kernel/resource.ts'
import { rows } from '../../kernel/statements.ts'
import { deals } from '../deals/index.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { subLists } from '../shared/sub-lists.ts'
import { logoEndpoints } from './logo.ts'
import { followTeams } from './membership.ts'
import { checkParents } from './parents.ts'
import { type Company, type CompanyInput, company } from './record.ts'
import { relationEndpoints } from './relations.ts'
import { teamEndpoints } from './team.ts'

const operations = recordOperations(company, {
  author: 'created_by',
  dependent: ['team_ids', 'parent_id'],
  before: ctx => sql<{ people: string[] }>`array(select l.person_id from ${rows(ctx, 'company_people')} l
    where l.company_id = r.id) as people`,
  prepare: (tx, writes) => checkParents(tx, writes),
  async finish(tx, writes) {
    const changed = writes
      .filter(({ values }) => values.team_ids !== undefined)
      .map(({ id, before }) => ({ companyId: id, people: before?.people ?? [] }))
    await followTeams(tx, changed)
    return changed.length > 0
  },
})

export const companies: SetResource<CompanyInput, Company> = {
  name: 'companies',
  idParam: 'company_id',
  tag: 'Companies',
  record: operations.record,
  operations,
  endpoints: [
    ...teamEndpoints,
    ...relationEndpoints(operations),
    ...logoEndpoints(operations),
    ...subLists(deals, ['company']),
  ],
}
