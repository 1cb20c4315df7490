/** Accounts and the people in them: signing in, members, invitations. */
import type { Endpoint } from '../../kernel/resource.ts'
import { acceptanceEndpoints } from './accept-invitation.ts'
import { accountEndpoints } from './accounts.ts'
import { browserSessionEndpoints } from './browser-session.ts'
import { confirmationEndpoints } from './confirm-email.ts'
import { invitationEndpoints } from './invitations.ts'
import { meEndpoints } from './me.ts'
import { memberEndpoints } from './members.ts'
import { resetEndpoints } from './reset-password.ts'
import { sessionListEndpoints } from './session-list.ts'
import { signInEndpoints } from './sign-in.ts'

export const identityEndpoints: Endpoint[] = [
  ...signInEndpoints,
  ...browserSessionEndpoints,
  ...sessionListEndpoints,
  ...meEndpoints,
  ...confirmationEndpoints,
  ...resetEndpoints,
  ...acceptanceEndpoints,
  ...accountEndpoints,
  ...memberEndpoints,
  ...invitationEndpoints,
]
