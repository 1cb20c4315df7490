/** A program against the client of @hey-api/openapi-ts, as a user of the API would write it. The test runs it. */

import { createClient } from './generated/sdk/client/index.ts'
import * as kith from './generated/sdk/index.ts'

/** Takes a new account through a day, and returns what it saw. */
export async function aDay(baseUrl: string, key: string) {
  const client = createClient({ baseUrl, auth: key })
  const options = { client, throwOnError: true } as const

  await kith.createCustomField({
    ...options,
    body: { entity_type: 'company', name: 'Tier', field_type: 'text' },
  })
  const { data: acme } = await kith.createCompany({
    ...options,
    headers: { 'Idempotency-Key': 'one', Prefer: 'handling=strict' },
    body: { name: 'Acme', metadata: { tier: 'gold' } },
  })
  const { data: beta } = await kith.createCompany({
    ...options,
    body: { name: 'Beta', domains: ['beta.example'] },
  })
  const { data: ann } = await kith.createContact({
    ...options,
    body: { first_name: 'Ann', emails: [{ email: 'ann@example.com' }], company_id: acme.id },
  })
  const { data: team } = await kith.listCompanyTeam({ ...options, path: { company_id: acme.id } })
  const { data: links } = await kith.updateCompanyTeam({
    ...options,
    path: { company_id: beta.id },
    body: [ann.id],
  })
  const { data: deal } = await kith.createDeal({
    ...options,
    body: { name: 'Big', amount: 10, company_id: acme.id },
  })
  const { data: board } = await kith.getDealBoard(options)

  // a filter by a custom field, whose name no schema can list
  const { data: gold } = await kith.listCompanies({
    ...options,
    query: { cf: { 'cf.tier': 'gold' }, page_size: 10 },
  })
  const { data: none } = await kith.listCompanies({ ...options, query: { cf: { 'cf.tier': 'silver' } } })

  const { response } = await kith.getCompany({ ...options, path: { company_id: acme.id } })
  const etag = response.headers.get('etag') ?? ''
  const { data: patched } = await kith.patchCompany({
    ...options,
    path: { company_id: acme.id },
    headers: { 'If-Match': etag, 'Content-Type': 'application/merge-patch+json' },
    body: { metadata: { region: 'south' } },
  })
  const stale = await kith.updateCompany({
    client,
    path: { company_id: acme.id },
    headers: { 'If-Match': etag },
    body: { city: 'Graz' },
  })
  const invalid = await kith.createCompany({ client, body: { name: '' } })

  const { data: found } = await kith.queryDeals({
    ...options,
    body: { where: { field: 'company.name', value: 'Acme' } },
  })
  const { data: bulk } = await kith.bulkUpdateCompanies({
    ...options,
    body: { ids: [acme.id, beta.id], set: { status: 'customer' } },
  })
  const { data: undone } = await kith.undoOperation({ ...options, path: { operation_id: bulk.operation_id } })

  await kith.deleteCompany({ ...options, path: { company_id: beta.id } })
  const { data: trash } = await kith.listCompanies({ ...options, query: { deleted_after: beta.created_at } })
  const { data: restored } = await kith.restoreCompany({ ...options, path: { company_id: beta.id } })

  const { data: imported } = await kith.createImport({
    ...options,
    body: { file: new Blob(['Name\nGamma\n']), entity_type: 'company' },
  })
  const { data: template } = await kith.getImportTemplate({ ...options, path: { entity_type: 'company' } })
  return {
    acme: [acme.name.length, acme.city, acme.custom_fields.tier],
    team: team.map(member => member.full_name),
    links: links.length,
    deal: [deal.status, deal.currency.length],
    columns: board.columns.length > 0,
    gold: gold.items.map(company => company.name),
    none: none.total,
    patched: patched.metadata,
    stale: [stale.response?.status, stale.error !== undefined],
    invalid: [invalid.response?.status, invalid.error?.detail],
    found: found.items?.map(({ name, amount }) => [name, amount]),
    undone: [bulk.updated, undone.reverted, undone.conflicts.length],
    trash: trash.items.map(company => [company.name, typeof company.deleted_at]),
    restored: restored.name,
    imported: [imported.status, imported.total_rows],
    template: typeof template,
  }
}
