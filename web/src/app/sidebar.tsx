import { PanelLeft, Search } from 'lucide-react'
import { IconButton } from '#components/button.tsx'
import { Keys } from '#components/keys.tsx'
import { classes } from '#lib/classes.ts'
import { AccountMenu } from './account-menu.tsx'
import { NavigationList } from './navigation-list.tsx'

interface SidebarProps {
  isOpen: boolean
  onToggle: () => void
  onSearch?: () => void
}

export function Sidebar({ isOpen, onToggle, onSearch }: SidebarProps) {
  return (
    <aside
      className={classes(
        'flex h-full shrink-0 flex-col border-r border-line bg-canvas transition-[width] duration-150 ease-out',
        isOpen ? 'w-56' : 'w-13',
      )}
    >
      <div className={classes('flex h-12 shrink-0 items-center gap-1 px-2', !isOpen && 'justify-center')}>
        {isOpen && <AccountMenu />}
        <IconButton label={isOpen ? 'Collapse the sidebar' : 'Expand the sidebar'} onClick={onToggle}>
          <PanelLeft size={16} />
        </IconButton>
      </div>
      {onSearch && (
        <div className="px-2 pb-1">
          <button
            type="button"
            onClick={onSearch}
            {...(isOpen ? {} : { 'aria-label': 'Search' })}
            className={classes(
              'flex h-8 w-full items-center gap-2 rounded-md border border-line bg-surface text-ink-3 hover:border-line-strong',
              isOpen ? 'px-2' : 'justify-center',
            )}
          >
            <Search size={14} />
            {isOpen && (
              <>
                <span className="flex-1 text-left">Search</span>
                <Keys shortcut="mod+k" />
              </>
            )}
          </button>
        </div>
      )}
      <NavigationList isCompact={!isOpen} />
      {!isOpen && (
        <div className="flex justify-center p-2">
          <AccountMenu isCompact />
        </div>
      )}
    </aside>
  )
}
