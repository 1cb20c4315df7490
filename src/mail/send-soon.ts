/** Mails of the service itself: confirmations, password resets, invitations. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../kernel/context.ts'
import { codeOf } from '../lib/thrown.ts'
import { property } from '../lib/values.ts'
import { transportFor } from './transport.ts'

export interface ServiceMail {
  to: string
  subject: string
  text: string
}

/** An attempt after each pause; a person who gets nothing within a minute asks again. */
const PAUSES_MS = [0, 1000, 5000, 30_000]

/**
 * Sends in the background and returns at once: how long it takes must not tell whether an address is registered. Kept
 * in memory only, because a stored mail would hold the token that the database has as a hash. `isCurrent` is asked
 * before each attempt: the token may not be committed yet, or may have been replaced.
 */
export function sendSoon(
  { config, log }: Pick<Services, 'config' | 'log'>,
  mail: ServiceMail,
  isCurrent: () => Promise<boolean> = async () => true,
): void {
  if (!config.mail) return
  const { smtpUrl, from } = config.mail
  const attempts = async () => {
    let problem: object = { reason: 'its token was not stored' }
    for (const pause of PAUSES_MS) {
      await sleep(pause, undefined, { ref: false })
      try {
        if (!(await isCurrent())) continue
        const transport = await transportFor(smtpUrl)
        await transport.sendMail({ from, ...mail, disableFileAccess: true, disableUrlAccess: true })
        return
      } catch (error) {
        const responseCode = property(error, 'responseCode')
        problem = { code: codeOf(error), responseCode }
        if (typeof responseCode === 'number' && responseCode >= 500) break
      }
    }
    // Not the server's own words: they repeat the address.
    log.warn({ ...problem, subject: mail.subject }, 'a mail was not sent')
  }
  void attempts()
}
