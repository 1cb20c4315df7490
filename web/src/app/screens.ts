/**
 * The screens by name. A screen is a folder `screens/<name>` whose `index.tsx` has the component as default export; it
 * is loaded when it is opened, and the navigation shows the screens that exist.
 */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import NotFound from './not-found.tsx'

type Module = { default: ComponentType }

const modules = import.meta.glob<Module>('../screens/*/index.tsx')

export type ScreenName =
  | 'lists'
  | 'record'
  | 'board'
  | 'today'
  | 'imports'
  | 'ask'
  | 'knowledge'
  | 'mail'
  | 'recordings'
  | 'dashboard'
  | 'duplicates'
  | 'trash'
  | 'settings'

const pathOf = (name: string): string => `../screens/${name}/index.tsx`

export const hasScreen = (name: ScreenName): boolean => pathOf(name) in modules

export const screen = (name: ScreenName) =>
  lazyRouteComponent<Module>(modules[pathOf(name)] ?? (async () => ({ default: NotFound })))

/** The command palette is not a route: the shell opens it over the screen. */
export interface PaletteProps {
  isOpen: boolean
  onClose: () => void
}

const palettes = import.meta.glob<{ default: ComponentType<PaletteProps> }>('../screens/palette/index.tsx')

export const loadPalette = palettes[pathOf('palette')]
