/** Earlier versions of a page: what each changed, and a way back. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useMembers } from '#data/people.tsx'
import { offerUndo } from '#data/undo.ts'
import { formatCount } from '#lib/format.ts'
import { diffLines } from './diff.ts'
import { DiffView } from './diff-view.tsx'
import type { Document } from './page.tsx'
import { lastOfSittings } from './sittings.ts'
import { refreshDocuments } from './tree.ts'

interface RevisionsProps {
  document: Document
  onClose: () => void
}

const useRevision = (document_id: string, revision_id: string | undefined) =>
  useQuery({
    queryKey: keys.other('documents', 'revision', { document_id, revision_id }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/kb/documents/{document_id}/revisions/{revision_id}', {
        path: { document_id, revision_id: revision_id ?? '' },
        signal,
      }),
    enabled: revision_id !== undefined,
    // a revision never changes
    staleTime: Number.POSITIVE_INFINITY,
  })

const restore = async (document_id: string, revision_id: string) => {
  await kith.request('POST', '/api/kb/documents/{document_id}/revisions/{revision_id}/restore', {
    path: { document_id, revision_id },
  })
  await refreshDocuments()
}

export default function Revisions({ document, onClose }: RevisionsProps) {
  const { byId } = useMembers()
  const { data } = useQuery({
    queryKey: keys.other('documents', 'revisions', { id: document.id }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/kb/documents/{document_id}/revisions', {
        path: { document_id: document.id },
        query: { page_size: 200 },
        signal,
      }),
  })
  const saves = data?.items ?? []
  const sittings = lastOfSittings(saves)
  const [isEverySave, setEverySave] = useState(false)
  const revisions = isEverySave ? saves : sittings
  const [chosen, setChosen] = useState<string>()
  const index = Math.max(
    0,
    revisions.findIndex(({ id }) => id === chosen),
  )
  const revision = revisions[index]
  const newest = revisions[0]
  const { data: shown } = useRevision(document.id, revision?.id)
  const { data: before } = useRevision(document.id, revisions[index + 1]?.id)
  const isFirst = index === revisions.length - 1
  const lines =
    shown && (before || isFirst)
      ? diffLines(before?.content_markdown ?? '', shown.content_markdown ?? '')
      : undefined
  const goBack = async () => {
    if (!revision || !newest) return
    await restore(document.id, revision.id)
    onClose()
    offerUndo('Restored the revision', () => restore(document.id, newest.id))
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={`Revisions of ${document.title}`}
      footer={
        <Button disabled={!revision || index === 0} onClick={() => void goBack().catch(showError)}>
          Restore this revision
        </Button>
      }
    >
      <div className="flex h-[60vh] gap-4 max-[719px]:flex-col">
        <ul
          aria-label="Revisions"
          className="w-56 shrink-0 overflow-y-auto scroll-thin max-[719px]:h-32 max-[719px]:w-full"
        >
          {revisions.map(({ id, user_id, created_at }) => (
            <li key={id}>
              <button
                type="button"
                aria-current={id === revision?.id}
                onClick={() => setChosen(id)}
                className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left -outline-offset-2 hover:bg-hover aria-[current=true]:bg-active"
              >
                <Avatar name={byId.get(user_id ?? '')?.name ?? 'Kith'} />
                <span className="min-w-0 flex-1 truncate">{byId.get(user_id ?? '')?.name ?? 'Kith'}</span>
                <TimeAgo time={created_at} className="shrink-0 text-xs text-ink-2" />
              </button>
            </li>
          ))}
          {saves.length > revisions.length && (
            <li>
              <Button variant="ghost" size="sm" className="mt-1" onClick={() => setEverySave(true)}>
                Show all {formatCount(saves.length, 'save')}
              </Button>
            </li>
          )}
        </ul>
        <DiffView
          label="Changes of this revision"
          lines={lines}
          whenSame={
            isFirst ? 'The page was created without a text.' : 'The text did not change, only the title.'
          }
        />
      </div>
    </Dialog>
  )
}
