/** The settings: sections at the left, on a phone above, and the open one beside them. */
import { Link, useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { Suspense } from 'react'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { classes } from '#lib/classes.ts'
import { usePhone } from '#lib/use-media.ts'
import { RowsSkeleton } from './part.tsx'
import { useRole } from './role.ts'
import { ELSEWHERE, SECTIONS, type SettingsSection } from './sections.ts'

export default function Settings() {
  const { section: name = 'profile' } = useParams({ strict: false })
  const { isAdmin } = useRole()
  const isPhone = usePhone()
  const sections = SECTIONS.filter(({ isForAdmins }) => isAdmin || !isForAdmins)
  const section = sections.find(one => one.name === name)
  const links = sections.map(one => <SectionLink key={one.name} section={one} isActive={one === section} />)
  return (
    <Screen
      title={section ? `Settings: ${section.label}` : 'Settings'}
      {...(isPhone
        ? {
            toolbar: (
              <nav aria-label="Settings" className="-mx-2 flex gap-0.5 overflow-x-auto px-2 py-1 scroll-thin">
                {links}
              </nav>
            ),
          }
        : {})}
    >
      <div className="flex min-h-full">
        {!isPhone && <SideNavigation sections={sections} active={name} />}
        <div className="min-w-0 flex-1 px-8 py-6 max-[719px]:px-4 max-[719px]:py-4">
          <div className="mx-auto max-w-170">
            {section ? (
              <Suspense key={section.name} fallback={<RowsSkeleton count={5} />}>
                <section.component />
              </Suspense>
            ) : (
              <EmptyState icon={SearchX} title={missingTitle(name)}>
                Choose another section.
              </EmptyState>
            )}
          </div>
        </div>
      </div>
    </Screen>
  )
}

const missingTitle = (name: string): string => {
  const section = SECTIONS.find(one => one.name === name)
  return section ? `${section.label} are for owners and admins` : 'There is no such section'
}

function SideNavigation({ sections, active }: { sections: readonly SettingsSection[]; active: string }) {
  const groups = [...Map.groupBy(sections, ({ group }) => group)]
  return (
    <nav aria-label="Settings" className="w-52 shrink-0 border-r border-line">
      <div className="sticky top-0 flex flex-col gap-4 p-3">
        {groups.map(([group, entries]) => (
          <div key={group} className="flex flex-col gap-px">
            <div className="px-2 pb-1 text-2xs font-medium text-ink-3">{group}</div>
            {entries.map(section => (
              <SectionLink key={section.name} section={section} isActive={section.name === active} />
            ))}
            {group === 'Account' &&
              ELSEWHERE.map(({ to, label, icon: Icon }) => (
                <Link key={to} to={to} className={LINK}>
                  <Icon size={14} className="shrink-0 text-ink-3" />
                  {label}
                </Link>
              ))}
          </div>
        ))}
      </div>
    </nav>
  )
}

const LINK = 'flex h-7 shrink-0 items-center gap-2 rounded-md px-2 text-ink-2 hover:bg-hover hover:text-ink'

function SectionLink({ section, isActive }: { section: SettingsSection; isActive: boolean }) {
  const { name, label, icon: Icon } = section
  return (
    <Link
      to="/settings/$section"
      params={{ section: name }}
      ref={link => {
        if (isActive) link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }}
      aria-current={isActive ? 'page' : undefined}
      className={classes(
        'flex h-7 shrink-0 items-center gap-2 rounded-md px-2',
        isActive ? 'bg-active font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      <Icon size={14} className="shrink-0 text-ink-3" />
      {label}
    </Link>
  )
}
