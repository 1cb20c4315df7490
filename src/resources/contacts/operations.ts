/** Creating and changing contacts: the shared operations with a contact's own rules before them. */
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { checkReferences } from '../../kernel/links.ts'
import type { Item, Operations } from '../../kernel/resource.ts'
import { living, rows } from '../../kernel/statements.ts'
import { targets } from '../shared/fields.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { EMAIL, PHONE, settle } from './addresses.ts'
import { companyChange, moveTeams, NOWHERE, type Standing } from './company-links.ts'
import { contact, nameless } from './record.ts'

const base = crud(contact)
export const contactRecord = base.record

async function create(ctx: Ctx, input: Item): Promise<Item> {
  const addresses = { ...settle(EMAIL, {}, input), ...settle(PHONE, {}, input) }
  mustHaveName({ ...input, ...addresses }, input)
  const { set, join } = companyChange(NOWHERE, input)
  const company_ids = set.company_ids ?? (join === undefined ? undefined : [join])
  const person = {
    ...input,
    ...addresses,
    ...set,
    ...(company_ids ? { company_ids } : {}),
    created_by: ctx.user,
  }
  if (!input.company_ids?.length) return base.create(ctx, person)
  return transaction(ctx, async tx => {
    await checkCompanies(tx, input)
    return base.create(tx, person)
  })
}

/** Fields that must fit together, so that a change of one is looked at beside the others. */
const TOGETHER = [
  ...['first_name', 'last_name', 'email', 'emails', 'phone', 'phones'],
  ...['company_id', 'company_ids'],
]

function update(ctx: Ctx, id: string, input: Item): Promise<Item> {
  if ([...TOGETHER, 'owner_id'].every(name => input[name] === undefined)) return base.update(ctx, id, input)
  return transaction(ctx, async tx => {
    const now = await standing(tx, id)
    const addresses = { ...settle(EMAIL, now, input), ...settle(PHONE, now, input) }
    mustHaveName({ ...now, ...input, ...addresses }, input)
    await checkCompanies(tx, input)
    const { company_id: _one, company_ids: _all, ...rest } = input
    // sent back as it was read: the owner may have left the account since
    if (rest.owner_id === now.owner_id) delete rest.owner_id
    const change = companyChange(now, input)
    const item = await base.update(tx, id, { ...rest, ...addresses, ...change.set })
    if (change.leave === undefined && change.join === undefined) return item
    await moveTeams(tx, id, change)
    return base.get(tx, id)
  })
}

/** The contact as it is, locked until the change is made. */
async function standing(tx: Ctx, id: string): Promise<Standing & Item> {
  const found = await queryOne(
    tx,
    sql<
      Standing & Item
    >`select r.first_name, r.last_name, r.email, r.emails, r.phone, r.phones, r.owner_id, r.company_id,
        exists (select from ${rows(tx, 'companies')} c where c.id = r.company_id and c.deleted_at is not null)
          as company_hidden,
        array(select l.company_id from ${rows(tx, 'company_people')} l
          join ${living(tx, 'companies')} c on c.id = l.company_id where l.person_id = r.id) as company_ids
      from ${living(tx, 'contacts')} r where r.id = ${id} for no key update of r`,
  )
  if (!found) throw errors.notFound(contact.label)
  return found
}

function mustHaveName(person: Item, input: Item): void {
  const sentence = nameless(person)
  if (sentence !== undefined) throw errors.invalidValue(['body'], sentence, input)
}

/** Before anything is written: one of these may become the primary company. */
const checkCompanies = (tx: Ctx, input: Item): Promise<void> =>
  checkReferences(tx, targets.company, input.company_ids ?? [], i => ['body', 'company_ids', i])

export const contactOperations: Operations = recordOperations(contact, {
  ...base,
  create,
  update,
  updateMany: base.updatingMany(TOGETHER),
})
