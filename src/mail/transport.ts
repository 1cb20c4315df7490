/** SMTP to the configured mail server: a connection for each mail. */
import type { Transporter } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'

export async function smtpTransport(
  url: string,
): Promise<Transporter<SMTPTransport.SentMessageInfo, SMTPTransport.Options>> {
  // imported when the first mail is sent
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
