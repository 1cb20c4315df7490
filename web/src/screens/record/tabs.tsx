import { Link } from '@tanstack/react-router'
import type { FieldKind } from '#data/fields.ts'
import { classes } from '#lib/classes.ts'
import type { Subject } from './subject.ts'

const LABELS = {
  facts: 'Facts',
  timeline: 'Timeline',
  notes: 'Notes',
  activities: 'Activities',
  team: 'Team',
  deals: 'Deals',
  items: 'Line items',
  mails: 'Mails',
  files: 'Files',
}

export type Tab = keyof typeof LABELS

const TABS: Readonly<Record<FieldKind, readonly Tab[]>> = {
  contact: ['timeline', 'notes', 'activities', 'deals', 'mails', 'files'],
  company: ['timeline', 'notes', 'activities', 'team', 'deals', 'mails', 'files'],
  deal: ['timeline', 'notes', 'activities', 'items', 'mails', 'files'],
  activity: ['timeline', 'notes', 'files'],
  product: ['timeline', 'notes', 'deals', 'files'],
}

/** On a phone the facts are a tab; elsewhere they are beside the tabs. */
export const tabsOf = (kind: FieldKind, isPhone: boolean): readonly Tab[] =>
  isPhone ? ['facts', ...TABS[kind]] : TABS[kind]

const searchOf = (tab: Tab | undefined): Record<string, unknown> => (tab ? { tab } : {})

interface TabBarProps {
  subject: Subject
  tabs: readonly Tab[]
  current: Tab
}

export const TabBar = ({ subject: { group, id }, tabs, current }: TabBarProps) => (
  <nav
    aria-label="Parts of the record"
    className="sticky top-0 z-2 flex h-10 shrink-0 items-stretch gap-4 overflow-x-auto border-b border-line bg-surface px-6 [scrollbar-width:none] max-[719px]:px-4"
  >
    {tabs.map(tab => (
      <Link
        key={tab}
        to="/$group/$id"
        params={{ group, id }}
        search={searchOf(tab === tabs[0] ? undefined : tab)}
        replace
        aria-current={tab === current ? 'page' : undefined}
        className={classes(
          '-mb-px flex shrink-0 items-center border-b-2 outline-offset-[-2px]',
          tab === current
            ? 'border-accent font-medium text-ink'
            : 'border-transparent text-ink-2 hover:text-ink',
        )}
      >
        {LABELS[tab]}
      </Link>
    ))}
  </nav>
)
