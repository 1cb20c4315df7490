import { useSyncExternalStore } from 'react'

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const list = window.matchMedia(query)
  return useSyncExternalStore(
    changed => {
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => list.matches,
  )
}

/** Below this width the sidebar is a drawer and lists are cards. */
export const usePhone = (): boolean => useMedia('(max-width: 719px)')
