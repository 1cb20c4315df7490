/**
 * The mails of the service. A mail to an unconfirmed address contains no text that a user chose, so that the service
 * cannot be used to send spam.
 */
import type { Config } from '../../config.ts'
import type { ServiceMail } from '../../mail/send-soon.ts'

type Page = 'confirm-email' | 'reset-password' | 'accept-invitation'

/** The link, or without KITH_PUBLIC_URL the token. After the #, so that no server's log has it. */
const linkOrToken = ({ publicUrl }: Config, page: Page, token: string): string =>
  publicUrl === undefined
    ? `Your token:\n\n  ${token}\n\nSend it to POST /api/auth/${page}.`
    : `Open this link:\n\n  ${publicUrl}/account/${page}#${token}`

const lines = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`

const NOT_YOU = 'If you did not expect this mail, ignore it: nothing happens without the token.'

export const confirmationMail = (config: Config, to: string, token: string): ServiceMail => ({
  to,
  subject: 'Confirm your email address',
  text: lines(
    'Please confirm that this email address is yours.',
    linkOrToken(config, 'confirm-email', token),
    'This works once, within three days.',
    NOT_YOU,
  ),
})

export const registrationMail = (config: Config, to: string, token: string): ServiceMail => ({
  to,
  subject: 'Complete your registration',
  text: lines(
    'Somebody registered with this email address. If it was you, complete the registration.',
    linkOrToken(config, 'confirm-email', token),
    'This works once, within three days. Sign in with your password afterwards.',
    'If it was not you, ignore this mail: without the token nobody can use your address.',
  ),
})

export const registeredAlreadyMail = (to: string): ServiceMail => ({
  to,
  subject: 'You are registered already',
  text: lines(
    'Somebody registered with this email address, and you have done so before. Nothing was changed.',
    'If it was you, sign in, or set a new password if you have forgotten yours.',
    'If it was not you, ignore this mail.',
  ),
})

export const resetMail = (config: Config, to: string, token: string): ServiceMail => ({
  to,
  subject: 'Reset your password',
  text: lines(
    'Somebody asked to set a new password for this email address.',
    linkOrToken(config, 'reset-password', token),
    'This works once, within an hour. Everybody who is signed in with the old password is signed out.',
    NOT_YOU,
  ),
})

/** Names are untrusted text: characters that make a mail program show a link are removed. */
const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} '’,&()-]+/gu, ' ')
    .trim()
    .slice(0, 80)

export const invitationMail = (
  config: Config,
  to: string,
  token: string,
  names: { inviter: string; account: string },
): ServiceMail => {
  const account = plainName(names.account) || 'an account'
  return {
    to,
    subject: `Invitation to ${account}`,
    text: lines(
      `${plainName(names.inviter) || 'Somebody'} invites you to ${account}.`,
      linkOrToken(config, 'accept-invitation', token),
      'This works once, within seven days.',
      NOT_YOU,
    ),
  }
}
