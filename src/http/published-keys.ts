/** The keys that an outside issuer publishes, fetched from the configured address and from nowhere else. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, errors as jose } from 'jose'
import { codeOf } from '../lib/thrown.ts'

/** The keys could not be fetched, which says nothing about the token. */
export class IssuerAway extends Error {}

const RETRY_MS = 2000

/**
 * Fetched when first needed, every ten minutes, and for an unknown key id at most every thirty seconds. After a
 * failure nothing is fetched for a moment, so that a stream of tokens is not a stream of calls to the issuer.
 */
export function publishedKeys(address: string): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY
  const fetchOnce = async (url: string, options: RequestInit): Promise<Response> => {
    if (Date.now() - failedAt < RETRY_MS) throw new IssuerAway('not tried again yet')
    try {
      const response = await fetch(url, options)
      if (response.status === 200) return response
      throw new Error(`the answer was ${response.status}`)
    } catch (error) {
      failedAt = Date.now()
      throw new IssuerAway('the keys of the issuer cannot be fetched', { cause: error })
    }
  }
  const keys = createRemoteJWKSet(new URL(address), { [customFetch]: fetchOnce })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      // what was fetched is no key set
      const broken = error instanceof jose.JWKSInvalid || codeOf(error) === 'ERR_JOSE_GENERIC'
      throw broken ? new IssuerAway('the issuer published no key set', { cause: error }) : error
    }
  }
}
