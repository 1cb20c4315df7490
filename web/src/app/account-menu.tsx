import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronDown, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#components/menu.tsx'
import { showError } from '#components/toast.tsx'
import { queryClient } from '#data/client.ts'
import { signOut, switchAccount, useSignedIn } from '#data/session.ts'
import { chooseTheme, currentTheme, THEMES, type Theme } from './theme.ts'

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon }
const THEME_LABELS = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** The account, who is signed in, the theme. */
export function AccountMenu({ isCompact }: { isCompact?: boolean }) {
  const { user, account, accounts } = useSignedIn()
  const navigate = useNavigate()
  const leave = async () => {
    await signOut()
    queryClient.clear()
    await navigate({ to: '/sign-in' })
  }
  const enter = async (id: string) => {
    await switchAccount(id)
    queryClient.clear()
    await navigate({ to: '/' })
  }
  const trigger = (
    <button
      type="button"
      className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 hover:bg-hover data-popup-open:bg-active"
    >
      <Avatar name={account.name} isSquare size="md" />
      <span className="sr-only">Account {isCompact && account.name}</span>
      {!isCompact && (
        <>
          <span className="truncate font-semibold">{account.name}</span>
          <ChevronDown size={14} className="shrink-0 text-ink-3" />
        </>
      )}
    </button>
  )
  return (
    <Menu trigger={trigger}>
      <div className="px-2 py-1.5">
        <div className="font-medium">{user.name}</div>
        <div className="text-xs text-ink-3">{user.email}</div>
      </div>
      <MenuSeparator />
      {accounts.length > 1 && (
        <>
          <MenuLabel>Accounts</MenuLabel>
          {accounts.map(({ id, name }) => (
            <MenuItem
              key={id}
              icon={id === account.id ? <Check size={14} /> : <span className="block w-3.5" />}
              onSelect={() => void enter(id).catch(showError)}
            >
              {name}
            </MenuItem>
          ))}
          <MenuSeparator />
        </>
      )}
      <ThemeItems />
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} />} onSelect={() => void leave().catch(showError)}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

function ThemeItems() {
  const [theme, setTheme] = useState(currentTheme)
  const choose = (next: Theme) => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <>
      <MenuLabel>Theme</MenuLabel>
      {THEMES.map(name => {
        const Icon = theme === name ? Check : THEME_ICONS[name]
        return (
          <MenuItem key={name} icon={<Icon size={14} />} onSelect={() => choose(name)}>
            {THEME_LABELS[name]}
          </MenuItem>
        )
      })}
    </>
  )
}
