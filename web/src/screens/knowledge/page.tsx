/** A page: title, who can read it, its revisions, and the text in the editor. */
import type { Schemas } from '@kith/client'
import { History, SearchX } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { InlineText } from '#components/inline-text.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError } from '#components/toast.tsx'
import { messageOf } from '#data/client.ts'
import { useRecord, useUpdate } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { renamed } from './address.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { PublicSwitch } from './public-switch.tsx'
import { forgetNew, refreshDocuments, useIsNew } from './tree.ts'
import { useSaving } from './use-saving.ts'

export type Document = Schemas['KnowledgeBaseDocumentWithCount']

const Editor = lazy(() => import('./editor.tsx'))
const Revisions = lazy(() => import('./revisions.tsx'))

export function Page({ id }: { id: string }) {
  const { data, error } = useRecord('documents', id)
  if (error && !data) {
    return (
      <EmptyState icon={SearchX} title="The page could not be read">
        {messageOf(error)}
      </EmptyState>
    )
  }
  return (
    <div className="mx-auto max-w-180 px-8 py-6 max-[719px]:px-4 max-[719px]:py-4">
      {data ? <Opened document={data} /> : <PageSkeleton />}
    </div>
  )
}

function Opened({ document }: { document: Document }) {
  const { id, title, updated_at } = document
  const isWriter = useIsWriter()
  const update = useUpdate('documents', { isForm: true })
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const saving = useSaving(document)
  const isNew = useIsNew(id)
  useEffect(() => forgetNew(id), [id])
  const rename = (text: string) =>
    update
      .mutateAsync({ id, changes: renamed(document, text), message: `Renamed to ${text}` })
      .then(refreshDocuments)
  return (
    <article aria-label={title}>
      <div className="mb-1 flex flex-wrap items-center gap-2 text-xs text-ink-3">
        <PublicSwitch document={document} />
        <Button size="sm" variant="ghost" onClick={() => setHistoryOpen(true)}>
          <History size={13} /> Revisions
        </Button>
        <span role="status" className="ml-auto">
          {saving.state === 'saved' ? (
            <>
              Changed <TimeAgo time={updated_at} />
            </>
          ) : saving.state === 'saving' ? (
            'Saving…'
          ) : (
            'Not saved yet'
          )}
        </span>
      </div>
      <InlineText
        label="Title"
        value={title}
        maxLength={255}
        isDisabled={!isWriter}
        onCommit={rename}
        autoFocus={isNew}
        className="-mx-1.5 mb-2 h-10 w-[calc(100%+12px)] text-2xl font-semibold"
      />
      {saving.conflict && (
        <ConflictNotice
          conflict={saving.conflict}
          onDecide={choice => void saving.decide(choice).catch(showError)}
        />
      )}
      <Suspense fallback={<TextSkeleton />}>
        <Editor
          content={saving.shown.content}
          markdown={saving.shown.content_markdown ?? ''}
          isEditable={isWriter}
          onChange={saving.change}
          onLeave={saving.save}
        />
      </Suspense>
      {isHistoryOpen && (
        <Suspense>
          <Revisions document={document} onClose={() => setHistoryOpen(false)} />
        </Suspense>
      )}
    </article>
  )
}

const TextSkeleton = () => (
  <div className="flex flex-col gap-3 pt-12" role="status" aria-label="Loading">
    {[90, 96, 82, 60].map(width => (
      <span key={width} style={{ width: `${width}%` }}>
        <Skeleton className="h-3 w-full" />
      </span>
    ))}
  </div>
)

const PageSkeleton = () => (
  <>
    <Skeleton className="mb-3 h-7 w-40" />
    <Skeleton className="mb-2 h-8 w-72" />
    <TextSkeleton />
  </>
)
