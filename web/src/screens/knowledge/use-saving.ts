/**
 * Saves what the editor has: after a pause, when the person leaves the text, and with the page. What two people write
 * at once is not joined: the later save is shown, the earlier one is among the revisions.
 */
import { KithConnectionError } from '@kith/client'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'

/** Every save is a revision, and 200 are stored: a save for each short pause would soon push out the older ones. */
const PAUSE_MS = 10_000

export type Content = Record<string, unknown>
type SaveState = 'saved' | 'changed' | 'saving'

export function useSaving(id: string) {
  const cache = useQueryClient()
  const [state, setState] = useState<SaveState>('saved')
  const unsaved = useRef<Content>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const save = useCallback(async () => {
    clearTimeout(timer.current)
    const content = unsaved.current
    if (!content) return
    unsaved.current = undefined
    setState('saving')
    try {
      const saved = await kith.documents.update(id, { content })
      cache.setQueryData(keys.record('documents', id), old => ({ ...(old as object | undefined), ...saved }))
      setState(unsaved.current ? 'changed' : 'saved')
    } catch (error) {
      unsaved.current ??= content
      setState('changed')
      showError(error)
      if (error instanceof KithConnectionError) timer.current = setTimeout(save, PAUSE_MS)
    }
  }, [id, cache])

  const change = useCallback(
    (content: Content) => {
      unsaved.current = content
      setState('changed')
      clearTimeout(timer.current)
      timer.current = setTimeout(save, PAUSE_MS)
    },
    [save],
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => {
      window.removeEventListener('beforeunload', ask)
      void save()
    }
  }, [save])
  return { state, change, save }
}
