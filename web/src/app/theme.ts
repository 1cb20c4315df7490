/** The theme: that of the system, or the one that the person chose in this browser. */
import { readStored, writeStored } from '#lib/use-stored.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const currentTheme = (): Theme => THEMES.find(theme => theme === readStored('theme')) ?? 'system'

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  writeStored('theme', theme)
  applyTheme(theme)
}
