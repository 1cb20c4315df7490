import { CalendarDays, CircleDashed, ListChecks, type LucideIcon, Mail, Phone } from 'lucide-react'
import { humanize } from '#lib/format.ts'
import type { Activity } from './agenda.ts'

const ICONS: Readonly<Record<Activity['type'], LucideIcon>> = {
  call: Phone,
  meeting: CalendarDays,
  task: ListChecks,
  email: Mail,
  other: CircleDashed,
}

export function TypeIcon({ type, size = 14 }: { type: Activity['type']; size?: number }) {
  const Icon = ICONS[type]
  return <Icon size={size} className="shrink-0 text-ink-3" role="img" aria-label={humanize(type)} />
}
