/** Reads the journal and marks the records whose passages are out of date. */
import { sql } from 'kysely'
import type { Db } from '../../db/engine.ts'
import { type Ctx, query, type Services } from '../../kernel/context.ts'
import { unscoped } from '../../kernel/statements.ts'
import { addDirty, KINDS_SHOWN, markDependents, markTagged, SHOWING_ENDS } from './dependents.ts'
import { SOURCES } from './sources/index.ts'

const BATCH = 2000
/** More changes than this in one batch come from an import; no user waits for them. */
const BULK = 500

export const FEED = unscoped('search_feed')
const CHANGES = unscoped('changes')

/** Changes by people and changes by imports are read separately, each in its own order. */
export const LANES = ['people', 'imports'] as const
export type Lane = (typeof LANES)[number]
export const inLane = (lane: Lane) =>
  lane === 'imports' ? sql`c.actor_kind = 'import'` : sql`c.actor_kind <> 'import'`

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
  /** its name or company changed, or the type of a stage, by which its deals are lost; or it was deleted, restored or erased */
  renamed: boolean
}

const typeOfTable = new Map<string, string>(SOURCES.map(source => [source.table, source.entityType]))

/**
 * Reads the next changes of the journal and returns their number. It reads only transactions that are older than
 * every open one, in order, so that no change is skipped. The new position is stored in the same transaction as the
 * marks.
 */
export async function feed(services: Services, tx: Db, lane: Lane): Promise<number> {
  const changes = await query(
    { db: tx },
    sql<Change>`select c.xid::text, c.seq, c.account_id, c.kind, c.entity_id, c.related_id,
        c.action in ('deleted', 'restored', 'erased')
          or coalesce(c.after ?| array['name', 'full_name', 'subject', 'title', 'company_id'], false)
          or c.kind = 'stages' and coalesce(c.after ? 'type', false) as renamed
      from ${FEED} f join ${CHANGES} c on (c.xid, c.seq) > (f.xid, f.seq)
      where f.lane = ${lane} and ${inLane(lane)} and c.xid < pg_snapshot_xmin(pg_current_snapshot()) order by c.xid, c.seq limit ${BATCH}`,
  )
  const last = changes.at(-1)
  if (!last) return 0
  for (const [account, some] of Map.groupBy(changes, change => change.account_id)) {
    const ctx = accountCtx(services, tx, account)
    await markDirty(ctx, some, lane === 'imports' || some.length > BULK ? 1 : 0)
    await markTagged(ctx, some)
    for (const kind of KINDS_SHOWN) {
      const shown = some.filter(change => change.kind === kind && change.renamed)
      // notes and activities of a deal are also indexed under the deal's company
      const moved = kind === 'deals' ? some.filter(change => change.kind === 'deal_companies') : []
      const ids = [...shown, ...moved].map(change => change.entity_id)
      await markDependents(ctx, kind, [...new Set(ids)])
    }
  }
  await query(
    { db: tx },
    sql`update ${FEED} set xid = ${last.xid}::xid8, seq = ${last.seq} where lane = ${lane}`,
  )
  return changes.length
}

async function markDirty(ctx: Ctx, changes: readonly Change[], priority: number): Promise<void> {
  const dirty = new Map<string, string>()
  const add = (type: string | null | undefined, id: string | null) => {
    if (type && id !== null) dirty.set(id, type)
  }
  for (const change of changes) {
    const ends = SHOWING_ENDS[change.kind]
    add(ends ? ends[0] : typeOfTable.get(change.kind), change.entity_id)
    if (ends) add(ends[1], change.related_id)
  }
  await addDirty(
    ctx,
    sql`select d.type, d.id, ${priority}::smallint from unnest(${[...dirty.values()]}::text[],
      ${[...dirty.keys()]}::uuid[]) d (type, id)`,
  )
}
