/** All errors that a client can get: status and message, without internal details. */
import { boundedIssues, type Issue, type Loc } from './schema/index.ts'

export class HttpError extends Error {
  readonly status: number
  readonly detail: string | readonly Issue[]
  readonly headers: Record<string, string>

  constructor(status: number, detail: string | readonly Issue[], headers: Record<string, string> = {}) {
    super(typeof detail === 'string' ? detail : 'Validation failed')
    this.status = status
    this.detail = typeof detail === 'string' ? detail : boundedIssues(detail)
    this.headers = headers
  }
}

/** An API key does not cover what the request reads or changes. */
export class MissingScope extends HttpError {
  readonly scope: string

  constructor(scope: string) {
    super(403, `This API key lacks the scope ${scope}`)
    this.scope = scope
  }
}

/** Rethrows validation errors with the path of the value in the request: `["query", "x"]` → `[...to, "x"]`. */
export const relocate =
  (to: Loc) =>
  (error: unknown): never => {
    if (!(error instanceof HttpError) || typeof error.detail === 'string') throw error
    throw errors.invalid(error.detail.map(issue => ({ ...issue, loc: [...to, ...issue.loc.slice(1)] })))
  }

const unauthenticated = (detail: string) => new HttpError(401, detail, { 'www-authenticate': 'Bearer' })

export const errors = {
  notAuthenticated: () => unauthenticated('Not authenticated'),
  invalidApiKey: () => unauthenticated('Invalid API key'),
  invalidToken: () => unauthenticated('Invalid token'),
  invalidLogin: () => unauthenticated('Invalid email or password'),
  otherSite: () =>
    new HttpError(
      403,
      'Only pages of this service can use the session of a browser; behind a proxy that changes the Host header, set KITH_PUBLIC_URL',
    ),
  sessionHeaderMissing: () =>
    new HttpError(403, 'Send the header X-Kith-Session: 1, which other sites cannot send'),
  accountRequired: () =>
    new HttpError(400, 'You belong to several accounts: name one in the X-Account-ID header'),
  foreignAccount: () => new HttpError(403, 'Access to this account is not allowed'),
  missingScope: (scope: string) => new MissingScope(scope),
  roleTooLow: (needed: string) => new HttpError(403, `This needs the role ${needed} or higher`),
  otherInvitee: () => new HttpError(403, 'This invitation is for another email address'),
  otherOwner: (what: string) =>
    new HttpError(403, `Only its owner and admins of the account can change this ${what}`),
  ownerOnlyUnshares: (what: string) => new HttpError(403, `Only its owner can make a shared ${what} private`),
  foreignOrigin: () =>
    new HttpError(403, 'Pages of this origin may not call this: an operator adds it to KITH_CORS_ORIGINS'),
  personOnly: () => new HttpError(403, 'An API key cannot do this: sign in as a person'),
  passwordElsewhere: () =>
    new HttpError(403, 'You sign in through an outside issuer: no password can be set for you here'),
  unconfirmedSender: () =>
    new HttpError(
      403,
      'Confirm your email address before you send mail: POST /api/auth/send-confirmation sends you a token',
    ),
  invitationRequired: () =>
    new HttpError(403, 'Registration is by invitation: ask an owner of an account to invite you'),
  registrationClosed: () => new HttpError(403, 'Registration is closed: nobody new can join this service'),
  ownersOnly: () => new HttpError(403, 'Only somebody who owns an account can create another one'),
  accountsClosed: () => new HttpError(403, 'Registration is closed: no account can be created'),
  routeNotFound: () => new HttpError(404, 'Not Found'),
  notFound: (label: string) => new HttpError(404, `${label} not found`),
  methodNotAllowed: (allow: string) => new HttpError(405, 'Method Not Allowed', { allow }),
  tooSlow: () => new HttpError(408, 'The request body arrived too slowly'),
  conflict: (sentence: string) => new HttpError(409, sentence),
  stale: () => new HttpError(412, 'The record has changed since you read it: read it again and retry'),
  requestAborted: () => new HttpError(400, 'The request was aborted'),
  tooLarge: (limit: string) => new HttpError(413, `The upload is larger than ${limit}`),
  storageFull: (limit: string) =>
    new HttpError(413, `The files of this account would be larger than ${limit}: delete some first`),
  pageTooLarge: (megabytes: number) =>
    new HttpError(413, `This page would be larger than ${megabytes} MB: take a smaller page_size`),
  conversionTooSlow: () =>
    new HttpError(413, 'This text takes too long to convert: split it into shorter ones'),
  unsupportedMedia: (sentence: string) => new HttpError(415, sentence),
  mergePatchRefused: () =>
    new HttpError(415, 'Send application/json: only PATCH of a record takes application/merge-patch+json'),
  tooManyRequests: (seconds: number) =>
    new HttpError(429, 'Too many requests: slow down', { 'retry-after': String(seconds) }),
  /** A quota of paid or expensive work is used up. */
  usedUp: (sentence: string, seconds: number) =>
    new HttpError(429, sentence, { 'retry-after': String(seconds) }),
  unavailable: () =>
    new HttpError(503, 'The database cannot be reached at the moment', { 'retry-after': '1' }),
  diskFull: () =>
    new HttpError(
      507,
      'The disk of the service is full: nothing was written. The operator must free some space',
      {
        'retry-after': '60',
      },
    ),
  issuerUnavailable: () =>
    new HttpError(503, 'The issuer of this token cannot be reached at the moment', { 'retry-after': '2' }),
  invalid: (issues: readonly Issue[]) => new HttpError(422, issues),
  /** A value breaks a rule of the service. */
  invalidValue: (loc: Loc, sentence: string, input: unknown) =>
    new HttpError(422, [
      { type: 'value_error', loc, msg: `Value error, ${sentence}`, input, ctx: { error: {} } },
    ]),
  referenceNotFound: (loc: Loc, label: string, input: unknown) =>
    new HttpError(422, [{ type: 'reference_not_found', loc, msg: `${label} not found`, input }]),
}
