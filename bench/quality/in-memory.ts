/** A world of the question sets as an account in memory. */
import { Memory } from '../../src/features/ask/testing/memory.testing.ts'
import type { World } from './strangers/types.ts'

/** Records keep their keys as ids, so that questions can name them. */
export async function inMemory(world: World): Promise<Memory> {
  const memory = new Memory()
  const members = new Map<string, string>()
  for (const [i, { key, name }] of world.users.entries()) {
    if (i === 0) await memory.asker(name)
    members.set(key, i === 0 ? memory.me : await memory.colleague(name))
  }
  const member = (key: string | null | undefined) => (key ? members.get(key) : null)
  for (const field of world.fields) await memory.create('/api/custom-fields', { ...field })
  for (const { key, tags, ...company } of world.companies) {
    await memory.create('/api/companies', { ...company, id: key })
    await memory.tag('company', key, tags ?? [])
  }
  for (const { key, tags, company, owner, ...contact } of world.contacts) {
    const body = { ...contact, id: key, company_id: company, owner_id: member(owner) }
    await memory.create('/api/contacts', body)
    await memory.tag('contact', key, tags ?? [])
  }
  for (const { key, company, contact, owner, close, ...deal } of world.deals) {
    const refers = {
      company_id: company,
      owner_id: member(owner),
      associated_contact_ids: contact ? [contact] : [],
    }
    await memory.create('/api/deals', { ...deal, ...refers, id: key, expected_close_date: close })
  }
  for (const { key, contacts, companies, deals, who, day: _, ...activity } of world.activities) {
    const refers = {
      contact_ids: contacts,
      company_ids: companies,
      deal_ids: deals,
      assignee_id: member(who),
    }
    await memory.create('/api/activities', { ...activity, ...refers, id: key })
  }
  for (const { key, on, ...note } of world.notes) {
    await memory.create('/api/notes', { ...note, id: key, entity_id: on?.[1] })
  }
  return memory
}
