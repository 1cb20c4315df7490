/** An IMAP server for tests (RFC 3501, what a reader of one mailbox needs). It records every command. */
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { isRecord } from '../../../lib/values.ts'

export const USER = 'crm@ours.example'
export const PASSWORD = 'p@ss/w:rd%1'

export interface ImapServer {
  /** for KITH_IMAP_URL */
  url: string
  /** by UID, in ASCII */
  mails: Map<number, string>
  uidValidity: number
  password: string
  /** commands without their tag, `LOGIN` without its arguments */
  commands: string[]
  /** ends connections instead of answering this command; empty: none */
  breaksAt: string
  stop(): Promise<void>
}

export async function imapServer(): Promise<ImapServer> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    serve(socket, imap)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = isRecord(address) ? address.port : undefined
  const imap: ImapServer = {
    url: `imap://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/INBOX`,
    mails: new Map(),
    uidValidity: 1,
    password: PASSWORD,
    commands: [],
    breaksAt: '',
    stop() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
  onTestFinished(() => imap.stop())
  return imap
}

function serve(socket: Socket, imap: ImapServer): void {
  socket.write('* OK ready\r\n')
  const lines = createInterface(socket)
  // readline passes a reset of the connection on; without a listener it would end the test process
  lines.on('error', () => {})
  lines.on('line', line => {
    const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    const name = command.startsWith('UID ') ? command.split(' ').slice(0, 2).join(' ') : command.split(' ')[0]
    imap.commands.push(name === 'LOGIN' ? name : command)
    if (name !== undefined && name === imap.breaksAt) return socket.destroy()
    const refusal =
      name === 'LOGIN' && command !== `LOGIN "${USER}" "${imap.password}"` ? 'NO wrong password' : 'OK'
    socket.write(`${answerTo(imap, name ?? '', command)}${tag} ${refusal} done\r\n`)
    if (name === 'LOGOUT') socket.end()
  })
}

function answerTo(imap: ImapServer, name: string, command: string): string {
  const uids = [...imap.mails.keys()].sort((a, b) => a - b)
  const last = uids.at(-1) ?? 0
  switch (name) {
    case 'CAPABILITY':
      return '* CAPABILITY IMAP4rev1\r\n'
    case 'LIST':
      return command === 'LIST "" ""' ? '* LIST (\\Noselect) "/" ""\r\n' : '* LIST () "/" INBOX\r\n'
    case 'EXAMINE':
      return `* ${uids.length} EXISTS\r\n* OK [UIDVALIDITY ${imap.uidValidity}] ok\r\n* OK [UIDNEXT ${last + 1}] ok\r\n`
    case 'UID SEARCH': {
      const from = Number(/UID (\d+):\*$/.exec(command)?.[1])
      // `*` is the last mail, also if the range begins after it
      const found = uids.filter(uid => uid >= Math.min(from, last))
      return `* SEARCH${found.map(uid => ` ${uid}`).join('')}\r\n`
    }
    case 'UID FETCH': {
      const uid = Number(command.split(' ')[2])
      const mail = imap.mails.get(uid)
      if (mail === undefined) return ''
      const length = Number(/BODY\.PEEK\[\]<0\.(\d+)>/.exec(command)?.[1])
      const part = mail.slice(0, length)
      return `* ${uids.indexOf(uid) + 1} FETCH (UID ${uid} BODY[]<0> {${part.length}}\r\n${part})\r\n`
    }
    default:
      return ''
  }
}
