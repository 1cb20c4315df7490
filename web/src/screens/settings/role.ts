import type { Schemas } from '@kith/client'
import { useIsWriter, useSignedIn } from '#data/session.ts'

export type Role = Schemas['Member']['role']

export const ROLES: readonly { value: Role; label: string; text: string }[] = [
  { value: 'owner', label: 'Owner', text: 'everything, the account itself included' },
  { value: 'admin', label: 'Admin', text: 'members, keys and webhooks, too' },
  { value: 'member', label: 'Member', text: 'reads and changes records' },
  { value: 'viewer', label: 'Viewer', text: 'reads only' },
]

export const useRole = () => {
  const { role } = useSignedIn().account
  return {
    role,
    isOwner: role === 'owner',
    isAdmin: role === 'owner' || role === 'admin',
    isWriter: useIsWriter(),
  }
}
