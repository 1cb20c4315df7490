/** A program against the types of openapi-typescript, as a user of the API would write it. It is compiled, not run. */
import type { components, operations, paths } from './generated/types.ts'

type Schemas = components['schemas']
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Answer<Id extends keyof operations> = Json<
  operations[Id]['responses'][keyof operations[Id]['responses'] & (200 | 201 | 202)]
>
type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>
type Headers<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['header']>

declare function call<Id extends keyof operations>(
  id: Id,
  options: { path?: object; query?: Query<Id>; headers?: Headers<Id>; body?: unknown },
): Promise<Answer<Id>>

/** Only what has no default must be given. */
const company: Schemas['CompanyCreate'] = { name: 'Acme' }
const rename: Schemas['CompanyUpdate'] = { name: 'Acme Ltd', city: null }
const nothing: Schemas['DealUpdate'] = {}
const deal: Schemas['DealCreate'] = { name: 'Big', amount: 5, associated_contact_ids: [] }
const call1: Schemas['ActivityCreate'] = { type: 'call', subject: 'Ring' }
const person: Schemas['ContactCreate'] = { first_name: 'Ann', emails: [{ email: 'ann@example.com' }] }
const field: Schemas['CustomFieldCreate'] = { entity_type: 'company', name: 'Tier', field_type: 'text' }
const exported: Schemas['ExportCreate'] = {
  entity_type: 'deal',
  where: { field: 'amount', op: 'gt', value: 1 },
}
const draft: Schemas['EmailDraftCreate'] = { to: [{ email: 'ann@example.com' }], subject: 'Hello' }
const note: Schemas['NoteCreate'] = { content: 'Text' }
const document: Schemas['KnowledgeBaseDocumentCreate'] = { type: 'page', title: 'Page' }
// @ts-expect-error the name is required
const nameless: Schemas['CompanyCreate'] = { city: 'Graz' }
// @ts-expect-error a number, not a text
const wrong: Schemas['CompanyCreate'] = { name: 'Acme', employee_count: 'many' }

/** An answer always has all its fields: nothing here may be undefined. */
function lineOf(record: Schemas['Company']): string {
  const revenue: number | null = record.annual_revenue
  const domains: string | string[] | null = record.domains
  const team: { id: string; name: string }[] | null = record.team_ids
  const metadata: { [key: string]: unknown } = record.metadata
  const tier: unknown = record.custom_fields.tier
  const isFavorite: boolean = record.is_favorite
  return [record.name.toUpperCase(), revenue, domains, team?.[0]?.name, metadata.x, tier, isFavorite].join(
    ' ',
  )
}

function summaryOf(record: Schemas['Deal'], activity: Schemas['Activity'], contact: Schemas['Contact']) {
  const status: 'open' | 'won' | 'lost' = record.status
  const amount: number | null = record.amount
  const done: boolean = activity.status === 'completed'
  const primary: boolean | undefined = contact.emails?.[0]?.is_primary
  const optOut: boolean = contact.email_opt_out
  return { status, amount, done, primary, optOut }
}

async function* all(updatedAfter: string): AsyncGenerator<Schemas['Company']> {
  for (let cursor: string | null | undefined = ''; cursor != null; ) {
    const page: Answer<'listCompanies'> = await call('listCompanies', {
      query: {
        cursor,
        page_size: 1000,
        updated_after: updatedAfter,
        sort_order: 'asc',
        cf: { 'cf.tier': 'gold' },
      },
    })
    yield* page.items
    cursor = page.next_cursor
  }
}

async function deletedSince(time: string): Promise<[id: string, at: string | undefined][]> {
  const { items, total } = await call('listCompanies', {
    query: { deleted_after: time, sort_by: 'deleted_at' },
  })
  return total === 0 ? [] : items.map(({ id, deleted_at }) => [id, deleted_at])
}

async function changes(id: string, etag: string): Promise<string> {
  const path = { company_id: id }
  const made = await call('createCompany', {
    body: company,
    headers: { 'Idempotency-Key': 'k', Prefer: 'handling=strict' },
  })
  const changed = await call('updateCompany', { path, body: rename, headers: { 'If-Match': etag } })
  const links: Schemas['CompanyTeamLink'][] = await call('updateCompanyTeam', { path, body: [] })
  const merged = await call('mergeCompanies', { body: { primary_id: id, secondary_ids: [made.id] } })
  const bulk = await call('bulkUpdateCompanies', { body: { ids: [id], set: rename } })
  const undone = await call('undoOperation', { path: { operation_id: bulk.operation_id } })
  return [changed.updated_at, links.length, merged.name, merged.operation_id, undone.reverted].join(' ')
}

function problemOf(error: Schemas['HTTPValidationError'] | Schemas['Error']): string {
  if (typeof error.detail === 'string') return error.detail
  return (error.detail ?? []).map(({ loc, msg, type }) => `${loc.join('.')}: ${msg} (${type})`).join('\n')
}

type MergePatch = NonNullable<
  paths['/api/companies/{company_id}']['patch']['requestBody']
>['content']['application/merge-patch+json']
const patch: MergePatch = { metadata: { tier: null } }
type Upload = NonNullable<paths['/api/imports']['post']['requestBody']>['content']['multipart/form-data']
const upload: Pick<Upload, 'file'> = { file: '(the bytes)' }

export {
  all,
  call1,
  changes,
  deal,
  deletedSince,
  document,
  draft,
  exported,
  field,
  lineOf,
  nameless,
  note,
  nothing,
  patch,
  person,
  problemOf,
  summaryOf,
  upload,
  wrong,
}
