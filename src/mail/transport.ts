/** The connection to the mail server, opened when the first mail is sent. */
import type { Transporter } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'

type Smtp = Transporter<SMTPTransport.SentMessageInfo, SMTPTransport.Options>

const transports = new Map<string, Promise<Smtp>>()

export function transportFor(url: string): Promise<Smtp> {
  let transport = transports.get(url)
  if (!transport) {
    transport = open(url)
    transports.set(url, transport)
  }
  return transport
}

async function open(url: string): Promise<Smtp> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
