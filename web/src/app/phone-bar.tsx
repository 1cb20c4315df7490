import { Dialog } from '@base-ui/react/dialog'
import { Link } from '@tanstack/react-router'
import { MenuIcon, Search } from 'lucide-react'
import { useState } from 'react'
import { AccountMenu } from './account-menu.tsx'
import { destinations } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'

const entryClass =
  'flex flex-1 flex-col items-center justify-center gap-0.5 text-2xs text-ink-2 data-[status=active]:text-accent-text'

/** The first three destinations at the bottom, in reach of the thumb, and the others in a sheet. */
export function PhoneBar({ onSearch }: { onSearch?: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <nav
      aria-label="Quick"
      className="flex h-13 shrink-0 border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)]"
    >
      {destinations.slice(0, 3).map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={entryClass}>
          <Icon size={18} />
          {label}
        </Link>
      ))}
      {onSearch && (
        <button type="button" onClick={onSearch} className={entryClass}>
          <Search size={18} />
          Search
        </button>
      )}
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger className={entryClass}>
          <MenuIcon size={18} />
          Menu
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
          <Dialog.Popup
            aria-label="Menu"
            className="fixed inset-x-0 bottom-0 z-40 flex max-h-[80vh] flex-col rounded-t-lg bg-raised p-2 shadow-float transition-transform duration-200 ease-out outline-none data-ending-style:translate-y-full data-starting-style:translate-y-full"
          >
            <AccountMenu />
            <NavigationList onNavigate={() => setOpen(false)} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </nav>
  )
}
