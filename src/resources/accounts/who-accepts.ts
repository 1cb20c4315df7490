/** Who accepts an invitation, and how they proved it. */
import type { Role, ServiceCtx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import type { Credentials } from '../../kernel/resource.ts'
import {
  boolean,
  type Infer,
  type Issue,
  object,
  optional,
  text,
  withDefault,
} from '../../kernel/schema/index.ts'
import type { SignIn } from './claim.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { type createUser, userByEmail } from './people.ts'
import { checkMayJoin } from './registration.ts'
import { password, personName, secret } from './schemas.ts'

export const input = object(
  {
    token: secret,
    password: optional(text({ max: 200 })),
    name: optional(personName),
    start_session: withDefault(
      boolean({ description: 'False: no tokens; pages of this service then sign in by `POST /api/session`' }),
      true,
    ),
  },
  { title: 'InvitationAccept' },
)
type Input = Infer<typeof input>

export interface Invitation {
  account_id: string
  id: string
  email: string
  role: Role
  expires_at: string
  account_name: string
  /** the token is that of the mail */
  proves_address: boolean
}

type Newcomer = Parameters<typeof createUser>[1]

/** An authenticated user; the owner of an address that another person registered; or a new person. */
export type Acceptance =
  | { existingUser: string }
  | { claimed: string; signIn: SignIn; name: string | undefined }
  | { newcomer: Newcomer }

export async function whoAccepts(
  ctx: ServiceCtx,
  invitation: Invitation,
  body: Input,
  credentials: Credentials | undefined,
): Promise<Acceptance> {
  const { email } = invitation
  const signedIn = credentials?.person
  if (signedIn?.kind === 'key') throw errors.personOnly()
  const user = await userByEmail(ctx, email)
  if (signedIn && signedIn.userId !== user?.id) throw errors.otherInvitee()
  const isVerified = credentials?.verifiedEmail?.toLowerCase() === email.toLowerCase()
  if (user) {
    if (signedIn || (await knowsPassword(user, body))) return { existingUser: user.id }
    if (user.email_confirmed_at === null) {
      const signIn = await provedSignIn(invitation, body, isVerified ? credentials?.subject : undefined)
      if (signIn) return { claimed: user.id, signIn, name: body.name }
    }
    throw body.password === undefined ? errors.notAuthenticated() : errors.invalidLogin()
  }
  checkMayJoin(ctx)
  if (credentials?.subject !== undefined) {
    const name = body.name ?? email.replace(/@.*$/s, '')
    return {
      newcomer: { email, name, passwordHash: null, subject: credentials.subject, isConfirmed: isVerified },
    }
  }
  const { name, password } = checkedNewcomer(body)
  return { newcomer: { email, name, passwordHash: await hashPassword(password), subject: null } }
}

const knowsPassword = async (user: { password_hash: string | null }, { password }: Input) =>
  password !== undefined && (await passwordMatches(user.password_hash, password))

/** The future sign-in of a person who has proved the address, by the token of the mail or by an outside issuer. */
async function provedSignIn(
  invitation: Invitation,
  body: Input,
  verifiedSubject: string | undefined,
): Promise<SignIn | undefined> {
  if (verifiedSubject !== undefined) return { subject: verifiedSubject }
  if (!invitation.proves_address || body.password === undefined) return undefined
  return { passwordHash: await hashPassword(checkedNewcomer({ name: 'unchanged', ...body }).password) }
}

function checkedNewcomer(body: Input): { name: string; password: string } {
  const issues: Issue[] = []
  const checked = object({ password, name: personName }).check(body, ['body'], issues)
  if (issues.length > 0) throw errors.invalid(issues.map(withoutInput))
  return checked
}

/** Errors do not repeat the body, because it contains the token. */
const withoutInput = (issue: Issue): Issue => ({ ...issue, input: null })
