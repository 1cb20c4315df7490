/** The first run: a person with the link that the start printed becomes the owner of the first account. */
import { type Ctx, type ServiceCtx, transaction } from '../../kernel/context.ts'
import { type ApiRequest, type Endpoint, publicEndpoint } from '../../kernel/endpoint.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { boolean, type Infer, nullable, object, text, uuid, withDefault } from '../../kernel/schema/index.ts'
import { browserSession, withCookie } from '../../resources/accounts/browser-session.ts'
import { claimFirstAccount } from '../../resources/accounts/claim-first-account.ts'
import { mailConfirmation } from '../../resources/accounts/confirm-email.ts'
import { hashPassword } from '../../resources/accounts/passwords.ts'
import { isSetupNeeded, lockFirstPerson } from '../../resources/accounts/registration.ts'
import {
  accountName,
  browserSessionOutput,
  emailAddress,
  password,
  personName,
  secret,
} from '../../resources/accounts/schemas.ts'
import { checkOrigin } from '../../resources/accounts/session-cookie.ts'
import { checkSetup, removeSetupToken } from '../../resources/accounts/setup-token.ts'
import { createKey } from '../../resources/api-keys/keys.ts'
import { hasRecords } from '../demo/index.ts'
import { demoJob } from './demo-job.ts'

const input = object(
  {
    token: secret,
    name: personName,
    email: emailAddress,
    password,
    account_name: accountName,
    demo: withDefault(boolean({ description: 'Fill the account with demo data, if it is empty' }), false),
  },
  { title: 'SetupCreate' },
)

const output = object(
  {
    ...browserSessionOutput.fields,
    api_key: text({ description: 'A key with all rights of the owner, shown only once' }),
    demo_job_id: nullable(uuid({ description: 'The job that writes the demo data' })),
  },
  { title: 'Setup' },
)

async function setUp(ctx: ServiceCtx, request: ApiRequest<object, object, Infer<typeof input>>) {
  const { token, demo, password: chosen, ...names } = request.body
  checkOrigin(ctx.services.config, request)
  await checkSetup(ctx, token)
  const passwordHash = await hashPassword(chosen)
  const { user, ...made } = await transaction(ctx, async tx => {
    await lockFirstPerson(tx)
    await checkSetup(tx, token)
    const { user, owner } = await claimFirstAccount(tx, { ...names, passwordHash })
    await removeSetupToken(tx)
    const { key } = await createKey(owner, { name: 'Created at setup' })
    return { user, account: owner.account, api_key: key, demo_job_id: await demoIn(owner, demo) }
  })
  ctx.services.caches.forget('members')
  await mailConfirmation(ctx, user)
  const { account, ...shown } = made
  const { body, cookie } = await browserSession(ctx, request, user.id, account)
  return withCookie({ ...body, ...shown }, cookie, 201)
}

const demoIn = async (owner: Ctx, isWanted: boolean): Promise<string | null> =>
  isWanted && !(await hasRecords(owner)) ? enqueue(owner, demoJob, {}) : null

const tag = 'Sign-in'
const path = '/api/setup'

export const setupEndpoints: Endpoint[] = [
  publicEndpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Get whether the service needs an owner',
    description: 'True until a person can sign in. The link that the start prints leads to the page for it.',
    response: object({ needed: boolean() }, { title: 'SetupState' }),
    run: async ctx => ({ needed: await isSetupNeeded(ctx) }),
  }),
  publicEndpoint({
    method: 'POST',
    path,
    tag,
    summary: 'Create the owner of a new service',
    description:
      'Takes the token of the link that the start printed, which can be used once, within 24 hours; a restart prints another. The person becomes the owner of the first account and is signed in as by `POST /api/session`. 409 when a person can sign in already.',
    body: input,
    response: output,
    status: 201,
    guess: ({ body }) => body.token,
    shownOnce: ['access_token', 'api_key'],
    run: setUp,
  }),
]
