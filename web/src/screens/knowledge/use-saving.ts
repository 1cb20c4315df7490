/** Saves what the editor has: a moment after the last key, when the person leaves the text, and with the page. */
import { KithError } from '@kith/client'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { storeDraft, storedDraft } from '#data/drafts.ts'
import { keys } from '#data/keys.ts'
import { isTemporary, whenBack } from '#data/when-back.ts'
import type { Document } from './page.tsx'
import { type Content, type Draft, PageSaver, type PageStore } from './page-saver.ts'

const PAUSE_MS = 1000

const subjectOf = (id: string) => `page.${id}`

function draftOf(id: string): Draft | undefined {
  const text = storedDraft(subjectOf(id))
  return text === undefined ? undefined : (JSON.parse(text) as Draft)
}

const storeOf = (id: string, onError: (error: unknown) => void): PageStore => ({
  read: () => kith.documents.get(id),
  write: (content, version) =>
    kith.documents.update(id, { content }, { ifMatch: version }).catch(error => {
      if (error instanceof KithError && error.status === 412) return undefined
      throw error
    }),
  keep: draft => storeDraft(subjectOf(id), draft ? JSON.stringify(draft) : ''),
  onSaved: async saved => {
    const queryKey = keys.record('documents', id)
    // a read that began before the save would show the old text
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, old => ({ ...(old as object | undefined), ...saved }))
  },
  onError,
})

export function useSaving(document: Document) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stopWaiting = useRef(() => {})
  const [saver] = useState(() => {
    const onError = (error: unknown) => {
      if (isTemporary(error)) stopWaiting.current = whenBack(() => void created.save())
      else showError(error)
    }
    const { id } = document
    const created = new PageSaver(document, storeOf(id, onError), draftOf(id))
    return created
  })
  const saving = useSyncExternalStore(saver.subscribe, saver.snapshot)

  const save = useCallback(() => {
    clearTimeout(timer.current)
    stopWaiting.current()
    return saver.save()
  }, [saver])
  const change = useCallback(
    (content: Content) => {
      saver.change(content)
      clearTimeout(timer.current)
      timer.current = setTimeout(save, PAUSE_MS)
    },
    [saver, save],
  )

  useEffect(() => saver.adopt(document), [saver, document])
  useEffect(() => {
    if (saver.hasUnsaved) void save()
  }, [saver, save])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      // the browser does not store anything
      if (saver.hasUnsaved && !draftOf(document.id)) event.preventDefault()
    }
    const saveHidden = () => {
      if (window.document.hidden) void save()
    }
    window.addEventListener('beforeunload', ask)
    window.document.addEventListener('visibilitychange', saveHidden)
    return () => {
      window.removeEventListener('beforeunload', ask)
      window.document.removeEventListener('visibilitychange', saveHidden)
      clearTimeout(timer.current)
      void saver.leave().then(isAmongRevisions => {
        if (isAmongRevisions) toast('The page was changed elsewhere. Your text is among its revisions.')
      })
    }
  }, [saver, save, document.id])
  return { ...saving, change, save, decide: saver.decide.bind(saver) }
}
