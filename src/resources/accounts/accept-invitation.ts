/**
 * Accepting an invitation. The token that the inviter was shown proves nothing about the address: a person who is
 * registered with it must also sign in. The token of the mail does prove it, so the invited person can accept even if
 * another person registered the address and never confirmed it.
 */
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { type ApiRequest, type Endpoint, publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { datetime, type Infer, object, text } from '../../kernel/schema/index.ts'
import { present } from '../../lib/values.ts'
import { claimUser } from './claim.ts'
import { mailConfirmation } from './confirm-email.ts'
import { accountsOf, createUser, userById, withoutSecrets } from './people.ts'
import { acceptanceOutput, role, secret } from './schemas.ts'
import { startSession, tokenHash } from './sessions.ts'
import { type Acceptance, type Invitation, input, whoAccepts } from './who-accepts.ts'

/** An invitation is valid while the inviter still has the permission to invite. */
async function openInvitation(ctx: ServiceCtx, token: string): Promise<Invitation> {
  const hash = tokenHash(token)
  const invitation = await queryOne(
    ctx,
    sql<Invitation>`select i.account_id, i.id, i.email, i.role, i.expires_at, a.name as account_name,
        i.token_hash <> ${hash} as proves_address
      from invitations i
      join accounts a on a.id = i.account_id
      join members m on m.account_id = i.account_id and m.user_id = i.created_by
      where (i.account_id, i.id) in (
          select account_id, id from invitations where token_hash = ${hash}
          union all select account_id, invitation_id from invitation_mails where token_hash = ${hash})
        and i.accepted_at is null and i.expires_at > now()
        and (m.role = 'owner' or (m.role = 'admin' and i.role <> 'owner'))
      ${ctx.inTransaction ? sql`for update of i` : sql``}`,
  )
  if (!invitation) throw errors.notFound('Invitation')
  return invitation
}

async function accept(ctx: ServiceCtx, request: ApiRequest<object, object, Infer<typeof input>>) {
  const { body } = request
  const credentials = await request.credentials()
  const who = await whoAccepts(ctx, await openInvitation(ctx, body.token), body, credentials)
  const accepted = await transaction(ctx, async tx => {
    const invitation = await openInvitation(tx, body.token)
    const userId = await acceptedAs(tx, who)
    if (invitation.proves_address) await confirmAddress(tx, userId)
    await join(tx, invitation, userId)
    const user = withoutSecrets(present(await userById(tx, userId), 'the user who accepts'))
    const [account] = await accountsOf(tx, userId, invitation.account_id)
    // a caller with credentials has tokens already, perhaps of an external issuer that can revoke them
    const userAgent = request.header('user-agent')
    const tokens = credentials || !body.start_session ? {} : await startSession(tx, userId, { userAgent })
    return { ...tokens, user, account }
  })
  ctx.services.caches.forget('members')
  if (accepted.user.email_confirmed_at === null) await mailConfirmation(ctx, accepted.user)
  return accepted
}

async function acceptedAs(tx: ServiceCtx, who: Acceptance): Promise<string> {
  if ('existingUser' in who) return who.existingUser
  if ('newcomer' in who) return (await createUser(tx, who.newcomer)).id
  await claimUser(tx, who.claimed, who.signIn, who.name)
  return who.claimed
}

const confirmAddress = (tx: ServiceCtx, userId: string) =>
  query(
    tx,
    sql`update users set email_confirmed_at = coalesce(email_confirmed_at, now()) where id = ${userId}`,
  )

async function join(tx: ServiceCtx, invitation: Invitation, userId: string): Promise<void> {
  const { account_id, id, role } = invitation
  const joined = await query(
    tx,
    sql`insert into members (account_id, user_id, role) values (${account_id}, ${userId}, ${role})
      on conflict do nothing returning user_id`,
  )
  if (joined.length === 0) throw errors.conflict('You are a member of this account already')
  await query(
    tx,
    sql`update invitations set accepted_at = now(), updated_at = now()
      where account_id = ${account_id} and id = ${id}`,
  )
}

/** What the page says before the person accepts. The token is in the body: addresses are logged. */
const read = async (ctx: ServiceCtx, token: string) => {
  const { account_name, email, role, expires_at } = await openInvitation(ctx, token)
  return { account_name, email, role, expires_at }
}

export const acceptanceEndpoints: Endpoint[] = [
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/read-invitation',
    tag: 'Sign-in',
    summary: 'Read an invitation by its token',
    description: 'Returns its account and its address. The invitation stays open.',
    body: object({ token: secret }, { title: 'InvitationRead' }),
    response: object(
      { account_name: text(), email: text(), role, expires_at: datetime() },
      { title: 'InvitationOverview' },
    ),
    guess: ({ body }) => body.token,
    run: (ctx, { body }) => read(ctx, body.token),
  }),
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/accept-invitation',
    tag: 'Sign-in',
    summary: 'Accept an invitation',
    description:
      'A new user sends a name and a password and is registered. A user who is registered with the invited address sends their access token or their password; without an access token, the response contains new tokens. ' +
      'The token from the invitation mail confirms the address. If the address was registered but never confirmed, that token is enough, and the password in the request becomes the user’s password.',
    body: input,
    response: acceptanceOutput,
    guess: ({ body }) => body.token,
    shownOnce: ['access_token', 'refresh_token'],
    run: accept,
  }),
]
