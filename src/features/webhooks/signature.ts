/** Signatures according to Standard Webhooks: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64')

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

/** What is wrong with a secret that a client chose, or undefined. */
export function secretProblem(secret: string): string | undefined {
  const isBase64 = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)
  const bytes = keyOf(secret).length
  if (isBase64 && bytes >= 24 && bytes <= 64) return undefined
  return 'the secret must be whsec_ and 24 to 64 bytes in base64; leave it out to have one made'
}

export interface Message {
  id: string
  /** seconds since 1970 */
  timestamp: number
  body: string
}

/** One signature for each secret: during a rotation receivers verify with the old or the new one. */
export const signedHeaders = ({ id, timestamp, body }: Message, secrets: readonly string[]) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map(secret => createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map(signature => `v1,${signature}`)
    .join(' '),
})
