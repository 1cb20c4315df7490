/** `kith users invite`: an invitation to any account, for the operator of the installation. */
import type { Services } from '../../kernel/context.ts'
import { type Infer, object, optional, text, withDefault } from '../../kernel/schema/index.ts'
import { invite } from '../../resources/accounts/invitations.ts'
import { emailAddress, role } from '../../resources/accounts/schemas.ts'
import { asOwner, chosenAccount } from './owner.ts'

export const inviteInput = object({
  account: optional(text({ min: 1, max: 255 })),
  email: emailAddress,
  role: withDefault(role, 'member'),
})

export async function inviteUser(
  services: Services,
  { account, ...invitation }: Infer<typeof inviteInput>,
  staysAlive: boolean,
) {
  const chosen = await chosenAccount(services, account)
  const invited = await invite(asOwner(services, chosen), { ...invitation, send_mail: staysAlive })
  return { ...invited, account: chosen.slug }
}
