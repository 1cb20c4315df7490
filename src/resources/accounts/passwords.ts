import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** argon2id as OWASP advises; some 30 ms on a thread of the pool, so the event loop goes on meanwhile. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

let decoy: Promise<string> | undefined

/** Takes as long for somebody without a password, or for nobody at all, so that the time tells nothing. */
export async function passwordMatches(stored: string | null | undefined, given: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  const nobody = await decoy
  const matches = await verify(stored ?? nobody, given)
  return matches && stored != null
}
