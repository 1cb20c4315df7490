/** The frame around all screens: navigation, command palette, shortcuts, live updates. */
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLiveUpdates } from '#data/live.ts'
import { PeopleProvider } from '#data/people.tsx'
import { useSession } from '#data/session.ts'
import { undoLast } from '#data/undo.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { usePhone } from '#lib/use-media.ts'
import { useStored } from '#lib/use-stored.ts'
import { destinations } from './navigation.ts'
import { ReadNotice } from './read-notice.tsx'
import { loadPalette } from './screens.ts'
import { Sidebar } from './sidebar.tsx'

const PhoneBar = lazy(async () => ({ default: (await import('./phone-bar.tsx')).PhoneBar }))
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }))
const Palette = loadPalette && lazy(loadPalette)

export default function Shell() {
  const session = useSession()
  const navigate = useNavigate()
  const isPhone = usePhone()
  const [sidebar, setSidebar] = useStored<'open' | 'closed'>('sidebar', 'open')
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const toggleSidebar = () => setSidebar(sidebar === 'open' ? 'closed' : 'open')
  const openPalette = Palette && (() => setPaletteOpen(true))

  useLiveUpdates(session?.account.id)
  useShortcuts({
    ...Object.fromEntries(
      destinations.flatMap(({ to, shortcut }) => (shortcut ? [[shortcut, () => void navigate({ to })]] : [])),
    ),
    'mod+k': openPalette,
    'mod+\\': toggleSidebar,
    'mod+z': undoLast,
    '?': () => setHelpOpen(true),
  })
  useEffect(() => {
    // the session was ended by another page or device, for example by a new password
    if (!session) void navigate({ to: '/sign-in', search: { next: location.pathname + location.search } })
  }, [session, navigate])
  if (!session) return null

  const open = openPalette ? { onSearch: openPalette } : {}
  return (
    <PeopleProvider account={session.account.id}>
      <div className="flex h-full max-[719px]:flex-col">
        <button
          type="button"
          onClick={() => document.getElementById('content')?.focus()}
          className="fixed top-2 left-2 z-60 -translate-y-20 rounded-md bg-accent px-3 py-1.5 text-accent-ink focus:translate-y-0"
        >
          Skip to the content
        </button>
        <ReadNotice />
        {!isPhone && <Sidebar isOpen={sidebar === 'open'} onToggle={toggleSidebar} {...open} />}
        <div className="min-h-0 min-w-0 flex-1">
          <Outlet />
        </div>
        {isPhone && (
          <Suspense fallback={<div className="h-13 shrink-0" />}>
            <PhoneBar {...open} />
          </Suspense>
        )}
        {Palette && isPaletteOpen && (
          <Suspense>
            <Palette isOpen onClose={() => setPaletteOpen(false)} />
          </Suspense>
        )}
        {isHelpOpen && (
          <Suspense>
            <ShortcutHelp isOpen onClose={() => setHelpOpen(false)} />
          </Suspense>
        )}
      </div>
    </PeopleProvider>
  )
}
