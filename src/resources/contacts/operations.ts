/** Creating and changing contacts: the shared operations with a contact's own rules. */
import { sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { errors } from '../../kernel/errors.ts'
import { addLinks, linkedIds, removeLinks } from '../../kernel/links.ts'
import { eachWrite } from '../../kernel/rules.ts'
import { rows } from '../../kernel/statements.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { settleAddresses } from './addresses.ts'
import { type CompanyStanding, companyChange, NOWHERE } from './company-links.ts'
import { type ContactInput, companyLink, contact, nameless } from './record.ts'

/** The stored values of a contact that its rules need. */
type Standing = CompanyStanding &
  Pick<Tables['contacts'], 'first_name' | 'last_name' | 'email' | 'phone' | 'owner_id'> &
  Required<Pick<ContactInput, 'emails' | 'phones'>>

export const contactOperations = recordOperations(contact, {
  author: 'created_by',
  // fields that depend on each other, so that a change of one is checked together with the others
  dependent: [
    ...(['first_name', 'last_name', 'email', 'emails', 'phone', 'phones'] as const),
    ...(['company_id', 'company_ids', 'owner_id'] as const),
  ],
  before: ctx =>
    sql<Standing>`r.first_name, r.last_name, r.email, r.emails, r.phone, r.phones, r.owner_id, r.company_id,
      exists (select from ${rows(ctx, 'companies')} c where c.id = r.company_id and c.deleted_at is not null)
        as company_hidden,
      ${linkedIds(ctx, companyLink)} as company_ids`,
  prepare: (_, writes) =>
    eachWrite(writes, write => {
      const { input, before } = write
      const { company_id: _one, company_ids: _all, ...rest } = write.values
      const addresses = settleAddresses(before ?? {}, input)
      const problem = nameless({ ...before, ...rest, ...addresses })
      if (problem !== undefined) throw errors.invalidValue(['body'], problem, input)
      // sent back unchanged: the owner may have left the account since
      if (before && rest.owner_id === before.owner_id) delete rest.owner_id
      const { set, join } = companyChange(before ?? NOWHERE, input)
      const joined = write.isNew && join !== undefined ? { company_ids: [join] } : {}
      write.values = { ...rest, ...addresses, ...joined, ...set }
    }),
  async finish(tx, writes) {
    const moves = writes.flatMap(({ id, before, input }) =>
      before ? [{ id, ...companyChange(before, input) }] : [],
    )
    const pairs = (end: 'leave' | 'join') =>
      moves.flatMap(move => {
        const other = move[end]
        return other === undefined ? [] : [{ own: move.id, other }]
      })
    const [left, joined] = [pairs('leave'), pairs('join')]
    await removeLinks(tx, companyLink, left)
    await addLinks(tx, companyLink, joined)
    return left.length + joined.length > 0
  },
})

export const contactRecord = contactOperations.record
