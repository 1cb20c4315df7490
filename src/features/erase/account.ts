/** Deletes an account: access ends with the request, and a job removes the data. */
import { sql } from 'kysely'
import { type Ctx, queryOne, type ServiceCtx, systemDb, transaction } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { boolean, type Infer, object, optional, text, withDefault } from '../../kernel/schema/index.ts'
import { deleteRows, unscoped, updateRows } from '../../kernel/statements.ts'
import { closeAccount } from '../../resources/accounts/close.ts'
import { ofOwnAccount } from '../../resources/accounts/endpoints.ts'
import { needs, roleOf } from '../../resources/accounts/members.ts'
import { checkCurrentPassword } from '../../resources/accounts/passwords.ts'
import { userById } from '../../resources/accounts/people.ts'
import { deleteAccountJob } from './account-job.ts'

const confirmation = object(
  {
    slug: text({ max: 63, description: 'The slug of the account, typed again' }),
    current_password: optional(
      text({ max: 200, description: 'Required for users who sign in with a password' }),
    ),
    without_export: withDefault(
      boolean({ description: 'Delete although no archive of the account is ready for download' }),
      false,
    ),
  },
  { title: 'AccountDelete' },
)

async function deleteAccount(ctx: Ctx, input: Infer<typeof confirmation>): Promise<object> {
  if (ctx.caller.kind === 'key') throw errors.personOnly()
  // Users, passwords and sessions belong to the service, not to the account.
  const service: ServiceCtx = { services: ctx.services, db: systemDb(ctx.services), inTransaction: false }
  const user = await userById(service, ctx.user)
  if (user?.password_hash != null) await checkCurrentPassword(user.password_hash, input.current_password)
  await transaction(service, async tx => {
    const bound: Ctx = { ...ctx, db: tx.db, inTransaction: true }
    await checkDecision(bound, input)
    await closeAccount(tx, ctx.account)
    await deleteRows(bound, 'chat_shares', sql`true`)
    await updateRows(bound, 'webhooks', { is_active: false }, sql`r.is_active`)
    // A running job stops at its next step, because its row is deleted.
    await deleteRows(bound, 'jobs', sql`true`)
    await enqueue(bound, deleteAccountJob, {})
  })
  for (const table of ['members', 'api_keys', 'refresh_tokens']) ctx.services.caches.forget(table)
  return {}
}

/**
 * Locks the account until the transaction ends: of two concurrent requests, the second is refused, because there is no
 * owner any more.
 */
async function checkDecision(tx: Ctx, input: Infer<typeof confirmation>): Promise<void> {
  const account = await queryOne(
    tx,
    sql<{ slug: string }>`select a.slug from ${unscoped('accounts')} a where a.id = ${tx.account} for update`,
  )
  needs('owner', await roleOf(tx, tx.user))
  if (input.slug !== account?.slug)
    throw errors.invalidValue(['body', 'slug'], 'this is not the slug of the account', input.slug)
  if (!input.without_export && !(await hasArchive(tx))) {
    throw errors.conflict(
      'No archive of the account is ready: create one by POST /api/exports with {"entity_type": "account"} and download it, or send "without_export": true',
    )
  }
}

async function hasArchive(tx: Ctx): Promise<boolean> {
  const archive = await queryOne(
    tx,
    sql`select e.id from ${unscoped('exports')} e where e.account_id = ${tx.account} and e.entity_type = 'account'
      and e.status = 'completed' and e.expires_at > now() and e.deleted_at is null limit 1`,
  )
  return archive !== undefined
}

export const deleteAccountEndpoint = ofOwnAccount(
  endpoint({
    method: 'POST',
    path: '/api/accounts/{account_id}/delete',
    tag: 'Accounts',
    permission: 'accounts:write',
    role: 'owner',
    summary: 'Delete an account permanently',
    description:
      'Only an owner who has signed in can do this, with the slug of the account and, if they have one, their password. ' +
      'An archive of the account must be ready (`POST /api/exports` with `{"entity_type": "account"}`): download it first, it is deleted with the rest. ' +
      'At once all members lose access, API keys, invitations and shared links stop working, and queued mails are not sent. People who belong to no other account can no longer sign in, and their address is free. ' +
      'Records, files, journal and search index are removed in the background. Nothing brings the account back except `kith restore` of its archive.',
    strict: true,
    body: confirmation,
    response: empty,
    status: 202,
    // A caller that repeats the request no longer has access, so there is no response to store.
    replaysItself: true,
    guess: (_, ctx) => ctx.user,
    run: (ctx, { body }) => deleteAccount(ctx, body),
  }),
)
