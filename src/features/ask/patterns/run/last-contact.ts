/** The last call, meeting or email, and who was in it. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../../kernel/context.ts'
import { living, rows } from '../../../../kernel/statements.ts'
import { type Answer, refusal } from '../../prose/answer.ts'
import { person } from '../fields/field.ts'
import type { Plan } from '../plan.ts'
import { answer } from './said.ts'
import { source } from './select.ts'

interface LastContact {
  id: string
  name: string
  type: string
  assignee: string | null
  happened_at: string
  updated_at: string
  contacts: { id: string; name: string; updated_at: string }[]
}

export async function lastContact(ctx: Ctx, plan: Plan, asks: 'who' | 'when' | 'colleague'): Promise<Answer> {
  const [last] = await query(
    ctx,
    sql<LastContact>`select r.id, r.subject as name, r.type, r.happened_at, r.updated_at, ${person('assignee_id')} as assignee,
        (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.full_name, 'updated_at', c.updated_at)), '[]')
          from ${rows(ctx, 'activity_contacts')} l join ${living(ctx, 'contacts')} c on c.id = l.contact_id
          where l.activity_id = r.id) as contacts
      from ${source(ctx, plan)} order by r.happened_at desc, r.id desc limit 1`,
  )
  if (!last || (asks === 'colleague' && last.assignee === null)) return refusal('data')
  const people = last.contacts.map(contact => contact.name).join(', ') || 'nobody in particular'
  const day = last.happened_at.slice(0, 10)
  const activity = {
    index: 1,
    entity_type: 'activity',
    entity_id: last.id,
    name: last.name,
    snippet: `${last.type}: ${last.name}, ${day}`,
    updated_at: last.updated_at,
    score: 1,
  }
  const contacts = last.contacts.map((contact, i) => ({
    index: i + 2,
    entity_type: 'contact',
    entity_id: contact.id,
    name: contact.name,
    snippet: contact.name,
    updated_at: new Date(contact.updated_at).toISOString(),
    score: 1,
  }))
  const text =
    asks === 'colleague'
      ? `${last.assignee}, on ${day} (${last.type}: ${last.name}, with ${people}) [1].`
      : asks === 'who'
        ? `${people}, on ${day} (${last.type}: ${last.name}) [1].`
        : `On ${day}, ${last.type} "${last.name}" with ${people} [1].`
  return answer(text, [activity, ...contacts], { at: last.happened_at, contacts: last.contacts })
}
