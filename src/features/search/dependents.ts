/** Records that show something of another record, and so are out of date when that one changes. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows, type TableName } from '../../kernel/statements.ts'
import { SOURCES } from './sources/index.ts'

/** How many records are indexed anew, at most, because something that they show was renamed. */
const MAX_DEPENDENTS = 2000

/** Where records show names of other records: a rename there makes these out of date. */
const DEPENDENTS: Record<string, { entityType: string; table: TableName; by: string; id: string }[]> = {
  companies: [
    { entityType: 'contact', table: 'contacts', by: 'company_id', id: 'id' },
    { entityType: 'deal', table: 'deal_companies', by: 'company_id', id: 'deal_id' },
    { entityType: 'activity', table: 'activity_companies', by: 'company_id', id: 'activity_id' },
    { entityType: 'note', table: 'note_companies', by: 'company_id', id: 'note_id' },
    { entityType: 'email_draft', table: 'email_drafts', by: 'company_id', id: 'id' },
    { entityType: 'transcription', table: 'transcriptions', by: 'company_id', id: 'id' },
  ],
  contacts: [
    { entityType: 'company', table: 'company_people', by: 'person_id', id: 'company_id' },
    { entityType: 'deal', table: 'deal_contacts', by: 'contact_id', id: 'deal_id' },
    { entityType: 'activity', table: 'activity_contacts', by: 'contact_id', id: 'activity_id' },
    { entityType: 'note', table: 'note_contacts', by: 'contact_id', id: 'note_id' },
    { entityType: 'email_draft', table: 'email_drafts', by: 'contact_id', id: 'id' },
    { entityType: 'transcription', table: 'transcriptions', by: 'contact_id', id: 'id' },
  ],
  deals: [
    { entityType: 'activity', table: 'activity_deals', by: 'deal_id', id: 'activity_id' },
    { entityType: 'note', table: 'note_deals', by: 'deal_id', id: 'note_id' },
    { entityType: 'email_draft', table: 'email_drafts', by: 'deal_id', id: 'id' },
    { entityType: 'transcription', table: 'transcriptions', by: 'deal_id', id: 'id' },
  ],
  activities: [
    { entityType: 'note', table: 'note_activities', by: 'activity_id', id: 'note_id' },
    { entityType: 'transcription', table: 'transcriptions', by: 'activity_id', id: 'id' },
  ],
  stages: [{ entityType: 'deal', table: 'deals', by: 'stage_id', id: 'id' }],
  chats: [{ entityType: 'chat_message', table: 'chat_messages', by: 'chat_id', id: 'id' }],
}

export const KINDS_SHOWN = Object.keys(DEPENDENTS)

/** The kinds of record at the two ends of a link; where null, that end shows nothing of it. */
export const LINKS: Record<string, [string | null, string | null]> = {
  company_people: ['company', 'contact'],
  deal_companies: ['deal', null],
  deal_contacts: ['deal', null],
  activity_contacts: ['activity', null],
  activity_companies: ['activity', null],
  activity_deals: ['activity', null],
  note_contacts: ['note', null],
  note_companies: ['note', null],
  note_deals: ['note', null],
  note_activities: ['note', null],
}

/** Tags hang on records of several kinds, and so do the names of custom fields. */
export async function markTagged(
  ctx: Ctx,
  changes: readonly { kind: string; entity_id: string; renamed: boolean }[],
): Promise<void> {
  const tagged = changes.filter(change => change.kind === 'taggings').map(change => change.entity_id)
  const tags = changes
    .filter(change => change.kind === 'tags' && change.renamed)
    .map(change => change.entity_id)
  if (tagged.length + tags.length > 0) {
    await addDirty(
      ctx,
      sql`select distinct on (t.entity_id) t.entity_type, t.entity_id, 0 from ${rows(ctx, 'taggings')} t
        where t.tag_id = any(${tags}::uuid[]) or t.entity_id = any(${tagged}::uuid[]) limit ${MAX_DEPENDENTS}`,
    )
    // the last tag may be gone, and with it the only line that says what kind of record it was on
    for (const { entityType, table } of SOURCES) {
      if (!['company', 'contact', 'deal', 'activity', 'note'].includes(entityType) || tagged.length === 0)
        continue
      await addDirty(
        ctx,
        sql`select ${entityType}::text, t.id, 0 from ${rows(ctx, table)} t where t.id = any(${tagged}::uuid[])`,
      )
    }
  }
  const fields = changes.filter(change => change.kind === 'custom_fields').map(change => change.entity_id)
  if (fields.length === 0) return
  await addDirty(
    ctx,
    sql`select distinct on (v.entity_id) f.entity_type, v.entity_id, 1 from ${rows(ctx, 'custom_values')} v
      join ${rows(ctx, 'custom_fields')} f on f.id = v.field_id
      where v.field_id = any(${fields}::uuid[]) limit ${MAX_DEPENDENTS}`,
  )
}

/** Where the people and the deals of companies are found: what hangs on these is found under the company's name, too. */
const OF_COMPANIES: { kind: string; table: TableName; id: string }[] = [
  { kind: 'contacts', table: 'contacts', id: 'id' },
  { kind: 'deals', table: 'deal_companies', id: 'deal_id' },
]

export async function markDependents(ctx: Ctx, kind: string, ids: readonly string[]): Promise<void> {
  for (const { entityType, table, by, id } of ids.length > 0 ? (DEPENDENTS[kind] ?? []) : []) {
    await addDirty(
      ctx,
      sql`select ${entityType}::text, t.${sql.ref(id)}, 1 from ${rows(ctx, table)} t
        where t.${sql.ref(by)} = any(${ids}::uuid[]) group by 2 order by 2 desc limit ${MAX_DEPENDENTS}`,
    )
  }
  for (const { kind: held, table, id } of kind === 'companies' && ids.length > 0 ? OF_COMPANIES : []) {
    const found = await query(
      ctx,
      sql<{ id: string }>`select t.${sql.ref(id)} as id from ${rows(ctx, table)} t
        where t.company_id = any(${ids}::uuid[]) group by 1 order by 1 desc limit ${MAX_DEPENDENTS}`,
    )
    await markDependents(
      ctx,
      held,
      found.map(row => row.id),
    )
  }
}

export const addDirty = (ctx: Ctx, found: ReturnType<typeof sql>) =>
  query(
    ctx,
    sql`insert into ${sql.table('search_dirty')} as d (account_id, entity_type, entity_id, priority)
      select ${ctx.account}, n.* from (${found}) n (entity_type, entity_id, priority)
      on conflict (account_id, entity_id) do update set priority = excluded.priority
      where d.priority = 1 and excluded.priority <> 1`,
  )
