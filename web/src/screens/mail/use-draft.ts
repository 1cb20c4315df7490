/** A draft that is saved as it is written. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { UpdateOf } from '#data/groups.ts'
import { useUpdate } from '#data/records.ts'
import type { Draft } from './boxes.ts'

export type DraftChanges = UpdateOf<'emailDrafts'>

const PAUSE_MS = 500

export function useDraft(draft: Draft) {
  const { mutateAsync } = useUpdate('emailDrafts')
  const [changes, setChanges] = useState<DraftChanges>({})
  const unsaved = useRef(changes)
  unsaved.current = changes
  const isChanged = Object.keys(changes).length > 0

  /** False when the service refused them. */
  const save = useCallback(async (): Promise<boolean> => {
    const sent = unsaved.current
    if (Object.keys(sent).length === 0) return true
    const stored = await mutateAsync({ id: draft.id, changes: sent }).catch(() => undefined)
    if (!stored) return false
    // what was typed meanwhile is still unsaved
    setChanges(current =>
      Object.fromEntries(
        Object.entries(current).filter(([key, value]) => value !== sent[key as keyof DraftChanges]),
      ),
    )
    return true
  }, [draft.id, mutateAsync])

  useEffect(() => {
    if (Object.keys(changes).length === 0) return
    const timer = setTimeout(() => void save(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [changes, save])
  // leaving the page saves the rest
  useEffect(() => () => void save(), [save])

  const change = useCallback((next: DraftChanges) => setChanges(current => ({ ...current, ...next })), [])
  return { current: { ...draft, ...changes } as Draft, change, save, isChanged }
}
