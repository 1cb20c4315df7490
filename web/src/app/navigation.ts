/** The entries of the sidebar, in order. Those whose screen does not exist are left out. */
import {
  BookOpen,
  Building2,
  CalendarCheck,
  ChartNoAxesColumn,
  Copy,
  Handshake,
  Import,
  ListChecks,
  type LucideIcon,
  Mail,
  MessageCircleQuestion,
  Mic,
  Package,
  Settings,
  SquareKanban,
  Trash2,
  Users,
} from 'lucide-react'
import { hasScreen, type ScreenName } from './screens.ts'

export interface Destination {
  to: string
  label: string
  icon: LucideIcon
  screen: ScreenName
  /** `g c` */
  shortcut?: string
}

interface Section {
  label: string
  entries: Destination[]
}

const SECTIONS: readonly Section[] = [
  {
    label: '',
    entries: [
      { to: '/today', label: 'Today', icon: CalendarCheck, screen: 'today', shortcut: 'g t' },
      { to: '/dashboard', label: 'Dashboard', icon: ChartNoAxesColumn, screen: 'dashboard', shortcut: 'g h' },
      { to: '/ask', label: 'Ask', icon: MessageCircleQuestion, screen: 'ask', shortcut: 'g q' },
    ],
  },
  {
    label: 'Records',
    entries: [
      { to: '/contacts', label: 'Contacts', icon: Users, screen: 'lists', shortcut: 'g c' },
      { to: '/companies', label: 'Companies', icon: Building2, screen: 'lists', shortcut: 'g o' },
      { to: '/deals', label: 'Deals', icon: Handshake, screen: 'lists', shortcut: 'g d' },
      { to: '/activities', label: 'Activities', icon: ListChecks, screen: 'lists', shortcut: 'g a' },
      { to: '/products', label: 'Products', icon: Package, screen: 'lists', shortcut: 'g p' },
    ],
  },
  {
    label: 'Work',
    entries: [
      { to: '/board', label: 'Board', icon: SquareKanban, screen: 'board', shortcut: 'g b' },
      { to: '/mail', label: 'Mail', icon: Mail, screen: 'mail', shortcut: 'g m' },
      { to: '/recordings', label: 'Recordings', icon: Mic, screen: 'recordings', shortcut: 'g r' },
      { to: '/knowledge', label: 'Knowledge', icon: BookOpen, screen: 'knowledge', shortcut: 'g k' },
    ],
  },
  {
    label: 'Data',
    entries: [
      { to: '/imports', label: 'Import', icon: Import, screen: 'imports', shortcut: 'g i' },
      { to: '/duplicates', label: 'Duplicates', icon: Copy, screen: 'duplicates', shortcut: 'g u' },
      { to: '/trash', label: 'Trash', icon: Trash2, screen: 'trash' },
      { to: '/settings', label: 'Settings', icon: Settings, screen: 'settings', shortcut: 'g s' },
    ],
  },
]

export const sections: readonly Section[] = SECTIONS.map(({ label, entries }) => ({
  label,
  entries: entries.filter(({ screen }) => hasScreen(screen)),
})).filter(({ entries }) => entries.length > 0)

export const destinations: readonly Destination[] = sections.flatMap(({ entries }) => entries)
