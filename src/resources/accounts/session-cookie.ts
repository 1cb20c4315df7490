/**
 * The cookie of a browser's refresh token. Scripts cannot read it, and other sites cannot cause a request with it: it is
 * SameSite=Strict, requests need a header that other sites cannot send, and their Origin is checked.
 */
import type { Config } from '../../config.ts'
import type { ApiRequest } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { REFRESH_DAYS } from './sessions.ts'

type Headers = Pick<ApiRequest, 'header'>

/** Browsers accept the prefix __Host- only with Secure and Path=/, and then from this host alone, not from a subdomain. */
const COOKIES = {
  https: { name: '__Host-kith', attributes: 'Path=/; Secure' },
  http: { name: 'kith', attributes: 'Path=/api/session' },
}

/** By the address that the browser shows: a proxy may end TLS. */
const cookieFor = ({ publicUrl }: Config, { header }: Headers) =>
  COOKIES[(header('origin') ?? publicUrl)?.startsWith('https:') ? 'https' : 'http']

const setting = ({ name, attributes }: (typeof COOKIES)['http'], value: string, seconds: number): string =>
  `${name}=${value}; ${attributes}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`

export const cookieWith = (config: Config, request: Headers, refreshToken: string): string =>
  setting(cookieFor(config, request), refreshToken, REFRESH_DAYS * 86_400)

export const withoutCookie = (config: Config, request: Headers): string =>
  setting(cookieFor(config, request), '', 0)

export function refreshTokenIn(config: Config, request: Headers): string | undefined {
  const { name } = cookieFor(config, request)
  const cookies = (request.header('cookie') ?? '').split(';').map(cookie => cookie.trim().split('='))
  const value = cookies.find(([key]) => key === name)?.[1]
  return value !== undefined && /^rt_[\w-]{43}$/.test(value) ? value : undefined
}

/** Programs send no Origin. */
export function checkOrigin({ publicUrl }: Config, { header }: Headers): void {
  const origin = header('origin')
  if (origin === undefined || origin === originOf(publicUrl)) return
  if (!URL.canParse(origin) || new URL(origin).host !== header('host')) throw errors.otherSite()
}

const originOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : new URL(url).origin

/** Before a cookie is used: browsers let only pages of the same origin send this header. */
export function checkOwnPage(config: Config, request: Headers): void {
  if (request.header('x-kith-session') === undefined) throw errors.sessionHeaderMissing()
  checkOrigin(config, request)
}
