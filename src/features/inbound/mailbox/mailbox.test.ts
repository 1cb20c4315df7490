/** A mailbox that is read while its server fails, restarts and numbers its mails again. */
import { expect, it, onTestFinished } from 'vitest'
import { waitFor } from '../../../../test/support/process.ts'
import { type Account, type Item, onAnyEngine, onBothEngines } from '../../../../test/support/service.ts'
import { type Config, loadConfig } from '../../../config.ts'
import { openMailbox } from './connection.ts'
import { startMailboxPoller } from './poll.ts'
import { type ImapServer, imapServer, PASSWORD } from './server.testing.ts'

const ADA = 'ada@customer.example'

const mailOf = (id: string, from = ADA, more = '') =>
  `From: <${from}>\r\nTo: crm@ours.example\r\nSubject: ${id}\r\nMessage-ID: <${id}@customer.example>\r\n${more}\r\nHello`

const WITH_FILE =
  'MIME-Version: 1.0\r\nContent-Disposition: attachment; filename="plan.txt"\r\nContent-Type: text/plain\r\n'

const addressOf = (url: string, account: Account) => {
  const { imap } = loadConfig({ KITH_IMAP_URL: url, KITH_IMAP_ACCOUNT: account.accountId })
  if (!imap) throw new Error('no mailbox')
  return { ...imap, everyMs: 20 }
}

/** Reads the mailbox for the account until it is stopped; `log` is what it has logged. */
function reader(account: Account, { url }: ImapServer, overrides: Partial<Config> = {}) {
  const { services } = account.service
  const log: { level: string; fields: Item; message: string }[] = []
  const at = (level: string) => (fields: Item, message: string) => log.push({ level, fields, message })
  const poller = startMailboxPoller({
    ...services,
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as never,
    config: { ...services.config, imap: addressOf(url, account), ...overrides },
  })
  const stop = async () => poller?.stop()
  onTestFinished(stop)
  const subjects = async (): Promise<string[]> =>
    (await account.get('/api/activities?page_size=100')).body.items.map(({ subject }: Item) => subject)
  const logged = (...expected: string[]) =>
    waitFor(async () => ((await subjects()).sort().join() === expected.join() ? true : undefined))
  return { stop, log, logged }
}

const fetchedUids = ({ commands }: ImapServer) =>
  new Set(commands.filter(command => command.startsWith('UID FETCH')).map(command => command.split(' ')[2]))

onBothEngines('a mailbox', newAccount => {
  it('is read once, also after a restart and a new numbering, and is not changed', async () => {
    const account = await newAccount()
    await account.create('/api/contacts', { first_name: 'Ada', email: ADA })
    const imap = await imapServer()
    imap.mails.set(3, mailOf('a')).set(5, mailOf('s', 'stranger@else.example')).set(7, mailOf('b'))
    const first = reader(account, imap)
    await first.logged('a', 'b')
    imap.mails.set(9, mailOf('c', ADA, WITH_FILE))
    await first.logged('a', 'b', 'c')
    await first.stop()
    const { items } = (await account.get('/api/activities')).body
    const { id } = items.find(({ subject }: Item) => subject === 'c')
    const [file] = (await account.get(`/api/files?entity_type=activity&entity_id=${id}`)).body.items
    expect(file).toMatchObject({ name: 'plan.txt' })
    // postal-mime ends text that is not encoded with a line break
    expect((await account.get(`/api/files/${file.id}/content`)).text).toBe('Hello\n')

    imap.mails.set(12, mailOf('d'))
    imap.commands.length = 0
    const second = reader(account, imap)
    await second.logged('a', 'b', 'c', 'd')
    expect(fetchedUids(imap)).toEqual(new Set(['12']))
    const twice = await account.post('/api/inbound/mail', mailOf('d'), { 'content-type': 'message/rfc822' })
    expect(twice.body.status).toBe('duplicate')

    imap.mails = new Map([...imap.mails.values(), mailOf('e')].map((mail, index) => [index + 1, mail]))
    imap.uidValidity = 2
    await second.logged('a', 'b', 'c', 'd', 'e')
    await second.stop()
    const names = new Set(imap.commands.map(command => command.replace(/^(UID \w+|\w+).*/, '$1')))
    expect([...names].sort()).toEqual(
      ['CAPABILITY', 'LOGIN', 'LIST', 'LSUB', 'EXAMINE', 'UID SEARCH', 'UID FETCH'].sort(),
    )
  })
})

onAnyEngine('a mailbox', newAccount => {
  it('is read on when its server comes back, and the password is not logged', async () => {
    const account = await newAccount()
    await account.create('/api/contacts', { first_name: 'Ada', email: ADA })
    const imap = await imapServer()
    imap.mails.set(1, mailOf('a')).set(2, mailOf('b'))
    imap.breaksAt = 'UID FETCH'
    const { log, logged } = reader(account, imap)
    await waitFor(() => log.length >= 2)
    expect(log[1]).toMatchObject({ level: 'warn', fields: { failures: 2, wait_s: 0.08 } })
    imap.breaksAt = ''
    await logged('a', 'b')
    imap.password = 'another'
    const refused = await waitFor(() => log.find(({ fields }) => fields.reason?.includes('refuses')))
    expect(refused.fields.reason).toBe('the server refuses the user or the password')
    expect(JSON.stringify(log)).not.toContain(PASSWORD)
  })

  it('is read by one of several processes at a time', async () => {
    const account = await newAccount()
    await account.create('/api/contacts', { first_name: 'Ada', email: ADA })
    const imap = await imapServer()
    for (let uid = 1; uid <= 5; uid++) imap.mails.set(uid, mailOf(`m${uid}`))
    const readers = [reader(account, imap), reader(account, imap), reader(account, imap)]
    await readers[0]?.logged('m1', 'm2', 'm3', 'm4', 'm5')
    await Promise.all(readers.map(({ stop }) => stop()))
    const fetches = imap.commands.filter(command => command.startsWith('UID FETCH'))
    expect(fetches).toHaveLength(5)
  })

  it('with mails that are too large or cannot be stored is read beyond them', async () => {
    const account = await newAccount()
    await account.create('/api/contacts', { first_name: 'Ada', email: ADA })
    const imap = await imapServer()
    imap.mails.set(1, mailOf('large', ADA, `X-Long: ${'x'.repeat(5000)}\r\n`))
    imap.mails.set(2, mailOf('file', ADA, WITH_FILE)).set(3, mailOf('c'))
    const { config } = account.service.services
    const { log, logged } = reader(account, imap, {
      limits: { ...config.limits, bodyBytes: 4000 },
      // a folder that cannot be created
      files: { ...config.files, recordFileDir: '/dev/null/files' },
    })
    await logged('c')
    const left = log
      .filter(({ level }) => level !== 'debug')
      .map(({ fields: { uid }, message }) => [uid, message])
    expect(left.filter(([, message]) => message === 'the mailbox could not be read')).toHaveLength(4)
    expect(left.filter(([uid]) => uid)).toEqual([
      [1, 'a mail is larger than KITH_BODY_LIMIT'],
      [2, 'a mail cannot be logged and is left out'],
    ])
  })

  it('gets no password over a connection without TLS, except on this machine', async () => {
    const account = await newAccount()
    const imap = await imapServer()
    const address = { ...addressOf(imap.url, account), isLocal: false }
    await expect(openMailbox(address, 1000, new AbortController().signal)).rejects.toThrow()
    expect(imap.commands).not.toContain('LOGIN')
  })
})
