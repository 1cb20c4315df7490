/** Reads a mail in a thread of its own, which parse.ts ends when it takes too long. */
import { parentPort, workerData } from 'node:worker_threads'
import PostalMime, { type Address } from 'postal-mime'
import { htmlToText } from '../../resources/email-templates/html-to-text.ts'

export interface Mail {
  message_id: string | undefined
  /** the first mail of the conversation */
  thread_id: string | undefined
  subject: string
  date: string | undefined
  from: string | undefined
  /** the recipients, also those in copy */
  to: string[]
  text: string
  attachments: { name: string; content: Uint8Array }[]
}

/** Characters of text that are read: the activity shows fewer. */
const MAX_HTML = 2_000_000
const MAX_RECIPIENTS = 200

const flat = (addresses: readonly Address[] = []): string[] =>
  addresses
    .flatMap(address => (address.group ?? [address]).map(one => one.address?.trim().toLowerCase() ?? ''))
    .filter(address => address.includes('@'))

const ids = (header: string | undefined): string[] => header?.match(/<[^<>\s]+>/g) ?? []

const mail = await PostalMime.parse(workerData, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 50 })
const [messageId] = ids(mail.messageId)
const text = mail.text?.trim() ? mail.text : htmlToText((mail.html ?? '').slice(0, MAX_HTML))
const answer: Mail = {
  message_id: messageId,
  thread_id: ids(mail.references)[0] ?? ids(mail.inReplyTo)[0] ?? messageId,
  subject: mail.subject ?? '',
  date: mail.date,
  from: flat(mail.from ? [mail.from] : [])[0],
  to: [...new Set([...flat(mail.to), ...flat(mail.cc)])].slice(0, MAX_RECIPIENTS),
  text,
  attachments: mail.attachments
    .filter(({ related, filename }) => !related && filename)
    .map(({ filename, content }) => ({
      name: filename ?? '',
      content: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
    })),
}
parentPort?.postMessage(answer)
