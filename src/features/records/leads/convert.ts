/** `POST /api/contacts/{contact_id}/convert`: a lead becomes a customer's contact, with a company and a deal. */
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { queryOne } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors, relocate } from '../../../kernel/errors.ts'
import { asOperation } from '../../../kernel/operation.ts'
import { checkMayWrite } from '../../../kernel/reach.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import {
  type Infer,
  nullable,
  object,
  optional,
  text,
  uuid,
  withDefault,
} from '../../../kernel/schema/index.ts'
import { living } from '../../../kernel/statements.ts'
import { companies } from '../../../resources/companies/index.ts'
import { contacts } from '../../../resources/contacts/index.ts'
import { deals } from '../../../resources/deals/index.ts'

const body = object(
  {
    status: withDefault(
      text({ min: 1, max: 255, description: 'The status of the contact after the conversion' }),
      'opportunity',
    ),
    company_id: optional(uuid({ description: 'The company that they work for' })),
    company: optional(companies.record.input),
    deal: optional(nullable(deals.record.input, { description: 'null: create no deal' })),
  },
  {
    title: 'LeadConversion',
    examples: [{ company: { name: 'Acme' }, deal: { name: 'Acme starter plan', amount: 1200 } }],
  },
)
type Conversion = Infer<typeof body>

const answer = object(
  {
    operation_id: uuid(),
    contact: contacts.record.output,
    company: nullable(companies.record.output),
    deal: nullable(deals.record.output),
  },
  { title: 'ConvertedLead' },
)

export const convertEndpoint: Endpoint = endpoint({
  method: 'POST',
  path: '/api/contacts/{contact_id}/convert',
  tag: 'Contacts',
  permission: 'contacts:write',
  alsoNeeds: ['companies:read'],
  summary: 'Convert a lead',
  description:
    'For a contact whose status is `lead` or `qualified`. The contact gets the new status; its company is `company_id`, a new one from `company`, or the one that it has. Without `deal` a deal with the name of the company or the contact is created; its owner is the contact’s. All of it is one operation, which can be undone.',
  strict: true,
  bodyOptional: true,
  body,
  response: answer,
  operationHeader: true,
  run: (ctx, request) => convert(ctx, request.params.contact_id, request.body),
})

/** The statuses of a contact that is not a customer yet. */
const LEADS: readonly unknown[] = ['lead', 'qualified']

async function convert(ctx: Ctx, id: string, input: Conversion): Promise<unknown> {
  if (input.company && input.company_id !== undefined) {
    throw errors.invalidValue(['body', 'company'], 'name a company or create one, not both', null)
  }
  checkMayWrite(ctx, [...(input.company ? ['companies'] : []), ...(input.deal === null ? [] : ['deals'])])
  const { operationId, result } = await asOperation(ctx, 'conversion', 'contact', async tx => {
    const locked = await lockRecords(tx, 'contacts', [id])
    if (locked.length === 0) throw errors.notFound('Contact')
    const lead = await contacts.operations.get(tx, id)
    if (!LEADS.includes(lead.status)) {
      throw errors.conflict('Only a contact with the status lead or qualified can be converted')
    }
    const companyId = await companyOf(tx, lead, input)
    const contact = await contacts.operations.update(tx, id, {
      status: input.status,
      ...(companyId === null ? {} : { company_id: companyId }),
    })
    const company = companyId === null ? null : await companies.operations.get(tx, companyId)
    const deal =
      input.deal === null
        ? null
        : await deals.operations
            .create(tx, {
              owner_id: contact.owner_id ?? null,
              lead_source: contact.lead_source ?? null,
              ...(input.deal ?? { name: company?.name ?? contact.full_name }),
              company_id: companyId,
              primary_contact_id: id,
            })
            .catch(relocate(['body', 'deal']))
    const createdCount = [input.company ? company : null, deal].filter(one => one !== null).length
    // Linking the deal changes the company, too.
    const shown = companyId === null ? null : await companies.operations.get(tx, companyId)
    return {
      result: { contact: await contacts.operations.get(tx, id), company: shown, deal },
      count: 1 + createdCount,
    }
  })
  return jsonReply({ operation_id: operationId, ...result }, { 'x-operation-id': operationId })
}

async function companyOf(
  tx: Ctx,
  lead: { company_id?: string | null | undefined },
  input: Conversion,
): Promise<string | null> {
  if (input.company) {
    const created = await companies.operations.create(tx, input.company).catch(relocate(['body', 'company']))
    return created.id
  }
  const id = input.company_id ?? lead.company_id
  if (id == null) return null
  const company = await queryOne(tx, sql`select c.id from ${living(tx, 'companies')} c where c.id = ${id}`)
  if (company) return id
  if (input.company_id === undefined) return null
  throw errors.referenceNotFound(['body', 'company_id'], 'Company', id)
}
