/** A sign-in without a password: hashing one takes longer than most tests. */
import { type Services, systemDb } from '../../src/kernel/context.ts'
import { startSession } from '../../src/resources/accounts/sessions.ts'

export async function accessToken(services: Services, userId: string): Promise<string> {
  const session = await startSession({ services, db: systemDb(services), inTransaction: false }, userId)
  return session.access_token
}
