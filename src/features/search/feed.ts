/** From the journal to the list of records whose passages are out of date. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { type Ctx, query, type Services } from '../../kernel/context.ts'
import { rows } from '../../kernel/statements.ts'
import { SOURCES } from './sources.ts'

const BATCH = 2000
/** How many records are indexed anew, at most, because something that they show was renamed. */
const MAX_DEPENDENTS = 2000
/** So many changes in one go are nobody waiting for one of them. */
const BULK = 500

export const FEED = sql.table('search_feed')
const CHANGES = sql.table('changes')

/** The indexer's view of an account: the service's own connection, with the account in every statement. */
export const accountCtx = (services: Services, db: Db, account: string): Ctx => ({
  services,
  db,
  inTransaction: true,
  account,
  user: account,
  caller: { kind: 'job', id: account, userId: account, accountId: account, role: 'viewer', scopes: [] },
})

interface Change {
  xid: string
  seq: number
  account_id: string
  kind: string
  entity_id: string
  related_id: string | null
  bulk: boolean
  renamed: boolean
}

/** Where records show names of other records: a rename there makes these out of date. */
const DEPENDENTS: Record<string, { entityType: string; table: string; by: string; id: string }[]> = {
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
  stages: [{ entityType: 'deal', table: 'deals', by: 'stage_id', id: 'id' }],
  chats: [{ entityType: 'chat_message', table: 'chat_messages', by: 'chat_id', id: 'id' }],
}

/** The kinds of record at the two ends of a link; where null, that end shows nothing of it. */
const LINKS: Record<string, [string | null, string | null]> = {
  company_people: ['company', 'contact'],
  deal_companies: ['deal', null],
  deal_contacts: ['deal', null],
  activity_contacts: ['activity', null],
  activity_companies: ['activity', null],
  activity_deals: ['activity', null],
  note_contacts: ['note', null],
  note_companies: ['note', null],
  note_deals: ['note', null],
}

const typeOfTable = new Map(SOURCES.map(source => [source.table, source.entityType]))

/**
 * Reads on in the journal. Only what no open transaction can still add to is read, in the order of the
 * transactions, so nothing is skipped; the new position and what follows from it are written together.
 * Returns how many changes there were.
 */
export async function feed(services: Services, tx: Db): Promise<number> {
  const changes = await query(
    { db: tx },
    sql<Change>`select c.xid::text, c.seq, c.account_id, c.kind, c.entity_id, c.related_id, c.actor_kind = 'import' as bulk,
        c.action in ('deleted', 'restored', 'erased')
          or coalesce(c.after ?| array['name', 'full_name', 'subject', 'title'], false) as renamed
      from ${FEED} f join ${CHANGES} c on (c.xid, c.seq) > (f.xid, f.seq)
      where c.xid < pg_snapshot_xmin(pg_current_snapshot()) order by c.xid, c.seq limit ${BATCH}`,
  )
  const last = changes.at(-1)
  if (!last) return 0
  for (const [account, some] of Map.groupBy(changes, change => change.account_id)) {
    const ctx = accountCtx(services, tx, account)
    await markDirty(ctx, some)
    await markTagged(ctx, some)
    for (const [kind, dependents] of Object.entries(DEPENDENTS)) {
      const ids = some
        .filter(change => change.kind === kind && change.renamed)
        .map(change => change.entity_id)
      if (ids.length > 0) await markDependents(ctx, dependents, ids)
    }
  }
  await query({ db: tx }, sql`update ${FEED} set xid = ${last.xid}::xid8, seq = ${last.seq}`)
  return changes.length
}

async function markDirty(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  const priority = changes.length > BULK ? 1 : 0
  const dirty = new Map<string, { type: string; priority: number }>()
  const add = (type: string | null | undefined, id: string | null, change: Change) => {
    if (!type || id === null) return
    const own = change.bulk ? 1 : priority
    dirty.set(id, { type, priority: Math.min(own, dirty.get(id)?.priority ?? 1) })
  }
  for (const change of changes) {
    const ends = LINKS[change.kind]
    add(ends ? ends[0] : typeOfTable.get(change.kind), change.entity_id, change)
    if (ends) add(ends[1], change.related_id, change)
  }
  await addDirty(
    ctx,
    sql`select d.type, d.id, d.priority from unnest(${[...dirty.values()].map(d => d.type)}::text[],
      ${[...dirty.keys()]}::uuid[], ${[...dirty.values()].map(d => d.priority)}::smallint[]) d (type, id, priority)`,
  )
}

/** Tags hang on records of several kinds, and so do the names of custom fields. */
async function markTagged(ctx: Ctx, changes: readonly Change[]): Promise<void> {
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

async function markDependents(
  ctx: Ctx,
  dependents: (typeof DEPENDENTS)[string],
  ids: string[],
): Promise<void> {
  for (const { entityType, table, by, id } of dependents) {
    await addDirty(
      ctx,
      sql`select ${entityType}::text, t.${sql.ref(id)}, 1 from ${rows(ctx, table)} t
        where t.${sql.ref(by)} = any(${ids}::uuid[]) group by 2 order by 2 desc limit ${MAX_DEPENDENTS}`,
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
