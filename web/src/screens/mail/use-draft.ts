/** A draft that is saved as it is written. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { changeCached } from '#data/cache.ts'
import { kith, messageOf, queryClient } from '#data/client.ts'
import type { UpdateOf } from '#data/groups.ts'
import { isTemporary, whenBack } from '#data/when-back.ts'
import type { Draft } from './boxes.ts'

export type DraftChanges = UpdateOf<'emailDrafts'>

const PAUSE_MS = 500

const isEmpty = (changes: DraftChanges): boolean => Object.keys(changes).length === 0

export function useDraft(draft: Draft) {
  const { id } = draft
  const [changes, setChanges] = useState<DraftChanges>({})
  const [problem, setProblem] = useState('')
  const unsaved = useRef(changes)
  unsaved.current = changes
  const isChanged = !isEmpty(changes)
  const stopWaiting = useRef(() => {})

  /** False when the service does not have them. */
  const save = useCallback(async (): Promise<boolean> => {
    stopWaiting.current()
    const sent = unsaved.current
    if (isEmpty(sent)) return true
    try {
      const stored = await kith.emailDrafts.patch(id, sent)
      changeCached(queryClient, 'emailDrafts', id, () => stored)
      // what was typed meanwhile is still unsaved
      setChanges(current =>
        Object.fromEntries(
          Object.entries(current).filter(([key, value]) => value !== sent[key as keyof DraftChanges]),
        ),
      )
      setProblem('')
      return true
    } catch (error) {
      setProblem(messageOf(error))
      if (isTemporary(error)) stopWaiting.current = whenBack(() => void save())
      return false
    }
  }, [id])

  useEffect(() => {
    if (isEmpty(changes)) return
    const timer = setTimeout(() => void save(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [changes, save])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!isEmpty(unsaved.current)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => {
      window.removeEventListener('beforeunload', ask)
      // leaving the page saves the rest
      void save()
    }
  }, [save])

  const change = useCallback((next: DraftChanges) => setChanges(current => ({ ...current, ...next })), [])
  const state = !isChanged ? 'Saved' : problem ? `Not saved: ${problem}` : 'Saving…'
  return { current: { ...draft, ...changes } as Draft, change, save, state, hasProblem: problem !== '' }
}
