/** Creates a note from a transcription. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import { errors } from '../../kernel/errors.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living } from '../../kernel/statements.ts'
import { notes } from '../../resources/notes/index.ts'
import type { Note } from '../../resources/notes/record.ts'
import { transcription } from './record.ts'

const { get } = crud(transcription)
const MAX_CONTENT = 100_000

export async function toNote(ctx: Ctx, id: string, title: string | null | undefined): Promise<Note> {
  if (!hasScope(ctx.caller.scopes, 'notes:write')) throw errors.missingScope('notes:write')
  const transcription = await get(ctx, id)
  if (transcription.status !== 'completed')
    throw errors.conflict(`This transcription has no text yet: it is ${transcription.status}`)
  const { text, summary } = transcription
  if (!text?.trim()) throw errors.conflict('Nothing was said in this recording')
  const content = summary && summary !== text ? `${summary}\n\n---\n\n${text}` : text
  const linked = await linkedIdsOf(ctx, id)
  // the most specific linked record
  const entity = (['activity', 'contact', 'deal', 'company'] as const).find(kind => linked[kind] !== null)
  const ids = (id: string | null) => (id === null ? [] : [id])
  return notes.operations.create(ctx, {
    title: title ?? transcription.file_name,
    content: [...content].slice(0, MAX_CONTENT).join(''),
    ...(entity ? { entity_type: entity, entity_id: linked[entity] } : {}),
    contact_ids: ids(linked.contact),
    company_ids: ids(linked.company),
    deal_ids: ids(linked.deal),
    is_pinned: false,
  })
}

type LinkedIds = Record<'activity' | 'contact' | 'company' | 'deal', string | null>

/** A note cannot be linked to a record in the trash. */
async function linkedIdsOf(ctx: Ctx, id: string): Promise<LinkedIds> {
  const linked = await queryOne(
    ctx,
    sql<LinkedIds>`select a.id as activity, c.id as contact, o.id as company, d.id as deal
      from ${living(ctx, 'transcriptions')} t
      left join ${living(ctx, 'activities')} a on a.id = t.activity_id
      left join ${living(ctx, 'contacts')} c on c.id = t.contact_id
      left join ${living(ctx, 'companies')} o on o.id = t.company_id
      left join ${living(ctx, 'deals')} d on d.id = t.deal_id
      where t.id = ${id}`,
  )
  if (!linked) throw errors.notFound('Transcription')
  return linked
}
