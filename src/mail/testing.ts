/** A mail server for tests: it accepts every mail, or answers as the test says. */
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Received {
  to: string[]
  /** the received mail, with folded lines unfolded */
  raw: string
  header(name: string): string | undefined
}

export interface MailServer {
  url: string
  received: Received[]
  /** called for each mail before it is accepted: returns an error with a code, or nothing */
  answer: (mail: Received) => Promise<{ code: number; text: string } | undefined>
  close(): Promise<void>
}

export async function mailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const take = async () => {
        const raw = (await text(stream)).replace(/\r\n[ \t]+/g, ' ')
        const [head = ''] = raw.split('\r\n\r\n')
        const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim()
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), raw, header }
        const refusal = await mails.answer(mail)
        if (refusal) return Object.assign(new Error(refusal.text), { responseCode: refusal.code })
        mails.received.push(mail)
        return null
      }
      take().then(done, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const mails: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    answer: async () => undefined,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
  return mails
}
