/**
 * Accepting an invitation. Its token comes from whoever invited, not by mail, so it proves nothing about the
 * address: somebody who is registered with that address must also show that they are that person.
 */
import { sql } from 'kysely'
import { forget } from '../../kernel/cache.ts'
import { query, queryOne, type Role, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { type ApiRequest, type Credentials, type Endpoint, publicEndpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { type Infer, type Issue, object, optional, text } from '../../kernel/schema/index.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { accountsOf, createUser, type User, userByEmail, withoutSecrets } from './people.ts'
import { checkMayJoin } from './registration.ts'
import { acceptanceOutput, password, personName, secret } from './schemas.ts'
import { startSession, tokenHash } from './sessions.ts'

const input = object(
  { token: secret, password: optional(text({ max: 200 })), name: optional(personName) },
  { title: 'InvitationAccept' },
)
type Input = Infer<typeof input>

interface Invitation {
  account_id: string
  id: string
  email: string
  role: Role
}

/** An invitation is good for as long as whoever made it could still make it. */
async function openInvitation(ctx: ServiceCtx, token: string): Promise<Invitation> {
  const found = await queryOne(
    ctx,
    sql<Invitation>`select i.account_id, i.id, i.email, i.role from invitations i
      join members m on m.account_id = i.account_id and m.user_id = i.created_by
      where i.token_hash = ${tokenHash(token)} and i.accepted_at is null and i.expires_at > now()
        and (m.role = 'owner' or (m.role = 'admin' and i.role <> 'owner'))
      ${ctx.inTransaction ? sql`for update of i` : sql``}`,
  )
  if (!found) throw errors.notFound('Invitation')
  return found
}

type Newcomer = Parameters<typeof createUser>[1]

/** Who accepts: somebody we know and who has shown it, or somebody new. */
async function whoAccepts(
  ctx: ServiceCtx,
  email: string,
  body: Input,
  credentials: Credentials | undefined,
): Promise<{ known: User } | { newcomer: Newcomer }> {
  const signedIn = credentials?.person
  if (signedIn?.kind === 'key') throw errors.personOnly()
  const user = await userByEmail(ctx, email)
  if (signedIn && signedIn.userId !== user?.id) throw errors.otherInvitee()
  if (user) {
    if (!signedIn && body.password === undefined) throw errors.notAuthenticated()
    if (!signedIn && !(await passwordMatches(user.password_hash, body.password!))) throw errors.invalidLogin()
    return { known: withoutSecrets(user) }
  }
  checkMayJoin(ctx)
  if (credentials?.subject !== undefined) {
    const name = body.name ?? email.split('@')[0]!
    return { newcomer: { email, name, passwordHash: null, subject: credentials.subject } }
  }
  const { name, password: given } = checkedNewcomer(body)
  return { newcomer: { email, name, passwordHash: await hashPassword(given), subject: null } }
}

function checkedNewcomer(body: Input): { name: string; password: string } {
  const issues: Issue[] = []
  const checked = object({ password, name: personName }).check(body, ['body'], issues)
  if (issues.length > 0) throw errors.invalid(issues.map(withoutInput))
  return checked
}

/** Nothing of the body is sent back: it holds the token. */
const withoutInput = (issue: Issue): Issue => ({ ...issue, input: null })

async function accept(ctx: ServiceCtx, request: ApiRequest) {
  const body: Input = request.body
  const credentials = await request.credentials()
  const { email } = await openInvitation(ctx, body.token)
  const who = await whoAccepts(ctx, email, body, credentials)
  const accepted = await transaction(ctx, async tx => {
    const invitation = await openInvitation(tx, body.token)
    const user = 'known' in who ? who.known : await createUser(tx, who.newcomer)
    await join(tx, invitation, user.id)
    const [account] = await accountsOf(tx, user.id, invitation.account_id)
    // who came with credentials has tokens already, perhaps of an issuer that wants to end them one day
    const tokens = credentials ? {} : await startSession(tx, user.id)
    return { ...tokens, user, account }
  })
  forget(ctx.services.engine, 'members')
  return accepted
}

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

export const acceptanceEndpoints: Endpoint[] = [
  publicEndpoint({
    method: 'POST',
    path: '/api/auth/accept-invitation',
    tag: 'Sign-in',
    summary: 'Accept an invitation',
    description:
      'Somebody new gives a name and a password, and is registered. Somebody who is registered with the invited address sends their token along, or gives their password; without a token along, the answer has new ones.',
    body: input,
    response: acceptanceOutput,
    guess: ({ body }) => body.token,
    shownOnce: ['access_token', 'refresh_token'],
    run: accept,
  }),
]
