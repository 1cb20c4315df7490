/** Keyboard shortcuts: `mod+k`, `shift+/`, `j`, and sequences such as `g c`. */
import { useEffect, useRef } from 'react'

export const isMac = /mac|iphone|ipad/i.test(navigator.platform)

const TYPING =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"], [role="textbox"]'
const SEQUENCE_MS = 900

/** Whether a key press belongs to a field that the person writes in. */
export const isTyping = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest(TYPING) !== null

/** Whether a dialog or menu is open, which handles all keys. Messages are dialogs, too, but cover nothing. */
const isCovered = (): boolean =>
  document.querySelector('[role="dialog"]:not([data-toast]), [role="menu"], [role="listbox"]') !== null

/** Shortcuts with `mod` that a field has itself: while a person types, they belong to the field. */
const OF_FIELDS = ['mod+z', 'mod+backspace']

/** The press as it is written in a table of shortcuts. */
export function pressOf(event: KeyboardEvent): string {
  const isModified = isMac ? event.metaKey : event.ctrlKey
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase()
  // the character already shows whether Shift was pressed, except for letters and named keys
  const isShifted = event.shiftKey && (key.length > 1 || /[a-z]/.test(key))
  return `${isModified ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${isShifted ? 'shift+' : ''}${key}`
}

export type Shortcuts = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

/**
 * Calls the function of the pressed shortcut while the component is mounted. Shortcuts without `mod`, and those of
 * fields, are ignored while the person types and under dialogs.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  current.current = shortcuts
  useEffect(() => {
    let first = ''
    let firstAt = 0
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const press = pressOf(event)
      const isAnywhere = press.startsWith('mod+') && !OF_FIELDS.includes(press)
      if (!isAnywhere && (isTyping(event) || isCovered())) return
      const sequence = event.timeStamp - firstAt < SEQUENCE_MS ? `${first} ${press}` : ''
      const action = current.current[sequence] ?? current.current[press]
      first = press
      firstAt = event.timeStamp
      if (!action) return
      first = ''
      event.preventDefault()
      action(event)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

const SYMBOLS: Readonly<Record<string, string>> = isMac
  ? { mod: '⌘', alt: '⌥', shift: '⇧', enter: '↵', escape: 'esc' }
  : { mod: 'Ctrl', alt: 'Alt', shift: 'Shift', enter: 'Enter', escape: 'Esc' }

/** The keys of a shortcut as they are labelled on the reader's keyboard. */
export const keysOf = (shortcut: string): string[] =>
  shortcut.split(/[ +]/).map(key => SYMBOLS[key] ?? (key.length === 1 ? key.toUpperCase() : key))
