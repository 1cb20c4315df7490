/** What to do when the service cannot send mail: who may set it up reads how, the others read whom to ask. */
import { useMembers } from '#data/people.tsx'
import { useSignedIn } from '#data/session.ts'

const NOT_CONFIGURED = 'Email sending is not configured'

const SETTINGS =
  'This service has no mail server yet, so the mail stays a draft. Set KITH_SMTP_URL and KITH_MAIL_FROM and start the service again; the settings are in README.md.'

/** The sentence to show for a reason of the service. */
export function useSendAdvice(): (reason: string) => string {
  const { role } = useSignedIn().account
  const { members } = useMembers()
  return reason => {
    if (reason !== NOT_CONFIGURED) return reason
    if (role === 'owner' || role === 'admin') return SETTINGS
    const owners = members.filter(member => member.role === 'owner').map(({ name }) => name)
    return `This service has no mail server yet, so the mail stays a draft. Ask ${owners.join(' or ') || 'the owner of the account'} to set one up.`
  }
}
