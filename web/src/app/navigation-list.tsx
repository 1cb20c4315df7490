import { Link } from '@tanstack/react-router'
import { classes } from '#lib/classes.ts'
import { sections } from './navigation.ts'

interface NavigationListProps {
  /** only icons */
  isCompact?: boolean
  onNavigate?: () => void
}

export function NavigationList({ isCompact, onNavigate }: NavigationListProps) {
  return (
    <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-2 scroll-thin">
      {sections.map(({ label, entries }) => (
        <div key={label || 'first'}>
          {label && !isCompact && <div className="px-2 pb-1 text-2xs font-medium text-ink-3">{label}</div>}
          {label && isCompact && <div className="mx-2 mb-3 h-px bg-line" />}
          <ul className="flex flex-col gap-px">
            {entries.map(({ to, label: name, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  {...(onNavigate ? { onClick: onNavigate } : {})}
                  aria-label={name}
                  title={isCompact ? name : undefined}
                  className={classes(
                    'flex h-7 items-center gap-2 rounded-md text-ink-2 hover:bg-hover hover:text-ink max-[719px]:h-10',
                    'data-[status=active]:bg-active data-[status=active]:font-medium data-[status=active]:text-ink',
                    isCompact ? 'justify-center' : 'px-2',
                  )}
                >
                  <Icon size={15} className="shrink-0" />
                  {!isCompact && <span className="truncate">{name}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
