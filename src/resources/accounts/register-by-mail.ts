/**
 * Registration by mail, if registration is open and mail is configured. The answer is the same for every address, so
 * that it does not reveal who is registered; the mail does. No user is created before the token of the mail is used.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { sendSoon } from '../../mail/send-soon.ts'
import { badToken } from './mail-tokens.ts'
import { registeredAlreadyMail, registrationMail } from './mails.ts'
import { hashPassword } from './passwords.ts'
import { createAccount, createUser, type User, userByEmail } from './people.ts'
import { checkMayRegister } from './registration.ts'
import { tokenHash } from './sessions.ts'

const PREFIX = 'rgt_'
const HOURS = 72
/** The maximum of mails per address and hour. */
const PER_HOUR = 5

export interface Registration {
  email: string
  name: string
  account_name?: string | undefined
  password: string
}

export const registersByMail = ({ services: { config } }: ServiceCtx): boolean =>
  config.registration === 'open' && config.mail !== undefined

/** Returns before the address is looked up, so that the time is the same for every address. */
export async function requestRegistration(ctx: ServiceCtx, input: Registration): Promise<void> {
  const { config, log } = ctx.services
  const passwordHash = await hashPassword(input.password)
  const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
  if (!(await stored(ctx, input, passwordHash, token))) return
  const mail = async () => {
    const isKnown = (await userByEmail(ctx, input.email)) !== undefined
    sendSoon(
      ctx.services,
      isKnown ? registeredAlreadyMail(input.email) : registrationMail(config, input.email, token),
    )
  }
  mail().catch(error => log.error({ err: error }, 'a registration could not be mailed'))
}

/** False if the address has received too many mails. */
const stored = (
  ctx: ServiceCtx,
  input: Registration,
  passwordHash: string,
  token: string,
): Promise<boolean> =>
  transaction(ctx, async tx => {
    // One at a time: two concurrent requests would both be within the limit.
    const lock = `registration ${input.email.toLowerCase()}`
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
    const recent = await query(
      tx,
      sql`select 1 from registrations where lower(email) = lower(${input.email})
        and created_at > now() - interval '1 hour' limit ${PER_HOUR}`,
    )
    if (recent.length >= PER_HOUR) return false
    await query(
      tx,
      sql`insert into registrations (token_hash, email, name, account_name, password_hash, expires_at)
        values (${tokenHash(token)}, ${input.email}, ${input.name}, ${input.account_name ?? null}, ${passwordHash},
          now() + make_interval(hours => ${HOURS}))`,
    )
    return true
  })

export const isRegistrationToken = (token: string): boolean => token.startsWith(PREFIX)

interface Pending {
  email: string
  name: string
  account_name: string | null
  password_hash: string
}

/** Creates the person and their account after the token of the mail was used. */
export async function completeRegistration(ctx: ServiceCtx, token: string): Promise<User> {
  const user = await transaction(ctx, async tx => {
    const pending = await queryOne(
      tx,
      sql<Pending>`delete from registrations where token_hash = ${tokenHash(token)} and expires_at > now()
        returning email, name, account_name, password_hash`,
    )
    if (!pending) throw badToken()
    await checkMayRegister(tx)
    const { email, name, password_hash: passwordHash } = pending
    const created = await createUser(tx, { email, name, passwordHash, subject: null, isConfirmed: true })
    await createAccount(tx, created.id, pending.account_name ?? name)
    await query(tx, sql`delete from registrations where lower(email) = lower(${email})`)
    return created
  })
  ctx.services.caches.forget('members')
  return user
}
