/** Invitations to an account. The token is enough to accept one; only its hash is stored. */

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Ctx, one, query, queryOne, transaction } from '../../kernel/context.ts'
import { type ApiRequest, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { empty } from '../../kernel/general-endpoints.ts'
import { newId } from '../../kernel/ids.ts'
import { pageParameters } from '../../kernel/page.ts'
import {
  boolean,
  datetime,
  type Infer,
  nullable,
  object,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { deleteRows, insertRows, rows } from '../../kernel/statements.ts'
import { account, base } from '../shared/fields.ts'
import { ofOwnAccount, pageOf, pageOutput, unchanged } from './endpoints.ts'
import { mailInvitation } from './invitation-mail.ts'
import { needs } from './members.ts'
import { emailAddress, role } from './schemas.ts'
import { tokenHash } from './sessions.ts'

const DAYS = 7

const input = object(
  {
    email: emailAddress,
    role: withDefault(role, 'member'),
    send_mail: withDefault(
      boolean({ description: 'Send the invitation by mail, if the service can send mail' }),
      true,
    ),
  },
  { title: 'InvitationCreate' },
)

const fields = { ...base, ...account, email: text(), role, expires_at: datetime(), created_by: uuid() }
const output = object(fields, { title: 'Invitation' })
type Invitation = Infer<typeof output>
const newOutput = object(
  {
    ...fields,
    token: text({ description: 'Shown only once' }),
    mailed: boolean({ description: 'Whether a mail with its own token is being sent' }),
    mail_problem: nullable(
      text({ description: 'Why no mail is sent: pass on the token yourself, or invite again later' }),
    ),
  },
  { title: 'NewInvitation' },
)
const COLUMNS = sql<Invitation>`${sql.join(Object.keys(fields).map(name => sql.ref(`r.${name}`)))}`

const selectOpen = (ctx: Ctx) =>
  sql<Invitation>`select ${COLUMNS} from ${rows(ctx, 'invitations')} r where r.accepted_at is null`

async function getInvitation(ctx: Ctx, id: string): Promise<Invitation> {
  const invitation = await queryOne(ctx, sql<Invitation>`${selectOpen(ctx)} and r.id = ${id}`)
  if (!invitation) throw errors.notFound('Invitation')
  return invitation
}

/** Inviting an address again renews its invitation: the previous token becomes invalid. */
export async function invite(
  ctx: Ctx,
  { send_mail, ...invitation }: Infer<typeof input>,
): Promise<Infer<typeof newOutput>> {
  if (invitation.role === 'owner') needs('owner', ctx.caller.role)
  const [member] = await query(
    ctx,
    sql`select m.user_id from ${rows(ctx, 'members')} m join users u on u.id = m.user_id
      where lower(u.email) = lower(${invitation.email})`,
  )
  if (member) throw errors.conflict('This person is a member of the account already')
  const token = `inv_${randomBytes(32).toString('base64url')}`
  const values = {
    id: newId(),
    ...invitation,
    token_hash: tokenHash(token),
    expires_at: sql`now() + make_interval(days => ${DAYS})`,
    created_by: ctx.user,
  }
  const inserted = await insertRows(ctx, 'invitations', [values], {
    onConflict: sql`(account_id, lower(email)) where accepted_at is null do update set email = excluded.email,
      role = excluded.role, token_hash = excluded.token_hash, expires_at = excluded.expires_at,
      created_by = excluded.created_by, updated_at = now()`,
    returning: COLUMNS,
  })
  const invited = one(inserted)
  return { ...invited, token, ...(await mailInvitation(ctx, invited, send_mail)) }
}

const withdraw = (ctx: Ctx, request: ApiRequest<{ invitation_id: string }>): Promise<object> =>
  transaction(ctx, async tx => {
    const id = request.params.invitation_id
    unchanged(request, await getInvitation(tx, id))
    await deleteRows(tx, 'invitations', sql`r.id = ${id} and r.accepted_at is null`)
    return {}
  })

const tag = 'Accounts'
const all = { path: '/api/accounts/{account_id}/invitations', tag, role: 'admin' } as const
const single = { ...all, path: `${all.path}/{invitation_id}` } as const

const endpoints = [
  endpoint({
    ...all,
    method: 'GET',
    permission: 'accounts:read',
    summary: 'List open invitations',
    description: 'Latest first, with expired ones but without accepted ones.',
    query: object(pageParameters()),
    response: pageOutput(output),
    run: (ctx, { query: params }) => pageOf(ctx, selectOpen(ctx), sql`created_at desc, id desc`, params),
  }),
  endpoint({
    ...all,
    method: 'POST',
    permission: 'accounts:write',
    summary: 'Create an invitation',
    description:
      'Sends the invitation by mail if the service can send mail and the caller may (see `mailed`), and returns a token, only this once, for POST /api/auth/accept-invitation. ' +
      'Both tokens are valid for seven days; the one in the mail also confirms the address. Inviting the same address again renews the invitation. Only an owner invites owners.',
    body: input,
    response: newOutput,
    status: 201,
    shownOnce: ['token'],
    run: (ctx, { body }) => invite(ctx, body),
  }),
  endpoint({
    ...single,
    method: 'GET',
    permission: 'accounts:read',
    summary: 'Get an invitation',
    description: 'Without its token, which is shown only when it is created. 404 once it is accepted.',
    response: output,
    single: true,
    run: (ctx, { params }) => getInvitation(ctx, params.invitation_id),
  }),
  endpoint({
    ...single,
    method: 'DELETE',
    permission: 'accounts:write',
    summary: 'Delete an invitation',
    description: 'Its token and the link in its mail are no longer valid. 404 once it is accepted.',
    response: empty,
    run: withdraw,
  }),
]

export const invitationEndpoints = endpoints.map(ofOwnAccount)
