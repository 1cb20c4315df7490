/** A draft that is saved as it is written. A new mail becomes a draft with its first change. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { changeCached } from '#data/cache.ts'
import { kith, messageOf, queryClient } from '#data/client.ts'
import type { UpdateOf } from '#data/groups.ts'
import { keys } from '#data/keys.ts'
import { refreshLists } from '#data/records.ts'
import { isTemporary, whenBack } from '#data/when-back.ts'
import type { Draft } from './boxes.ts'

export type DraftChanges = UpdateOf<'emailDrafts'>

const PAUSE_MS = 500

const isEmpty = (changes: DraftChanges): boolean => Object.keys(changes).length === 0

async function create(changes: DraftChanges): Promise<Draft> {
  const draft = await kith.emailDrafts.create(changes)
  queryClient.setQueryData(keys.record('emailDrafts', draft.id), draft)
  void refreshLists('emailDrafts')
  return draft
}

async function update(id: string, changes: DraftChanges): Promise<Draft> {
  const draft = await kith.emailDrafts.patch(id, changes)
  changeCached(queryClient, 'emailDrafts', id, () => draft)
  return draft
}

/** `onCreated` is called when a new mail has become a draft, unless its page was left. */
export function useDraft(draft: Draft, onCreated: (id: string) => void) {
  const [changes, setChanges] = useState<DraftChanges>({})
  const [problem, setProblem] = useState('')
  /** shown until the address of the page has its id */
  const [begun, setBegun] = useState<Draft>()
  const unsaved = useRef(changes)
  unsaved.current = changes
  /** '' until the draft exists */
  const id = useRef(draft.id)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const stopWaiting = useRef(() => {})
  const created = useRef<(id: string) => void>(() => {})

  /** Returns the id of the draft, or '' when the service does not have the changes. */
  const saveOnce = useCallback(async (isNeeded: boolean): Promise<string> => {
    stopWaiting.current()
    const sent = unsaved.current
    if (isEmpty(sent) && (id.current || !isNeeded)) return id.current
    try {
      if (id.current) await update(id.current, sent)
      else {
        const stored = await create(sent)
        id.current = stored.id
        setBegun(stored)
        created.current(stored.id)
      }
      // what was typed meanwhile is still unsaved
      setChanges(current =>
        Object.fromEntries(
          Object.entries(current).filter(([key, value]) => value !== sent[key as keyof DraftChanges]),
        ),
      )
      setProblem('')
      return id.current
    } catch (error) {
      setProblem(messageOf(error))
      if (isTemporary(error)) stopWaiting.current = whenBack(() => void saveOnce(isNeeded))
      return ''
    }
  }, [])
  /** One save at a time: two of a new mail would create two drafts. `isNeeded` creates one without changes, too. */
  const save = useCallback(
    (isNeeded = false): Promise<string> => {
      const next = last.current.then(() => saveOnce(isNeeded))
      last.current = next
      return next
    },
    [saveOnce],
  )

  useEffect(() => {
    if (isEmpty(changes)) return
    const timer = setTimeout(() => void save(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [changes, save])
  useEffect(() => {
    created.current = onCreated
    return () => {
      created.current = () => {}
    }
  }, [onCreated])
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
  const stored = (!draft.id && begun) || draft
  const saved = stored.id ? 'Saved' : ''
  const state = isEmpty(changes) ? saved : problem ? `Not saved: ${problem}` : 'Saving…'
  return { current: { ...stored, ...changes } as Draft, change, save, state, hasProblem: problem !== '' }
}
