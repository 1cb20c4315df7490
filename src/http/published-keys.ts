/** The keys that an external issuer publishes. They are fetched only from the configured address. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, errors as jose } from 'jose'
import { codeOf } from '../lib/thrown.ts'

/** The keys could not be fetched, so it is unknown whether the token is valid. */
export class IssuerUnavailable extends Error {}

const RETRY_MS = 2000

/**
 * Fetched when first needed, every ten minutes, and for an unknown key id at most every thirty seconds. After a
 * failure the next fetch is delayed, so that many tokens do not cause many calls to the issuer.
 */
export function publishedKeys(address: string): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY
  const fetchOnce = async (url: string, options: RequestInit): Promise<Response> => {
    if (Date.now() - failedAt < RETRY_MS) throw new IssuerUnavailable('not tried again yet')
    try {
      const response = await fetch(url, options)
      if (response.status === 200) return response
      throw new Error(`the answer was ${response.status}`)
    } catch (error) {
      failedAt = Date.now()
      throw new IssuerUnavailable('the keys of the issuer cannot be fetched', { cause: error })
    }
  }
  const keys = createRemoteJWKSet(new URL(address), { [customFetch]: fetchOnce })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      // the response is not a key set
      const isInvalid = error instanceof jose.JWKSInvalid || codeOf(error) === 'ERR_JOSE_GENERIC'
      throw isInvalid ? new IssuerUnavailable('the issuer published no key set', { cause: error }) : error
    }
  }
}
