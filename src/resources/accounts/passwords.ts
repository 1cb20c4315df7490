import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { errors } from '../../kernel/errors.ts'

/** argon2id as OWASP advises; it takes about 30 ms in the thread pool and does not block the event loop. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

let decoy: Promise<string> | undefined

/** Takes as long for an unknown person or one without a password, so that the time reveals nothing. */
export async function passwordMatches(stored: string | null | undefined, entered: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  const decoyHash = await decoy
  const matches = await verify(stored ?? decoyHash, entered)
  return matches && stored != null
}

/** Changes that could take over or remove a person need their current password. */
export async function checkCurrentPassword(stored: string, entered: string | undefined): Promise<void> {
  const loc = ['body', 'current_password']
  if (entered === undefined)
    throw errors.invalid([{ type: 'missing', loc, msg: 'Field required', input: null }])
  if (!(await passwordMatches(stored, entered))) {
    throw errors.invalidValue(loc, 'this is not your current password', null)
  }
}
