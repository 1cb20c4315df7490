/** Logs a mail as an activity on the contacts that it is from and to. */
import { createHash } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Ctx, query, queryOne, transaction } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import type { UploadPart } from '../../kernel/endpoint.ts'
import { HttpError } from '../../kernel/errors.ts'
import { checkMayRead, checkMayWrite } from '../../kernel/reach.ts'
import { living, rows } from '../../kernel/statements.ts'
import { activities } from '../../resources/activities/index.ts'
import { file } from '../records/files/record.ts'
import { receive } from '../records/files/upload.ts'
import { parseMail } from './parse.ts'
import type { Mail } from './parse-worker.ts'

/** The source under which an activity has the Message-ID of its mail. */
const SOURCE = 'mail'
const MAX_TEXT = 50_000
const MAX_SUBJECT = 255
const MAX_CONTACTS = 50
const MAX_ATTACHMENTS = 50

export interface Logged {
  status: 'logged' | 'duplicate' | 'ignored'
  activity_id: string | null
  contact_ids: string[]
  files: number
  skipped: { name: string; reason: string }[]
}

export async function logMail(ctx: Ctx, raw: Buffer): Promise<Logged> {
  checkMayRead(ctx, 'contacts')
  const mail = await parseMail(new Uint8Array(raw))
  const key = keyOf(mail, raw)
  return transaction(ctx, async tx => {
    // Two deliveries of one mail at the same time must not both find nothing.
    await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.account} mail ${key}`}, 1))`)
    const logged = await queryOne(
      tx,
      sql<{ id: string }>`select x.entity_id as id from ${rows(tx, 'external_ids')} x
        where x.entity_type = 'activity' and x.source = ${SOURCE} and x.external_id = ${key}`,
    )
    if (logged) return { status: 'duplicate', activity_id: logged.id, contact_ids: [], files: 0, skipped: [] }
    const contacts = await contactsOf(tx, mail)
    if (contacts.length === 0)
      return { status: 'ignored', activity_id: null, contact_ids: [], files: 0, skipped: [] }
    const { id } = await activities.operations.create(tx, inputOf(mail, key, contacts))
    return {
      status: 'logged',
      activity_id: id,
      contact_ids: contacts.map(contact => contact.id),
      ...(await storeFiles(tx, id, mail)),
    }
  })
}

/** The key that identifies a mail: its Message-ID, or else a hash of its content. */
const keyOf = ({ message_id }: Mail, raw: Buffer): string =>
  message_id !== undefined && message_id.length <= 200
    ? message_id
    : `sha256:${createHash('sha256')
        .update(message_id ?? raw)
        .digest('hex')}`

interface Contact {
  id: string
  is_sender: boolean
}

const contactsOf = (tx: Ctx, { from, to }: Mail): Promise<Contact[]> =>
  query(
    tx,
    sql<Contact>`select c.id, bool_or(a.address = ${from ?? ''}) as is_sender
      from ${rows(tx, 'contact_addresses')} a join ${living(tx, 'contacts')} c on c.id = a.contact_id
      where a.address = any(${[...(from === undefined ? [] : [from]), ...to]}::text[])
      group by c.id order by 2 desc, c.id limit ${MAX_CONTACTS}`,
  )

function inputOf(mail: Mail, key: string, contacts: readonly Contact[]) {
  const sent = Date.parse(mail.date ?? '')
  const at = new Date(Number.isFinite(sent) ? Math.min(sent, Date.now()) : Date.now()).toISOString()
  return {
    type: 'email' as const,
    subject: clean(mail.subject, MAX_SUBJECT).replace(/\s+/g, ' ').trim() || '(no subject)',
    description: clean(mail.text, MAX_TEXT).trim() || null,
    status: 'completed' as const,
    all_day: false,
    direction: contacts.some(({ is_sender }) => is_sender) ? ('inbound' as const) : ('outbound' as const),
    start_at: at,
    end_at: at,
    contact_ids: contacts.map(({ id }) => id),
    metadata: {
      mail_thread: (mail.thread_id ?? key).slice(0, 1000),
      mail_from: mail.from ?? '',
      mail_to: mail.to.join(', ').slice(0, 10_000),
    },
    external_ids: { [SOURCE]: key },
  }
}

/** Without what cannot be stored or shown; no character is split. */
const clean = (text: string, max: number): string =>
  [...text.replace(/(?![\n\t])\p{Cc}|\p{Cs}/gu, '').slice(0, 2 * max)].slice(0, max).join('')

async function storeFiles(tx: Ctx, activityId: string, { attachments }: Mail) {
  const skipped: Logged['skipped'] = attachments
    .slice(MAX_ATTACHMENTS)
    .map(({ name }) => ({ name, reason: `A mail has at most ${MAX_ATTACHMENTS} attachments` }))
  let files = 0
  if (attachments.length > 0) checkMayWrite(tx, ['files'])
  for (const { name, content } of attachments.slice(0, MAX_ATTACHMENTS)) {
    const request = {
      parts: () => partsOf(activityId, name, content),
      raw: new IncomingMessage(new Socket()),
      body: undefined,
      header: () => undefined,
    }
    try {
      await receive(tx, request, crud(file).get)
      files++
    } catch (error) {
      // A file that is too large or empty does not stop the mail.
      if (!(error instanceof HttpError) || typeof error.detail !== 'string') throw error
      skipped.push({ name, reason: error.detail })
    }
  }
  return { files, skipped }
}

async function* partsOf(id: string, filename: string, content: Uint8Array): AsyncGenerator<UploadPart> {
  yield { type: 'field', fieldname: 'entity_type', value: 'activity' }
  yield { type: 'field', fieldname: 'entity_id', value: id }
  const file = Readable.from([Buffer.from(content)])
  yield { type: 'file', fieldname: 'file', filename, mimetype: 'application/octet-stream', file }
}
