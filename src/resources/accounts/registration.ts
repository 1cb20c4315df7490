/** Who may register and create accounts, as KITH_REGISTRATION says. */
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { query, queryOne, type ServiceCtx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'

type Registration = Config['registration']

/** The key of an advisory lock: of two concurrent first registrations only one finds the service unused. */
const LOCK = 7_243_001_911

/** The kinds of record that the first start creates. */
const SEEDED = ['pipelines', 'stages', 'members', 'api_keys']

/** No person can sign in yet. */
export async function isSetupNeeded(ctx: ServiceCtx): Promise<boolean> {
  const person = await queryOne(
    ctx,
    sql`select id from users where password_hash is not null or external_subject is not null limit 1`,
  )
  return person === undefined
}

/** In addition, the key that the first start printed has written nothing. */
async function isUnused(ctx: ServiceCtx): Promise<boolean> {
  const isWritten = sql`select 1 as used where exists (select from changes where kind <> all (${SEEDED}::text[]))`
  return (await isSetupNeeded(ctx)) && (await queryOne(ctx, isWritten)) === undefined
}

export const lockFirstPerson = (tx: ServiceCtx) =>
  query(tx, sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`)

/** `invited` is open to the first person, because there is no one to invite them. */
export async function registrationOf(ctx: ServiceCtx): Promise<Registration> {
  const { registration } = ctx.services.config
  return registration === 'invited' && (await isUnused(ctx)) ? 'open' : registration
}

const refuse = (registration: Registration): void => {
  if (registration === 'closed') throw errors.registrationClosed()
  if (registration === 'invited') throw errors.invitationRequired()
}

/** Refuses a person without an invitation. In a transaction the result holds until its end. */
export async function checkMayRegister(ctx: ServiceCtx): Promise<void> {
  if (ctx.inTransaction && ctx.services.config.registration === 'invited') {
    await lockFirstPerson(ctx)
  }
  refuse(await registrationOf(ctx))
}

/** Refuses a new person who has an invitation. */
export function checkMayJoin(ctx: ServiceCtx): void {
  if (ctx.services.config.registration === 'closed') throw errors.registrationClosed()
}

/** With `invited`, only owners create accounts: otherwise any invited guest could become a tenant. */
export async function checkMayCreateAccount(ctx: ServiceCtx, userId: string): Promise<void> {
  const { registration } = ctx.services.config
  if (registration === 'open') return
  if (registration === 'closed') throw errors.accountsClosed()
  const owned = await queryOne(
    ctx,
    sql`select account_id from members where user_id = ${userId} and role = 'owner' limit 1`,
  )
  if (!owned) throw errors.ownersOnly()
}
