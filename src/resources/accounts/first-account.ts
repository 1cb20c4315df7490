/** The first start's account, with an owner and a key, so that a newcomer can call the service at once. */
import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { contextFor, one, type Services, systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { insertRows } from '../../kernel/statements.ts'
import { defaultPipeline } from './default-pipeline.ts'

export interface FirstAccount {
  accountId: string
  /** undefined if KITH_API_KEY set it: the operator knows it */
  newKey: string | undefined
}

export const newKey = (): string => `sk_${randomBytes(32).toString('base64url')}`
export const keyHash = (key: string): Buffer => createHash('sha256').update(key).digest()
/** Long enough to recognise a key, too short to guess the rest. */
export const keyPrefix = (key: string): string => key.slice(0, 9)

/** The key of an advisory lock, so that two processes do not both create the first account. */
const LOCK = 7_243_001_909

export function firstAccount(services: Services): Promise<FirstAccount | undefined> {
  return systemDb(services)
    .transaction()
    .execute(async db => {
      const run = async <R>(statement: RawBuilder<R>) => (await statement.execute(db)).rows
      await run(sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`)
      const [existing] = await run(
        sql<{ id: string }>`select id from accounts where closed_at is null order by created_at, id limit 1`,
      )
      const configuredKey = services.config.apiKey
      if (existing) {
        if (configuredKey !== undefined) await adoptKey(run, existing.id, configuredKey)
        return undefined
      }

      const accountId = newId()
      const userId = newId()
      await run(sql`insert into accounts (id, name, slug, is_operators)
        values (${accountId}, 'My company', 'my-company', true)`)
      // The owner of a deleted first account may still be here, as a former member of another.
      await run(sql`insert into users (id, email, name) values (${userId},
        case when exists (select from users where lower(email) = 'owner@kith.local') then ${`owner-${userId}@kith.local`}
          else 'owner@kith.local' end, 'Owner')`)
      await run(
        sql`insert into members (account_id, user_id, role) values (${accountId}, ${userId}, 'owner')`,
      )
      const key = configuredKey ?? newKey()
      await insertKey(run, accountId, userId, key)
      if (configuredKey !== undefined) await isNewKey(run, configuredKey)
      const ctx = contextFor(services, {
        kind: 'user',
        id: userId,
        userId,
        accountId,
        role: 'owner',
        scopes: ['*'],
      })
      await seedAccount({ ...ctx, db, inTransaction: true })
      return { accountId, newKey: configuredKey === undefined ? key : undefined }
    })
}

type Run = <R>(statement: RawBuilder<R>) => Promise<R[]>

/** The same key on a later start changes nothing, even if it was revoked or rotated since; another one is added. */
async function adoptKey(run: Run, accountId: string, key: string): Promise<void> {
  if (!(await isNewKey(run, key))) return
  const [existing] = await run(sql`select id from api_keys where key_hash = ${keyHash(key)}`)
  if (existing) return
  const owners = await run(sql<{ user_id: string }>`
    select user_id from members where account_id = ${accountId} and role = 'owner' order by created_at limit 1`)
  await insertKey(run, accountId, one(owners).user_id, key)
}

/** Whether the previous start had another key; stores this one for the next start. */
async function isNewKey(run: Run, key: string): Promise<boolean> {
  const hash = keyHash(key).toString('base64')
  const changed =
    await run(sql`insert into service_secrets as s (name, value) values ('environment key', ${hash})
    on conflict (name) do update set value = excluded.value where s.value <> excluded.value returning s.name`)
  return changed.length > 0
}

const insertKey = (run: Run, accountId: string, userId: string, key: string) =>
  run(sql`insert into api_keys (account_id, id, name, prefix, key_hash, created_by)
    values (${accountId}, ${newId()}, 'First key', ${keyPrefix(key)}, ${keyHash(key)}, ${userId})`)

/** Creates the initial records of a new account. */
export async function seedAccount(tx: Parameters<typeof insertRows>[0]): Promise<void> {
  const { pipeline, stages } = defaultPipeline()
  await insertRows(tx, 'pipelines', [pipeline])
  await insertRows(tx, 'stages', stages)
}
