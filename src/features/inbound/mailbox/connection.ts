/** A mailbox on an IMAP server, opened for reading only: no mail is marked, moved or deleted. */
import type { ImapFlow } from 'imapflow'
import type { MailboxAddress } from '../../../config.ts'

export interface OpenMailbox {
  /** changes when the server numbers the mails again */
  uidValidity: number
  /** The numbers of the mails after `uid`, in order. */
  uidsAfter(uid: number): Promise<number[]>
  /** `gone`: another program has deleted the mail. */
  fetch(uid: number): Promise<Buffer | 'too large' | 'gone'>
  close(): void
}

const TIMEOUT_MS = 30_000
/** A list of two million mails has about 16 MB. */
const MAX_LINE = 16 * 1024 ** 2
const FRAMING = 64 * 1024

/** Connects and signs in. The connection ends with `signal`. */
export async function openMailbox(
  address: MailboxAddress,
  maxBytes: number,
  signal: AbortSignal,
): Promise<OpenMailbox> {
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: address.host,
    port: address.port,
    secure: address.isSecure,
    // A server that does not offer TLS must not get the password, except over the loopback interface.
    ...(address.isSecure ? {} : { doSTARTTLS: !address.isLocal }),
    auth: { user: address.user, pass: address.password },
    logger: false,
    disableAutoIdle: true,
    // A compressed stream could unpack to any size.
    disableCompression: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    maxLiteralSize: maxBytes + 1,
    maxLineLength: MAX_LINE,
    maxResponseSize: Math.max(maxBytes, MAX_LINE) + FRAMING,
  })
  // Each call rejects as well; without a listener the event would end the process.
  client.on('error', () => {})
  const close = () => client.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    const { uidValidity, uidNext } = await client.mailboxOpen(address.mailbox, { readOnly: true })
    return {
      uidValidity: Number(uidValidity),
      uidsAfter: async uid => (uidNext <= uid + 1 ? [] : search(client, uid)),
      fetch: uid => fetchMail(client, uid, maxBytes),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

async function search(client: ImapFlow, after: number): Promise<number[]> {
  const uids = await client.search({ uid: `${after + 1}:*` }, { uid: true })
  if (!Array.isArray(uids)) throw new Error('The server did not list the mails')
  // `*` is the last mail, even if its number is lower than the first one of the range.
  return uids.filter(uid => uid > after).sort((a, b) => a - b)
}

/** Asks for one byte more than a mail may have: some servers only estimate the size that they state. */
async function fetchMail(client: ImapFlow, uid: number, maxBytes: number) {
  const source = { start: 0, maxLength: maxBytes + 1 }
  const mail = await client.fetchOne(String(uid), { source }, { uid: true })
  if (!mail || mail.source === undefined) return 'gone'
  return mail.source.length > maxBytes ? 'too large' : mail.source
}
