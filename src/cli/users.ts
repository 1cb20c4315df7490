/** `kith users`: people of the installation's accounts. */
import { type CommandGroup, command, json } from './command.ts'
import { onInstallation } from './installation.ts'
import { printJson } from './output.ts'

interface Invitation {
  email: string
  token: string
  expires_at: string
  mailed: boolean
  mail_problem: string | null
}

const invite = command({
  summary: 'invites a person to an account',
  about:
    'The running service with the embedded engine mails the invitation if it can send mail. Otherwise hand over the token: POST /api/auth/accept-invitation takes it for seven days.',
  positionals: ['<email>'],
  options: {
    account: { type: 'string', value: 'slug or id', about: 'the account; needed where there are several' },
    role: { type: 'string', values: ['viewer', 'member', 'admin', 'owner'], about: 'member unless set' },
    json,
  },
  examples: ['kith users invite ann@example.com', 'kith users invite bob@example.com --role admin'],
  async run({ values, positionals: [email = ''] }) {
    const invited = (await onInstallation('users-invite', {
      email,
      ...(values.role === undefined ? {} : { role: values.role }),
      ...(values.account === undefined ? {} : { account: values.account }),
    })) as Invitation
    if (values.json) return printJson(invited)
    if (invited.mailed) console.error(`An invitation was mailed to ${invited.email}.`)
    else console.error(invited.mail_problem ?? 'No mail was sent.')
    console.error(`The token, shown this once, is valid until ${invited.expires_at}:`)
    console.log(invited.token)
  },
})

export const users: CommandGroup = { summary: 'invites people', commands: { invite } }
