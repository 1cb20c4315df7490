/** The schemas of people and accounts in requests and answers. */
import { ROLES } from '../../kernel/context.ts'
import {
  datetime,
  email,
  int,
  list,
  nullable,
  object,
  oneOf,
  rule,
  sometimes,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { base } from '../shared/fields.ts'

export const emailAddress = email()
export const password = text({ min: 8, max: 200 })
export const personName = text({ min: 1, max: 255, singleLine: true })
export const accountName = text({ min: 1, max: 255, singleLine: true })
export const accountSlug = text({
  min: 1,
  max: 63,
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  description: 'Lower-case letters, digits and single dashes between them; unique on this service',
  examples: ['acme'],
})
export const role = oneOf([...ROLES].reverse())
/** A secret that the service issued, in a request. */
export const secret = text({ min: 1, max: 200 })

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

export const currency = rule(text({ pattern: /^[A-Z]{3}$/, description: 'ISO 4217' }), code =>
  CURRENCIES.has(code) ? undefined : `${code} is not a currency of ISO 4217`,
)

export const userOutput = object(
  {
    ...base,
    email: text(),
    email_confirmed_at: nullable(
      datetime({ description: 'When the user confirmed the address; sending mail requires it' }),
    ),
    name: text(),
  },
  { title: 'User' },
)

export const accountOutput = object(
  {
    ...base,
    name: text(),
    slug: text(),
    currency: text({ description: 'ISO 4217' }),
    role: oneOf([...ROLES].reverse(), { description: 'The role of the caller' }),
  },
  { title: 'Account' },
)

export const memberOutput = object(
  {
    id: uuid({ description: 'The same as user_id' }),
    created_at: datetime(),
    updated_at: datetime(),
    account_id: uuid(),
    user_id: uuid(),
    email: text(),
    name: text(),
    role,
  },
  { title: 'Member' },
)

const tokens = {
  access_token: text({ description: 'Sent as a Bearer token in the Authorization header' }),
  refresh_token: text({ description: 'For one call of /api/auth/refresh' }),
  token_type: oneOf(['bearer']),
  expires_in: int({ description: 'Seconds until the access token expires' }),
}

const { refresh_token: _inCookie, ...accessToken } = tokens
export const browserSessionOutput = object(
  {
    ...accessToken,
    user: userOutput,
    accounts: list(accountOutput),
    account: nullable(accountOutput),
  },
  { title: 'BrowserSession', description: 'The refresh token is in a cookie that scripts cannot read.' },
)
export const tokensOutput = object(tokens, { title: 'Tokens' })
export const loginOutput = object(
  { ...tokens, user: userOutput, accounts: list(accountOutput) },
  { title: 'Login' },
)
export const registrationOutput = object(
  { ...tokens, user: userOutput, account: accountOutput },
  { title: 'Registration' },
)
/** Where registrations are completed by mail. */
const registrationMailed = object(
  { mailed_to: text({ description: 'The token in the mail completes the registration' }) },
  { title: 'RegistrationMailed' },
)
export const registrationAnswer = {
  ...registrationOutput,
  json: { anyOf: [registrationOutput.json, registrationMailed.json] },
}
export const acceptanceOutput = object(
  {
    access_token: sometimes(tokens.access_token),
    refresh_token: sometimes(tokens.refresh_token),
    token_type: sometimes(tokens.token_type),
    expires_in: sometimes(tokens.expires_in),
    user: userOutput,
    account: accountOutput,
  },
  { title: 'AcceptedInvitation' },
)
