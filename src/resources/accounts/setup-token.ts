/** The token of the link that a start prints. Only its hash is stored; a later start replaces it. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx, type Services, systemDb } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { isSetupNeeded } from './registration.ts'
import { tokenHash } from './sessions.ts'

const NAME = 'setup token'
const HOURS = 24

/** A new token, or undefined if a person can sign in already. */
export async function issueSetupToken(services: Services): Promise<string | undefined> {
  const ctx: ServiceCtx = { services, db: systemDb(services), inTransaction: false }
  if (!(await isSetupNeeded(ctx))) return undefined
  const token = randomBytes(32).toString('hex')
  await query(
    ctx,
    sql`insert into service_secrets (name, value) values (${NAME}, ${tokenHash(token).toString('hex')})
      on conflict (name) do update set value = excluded.value, created_at = now()`,
  )
  return token
}

/** Refuses a wrong token, and any token once a person can sign in. */
export async function checkSetup(ctx: ServiceCtx, token: string): Promise<void> {
  if (!(await isSetupNeeded(ctx))) throw errors.conflict('This service is set up already: sign in')
  const stored = await queryOne(
    ctx,
    sql<{ value: string }>`select value from service_secrets
      where name = ${NAME} and created_at > now() - make_interval(hours => ${HOURS})`,
  )
  if (stored && timingSafeEqual(Buffer.from(stored.value, 'hex'), tokenHash(token))) return
  const sentence =
    'this link has expired or is not the latest one: restart the service, which prints a new one'
  throw errors.invalidValue(['body', 'token'], sentence, null)
}

export const removeSetupToken = (tx: ServiceCtx) =>
  query(tx, sql`delete from service_secrets where name = ${NAME}`)
