/** A person's right to be forgotten. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import type { Endpoint } from '../../kernel/resource.ts'

export async function eraseContact(ctx: Ctx, id: string): Promise<void> {
  const gone = await query(ctx, sql`select erase_records('contacts', ${[id]}::uuid[])`)
  if (gone.length === 0) throw errors.notFound('Contact')
}

export const eraseEndpoint: Endpoint = {
  method: 'POST',
  path: '/api/contacts/{contact_id}/erase',
  tag: 'Contacts',
  permission: 'contacts:write',
  role: 'admin',
  summary: 'Erase a contact for good',
  description:
    'Removes the person at once, also from the trash, with every link and favorite, and empties what the journal and stored answers hold of them. Nothing brings them back.',
  response: empty,
  async run(ctx, { params }) {
    await eraseContact(ctx, params.contact_id)
    return {}
  },
}
