import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { errors } from '../../kernel/errors.ts'

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

/** What takes a person over, or everything from them, needs the password that they have. */
export async function checkCurrentPassword(stored: string, given: string | undefined): Promise<void> {
  const loc = ['body', 'current_password']
  if (given === undefined)
    throw errors.invalid([{ type: 'missing', loc, msg: 'Field required', input: null }])
  if (!(await passwordMatches(stored, given))) {
    throw errors.invalidValue(loc, 'this is not your current password', null)
  }
}
