/** Creating and changing contacts: the shared operations with a contact's own rules before them. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { checkReferences } from '../../kernel/links.ts'
import type { Stamps } from '../../kernel/resource.ts'
import { living, rows } from '../../kernel/statements.ts'
import type { Metadata } from '../custom-fields/change.ts'
import { targets } from '../kinds.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { settleAddresses } from './addresses.ts'
import { type CompanyStanding, companyChange, moveTeams, NOWHERE } from './company-links.ts'
import { type Contact, type ContactInput, contact, nameless } from './record.ts'

const base = crud(contact)
export const contactRecord = base.record

async function create(ctx: Ctx, input: ContactInput, writing: { set?: Stamps } = {}): Promise<Contact> {
  const addresses = settleAddresses({}, input)
  mustHaveName({ ...input, ...addresses }, input)
  const { set: companies, join } = companyChange(NOWHERE, input)
  const company_ids = companies.company_ids ?? (join === undefined ? undefined : [join])
  const person = { ...input, ...addresses, ...companies, ...(company_ids ? { company_ids } : {}) }
  const set = { ...writing.set, created_by: ctx.user }
  if (!input.company_ids?.length) return base.create(ctx, person, { set })
  return transaction(ctx, async tx => {
    await checkCompanies(tx, input)
    return base.create(tx, person, { set })
  })
}

/** Fields that depend on each other, so that a change of one is checked together with the others. */
const TOGETHER = [
  ...(['first_name', 'last_name', 'email', 'emails', 'phone', 'phones'] as const),
  ...(['company_id', 'company_ids'] as const),
]

function update(
  ctx: Ctx,
  id: string,
  input: Partial<ContactInput>,
  { before }: { before?: Standing } = {},
): Promise<Contact> {
  if ([...TOGETHER, 'owner_id' as const].every(name => input[name] === undefined))
    return base.update(ctx, id, input)
  return transaction(ctx, async tx => {
    const now = before ?? (await standing(tx, id))
    const addresses = settleAddresses(now, input)
    mustHaveName({ ...now, ...input, ...addresses }, input)
    await checkCompanies(tx, input)
    const { company_id: _one, company_ids: _all, ...rest } = input
    // sent back unchanged: the owner may have left the account since
    if (rest.owner_id === now.owner_id) delete rest.owner_id
    const change = companyChange(now, input)
    const item = await base.update(tx, id, { ...rest, ...addresses, ...change.set })
    if (change.leave === undefined && change.join === undefined) return item
    await moveTeams(tx, id, change)
    return base.get(tx, id)
  })
}

type Standing = CompanyStanding &
  Pick<Tables['contacts'], 'first_name' | 'last_name' | 'email' | 'phone' | 'owner_id'> & {
    metadata: Metadata
  } & Required<Pick<ContactInput, 'emails' | 'phones'>>

/** The current contact, locked until the transaction ends. */
async function standing(tx: Ctx, id: string): Promise<Standing> {
  const found = await queryOne(
    tx,
    sql<Standing>`select r.first_name, r.last_name, r.email, r.emails, r.phone, r.phones, r.owner_id, r.company_id, r.metadata,
        exists (select from ${rows(tx, 'companies')} c where c.id = r.company_id and c.deleted_at is not null)
          as company_hidden,
        array(select l.company_id from ${rows(tx, 'company_people')} l
          join ${living(tx, 'companies')} c on c.id = l.company_id where l.person_id = r.id) as company_ids
      from ${living(tx, 'contacts')} r where r.id = ${id} for no key update of r`,
  )
  if (!found) throw errors.notFound(contact.label)
  return found
}

function mustHaveName(person: Parameters<typeof nameless>[0], input: Partial<ContactInput>): void {
  const sentence = nameless(person)
  if (sentence !== undefined) throw errors.invalidValue(['body'], sentence, input)
}

/** Before anything is written: one of these may become the primary company. */
const checkCompanies = (tx: Ctx, input: Partial<ContactInput>): Promise<void> =>
  checkReferences(tx, targets.company, input.company_ids ?? [], i => ['body', 'company_ids', i])

export const contactOperations = recordOperations(contact, {
  ...base,
  create,
  update,
  locked: standing,
  updateMany: base.updatingMany(TOGETHER),
})
