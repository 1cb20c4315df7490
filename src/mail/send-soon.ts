/** Mails of the service itself: confirmations, password resets, invitations. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../kernel/context.ts'
import { codeOf } from '../lib/thrown.ts'
import { property } from '../lib/values.ts'
import { smtpTransport } from './transport.ts'

export interface ServiceMail {
  to: string
  subject: string
  text: string
}

/** One attempt after each pause; a person who receives nothing within a minute requests another mail. */
const PAUSES_MS = [0, 1000, 5000, 30_000]

/**
 * Sends in the background and returns at once, because the response time must not reveal whether an address is registered.
 * The mail is in memory only: a stored mail would contain the token, of which the database has only a hash.
 * `isCurrent` is called before each attempt: the token may not be committed yet, or may have been replaced.
 */
export function sendSoon(
  { config, log }: Pick<Services, 'config' | 'log'>,
  mail: ServiceMail,
  isCurrent: () => Promise<boolean> = async () => true,
): void {
  if (!config.mail) return
  const { smtpUrl, from: address, fromName: name = '' } = config.mail
  const attempts = async () => {
    let problem: object = { reason: 'its token was not stored' }
    for (const pause of PAUSES_MS) {
      await sleep(pause, undefined, { ref: false })
      try {
        if (!(await isCurrent())) continue
        const transport = await smtpTransport(smtpUrl)
        await transport.sendMail({
          ...{ from: { address, name }, ...mail },
          ...{ disableFileAccess: true, disableUrlAccess: true },
        })
        return
      } catch (error) {
        const responseCode = property(error, 'responseCode')
        problem = { code: codeOf(error), responseCode }
        if (typeof responseCode === 'number' && responseCode >= 500) break
      }
    }
    // The server's message is not logged: it repeats the address.
    log.warn({ ...problem, subject: mail.subject }, 'a mail was not sent')
  }
  void attempts()
}
