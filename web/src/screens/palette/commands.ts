/** The commands of the palette: go to a screen, create a record, undo a change, change the theme. */
import { type LucideIcon, Moon, Plus, Sun, SunMoon, Undo2 } from 'lucide-react'
import { destinations } from '#app/navigation.ts'
import { chooseTheme, currentTheme, THEMES, type Theme } from '#app/theme.ts'
import { FIELDS, type FieldKind } from '#data/fields.ts'
import { lastChange, undoLast } from '#data/undo.ts'

export interface Command {
  id: string
  label: string
  group: 'Go to' | 'Create' | 'Change' | 'Theme'
  icon: LucideIcon
  shortcut?: string
  run: () => void
}

interface CommandActions {
  go: (to: string) => void
  /** absent for people who only read */
  create: ((kind: FieldKind) => void) | undefined
  close: () => void
}

const THEME_ICONS: Readonly<Record<Theme, LucideIcon>> = { system: SunMoon, light: Sun, dark: Moon }

export function commandsOf({ go, create, close }: CommandActions): Command[] {
  const going = destinations.map(
    ({ to, label, icon, shortcut }): Command => ({
      ...{ id: `go ${to}`, label, group: 'Go to', icon, run: () => go(to) },
      ...(shortcut ? { shortcut } : {}),
    }),
  )
  const kinds = create ? (Object.keys(FIELDS) as FieldKind[]) : []
  const creating = kinds.map(
    (kind): Command => ({
      ...{ id: `create ${kind}`, label: `New ${kind}`, group: 'Create', icon: Plus },
      run: () => create?.(kind),
    }),
  )
  const themes = THEMES.filter(theme => theme !== currentTheme()).map(
    (theme): Command => ({
      ...{ id: `theme ${theme}`, label: `Use the ${theme} theme`, group: 'Theme', icon: THEME_ICONS[theme] },
      run: () => {
        chooseTheme(theme)
        close()
      },
    }),
  )
  const change = create && lastChange()
  const undoing: Command[] = change
    ? [
        {
          ...{
            id: 'undo',
            label: `Undo: ${change.message}`,
            group: 'Change',
            icon: Undo2,
            shortcut: 'mod+z',
          },
          run: () => {
            close()
            undoLast()
          },
        },
      ]
    : []
  return [...going, ...creating, ...undoing, ...themes]
}

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Every word of the text begins a word of the command: `n c` is New contact and New company. */
export function matchingCommands(commands: readonly Command[], text: string): Command[] {
  const typed = words(text)
  return commands.filter(({ label, group }) => {
    const parts = words(`${group} ${label}`)
    return typed.every(word => parts.some(part => part.startsWith(word)))
  })
}

/** A question rather than a name: the palette then offers to ask it first. */
export const isQuestion = (text: string): boolean =>
  /\?\s*$/.test(text) || (words(text).length > 2 && /^(how|which|what|who|when|where|why)\b/i.test(text))
