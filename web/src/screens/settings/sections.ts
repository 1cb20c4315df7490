/** The sections of the settings, in order, with who can open them. */
import {
  Blocks,
  Building2,
  CircleUser,
  Gauge,
  Import,
  KeyRound,
  type LucideIcon,
  ScrollText,
  SquareKanban,
  Tags,
  Users,
  Webhook,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'

export interface SettingsSection {
  name: string
  label: string
  group: 'You' | 'Account' | 'Developers'
  icon: LucideIcon
  component: ComponentType
  /** the service refuses what it reads to other members */
  isForAdmins?: true
}

export const SECTIONS: readonly SettingsSection[] = [
  {
    name: 'profile',
    label: 'Profile',
    group: 'You',
    icon: CircleUser,
    component: lazy(() => import('./profile.tsx')),
  },
  {
    name: 'account',
    label: 'Account',
    group: 'Account',
    icon: Building2,
    component: lazy(() => import('./account.tsx')),
  },
  {
    name: 'members',
    label: 'Members',
    group: 'Account',
    icon: Users,
    component: lazy(() => import('./members.tsx')),
  },
  {
    name: 'pipelines',
    label: 'Pipelines',
    group: 'Account',
    icon: SquareKanban,
    component: lazy(() => import('./pipelines.tsx')),
  },
  {
    name: 'fields',
    label: 'Custom fields',
    group: 'Account',
    icon: Blocks,
    component: lazy(() => import('./custom-fields.tsx')),
  },
  {
    name: 'labels',
    label: 'Categories and tags',
    group: 'Account',
    icon: Tags,
    component: lazy(() => import('./labels.tsx')),
  },
  {
    name: 'audit',
    label: 'Audit',
    group: 'Account',
    icon: ScrollText,
    component: lazy(() => import('./audit.tsx')),
  },
  {
    name: 'usage',
    label: 'Usage',
    group: 'Account',
    icon: Gauge,
    component: lazy(() => import('./usage.tsx')),
  },
  {
    name: 'api-keys',
    label: 'API keys',
    group: 'Developers',
    icon: KeyRound,
    component: lazy(() => import('./api-keys.tsx')),
    isForAdmins: true,
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    group: 'Developers',
    icon: Webhook,
    component: lazy(() => import('./webhooks.tsx')),
    isForAdmins: true,
  },
]

/** Screens of their own that people look for here. */
export const ELSEWHERE = [{ to: '/imports', label: 'Import history', icon: Import }] as const
