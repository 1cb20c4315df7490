/** A mail: written at the left, as its reader gets it at the right. */
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, SearchX } from 'lucide-react'
import { useCallback } from 'react'
import { Badge } from '#components/badge.tsx'
import { buttonClass } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { ScreenSkeleton } from '#components/skeleton.tsx'
import { messageOf } from '#data/client.ts'
import { useRecord } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { type Draft, NEW, NEW_DRAFT } from './boxes.ts'
import { DraftActions, ScheduledActions } from './draft-actions.tsx'
import { DraftForm } from './draft-form.tsx'
import { Preview, StoredMail } from './preview.tsx'
import { useDraft } from './use-draft.ts'
import { usePreview } from './use-preview.ts'
import { useSendAdvice } from './use-send-advice.ts'

const back = (
  <Link
    to="/mail"
    aria-label="All mails"
    title="All mails"
    className={buttonClass('ghost', 'icon', '-ml-1.5')}
  >
    <ArrowLeft size={16} />
  </Link>
)

interface ComposeProps {
  id: string
  /** a new mail is becoming the draft with this id */
  onBegin: (id: string) => void
}

export function Compose({ id, onBegin }: ComposeProps) {
  const { data = id === NEW ? NEW_DRAFT : undefined, error } = useRecord(
    'emailDrafts',
    id === NEW ? undefined : id,
  )
  const navigate = useNavigate()
  const isWriter = useIsWriter()
  useShortcuts({ escape: () => void navigate({ to: '/mail' }) })
  if (!isWriter && id === NEW) {
    return (
      <Screen title="Mail" before={back}>
        <EmptyState icon={SearchX} title="Members write mails">
          You can read everything here. An owner or admin can change your role.
        </EmptyState>
      </Screen>
    )
  }
  if (!data) {
    return (
      <Screen title="Mail" before={back}>
        {error ? (
          <EmptyState icon={SearchX} title="The mail could not be read">
            {messageOf(error)}
          </EmptyState>
        ) : (
          <ScreenSkeleton />
        )}
      </Screen>
    )
  }
  const isDraft = data.status === 'draft' || data.status === 'failed'
  if (isDraft && isWriter) return <DraftPage draft={data} onBegin={onBegin} />
  return (
    <Screen
      title={data.subject || 'Without subject'}
      before={back}
      aside={
        <Badge tone={data.status === 'sent' ? 'good' : 'accent'}>
          {data.status === 'sent' ? 'Sent' : isDraft ? 'Draft' : 'Scheduled'}
        </Badge>
      }
      actions={isWriter && data.status === 'scheduled' && <ScheduledActions draft={data} />}
    >
      <StoredMail draft={data} />
    </Screen>
  )
}

function DraftPage({ draft, onBegin }: { draft: Draft; onBegin: (id: string) => void }) {
  const navigate = useNavigate()
  const begin = useCallback(
    (id: string) => {
      onBegin(id)
      void navigate({ to: '/mail/$id', params: { id }, replace: true })
    },
    [navigate, onBegin],
  )
  const { current, change, save, state, hasProblem } = useDraft(draft, begin)
  const advise = useSendAdvice()
  const preview = usePreview(current)
  return (
    <Screen
      title={current.subject || 'New mail'}
      before={back}
      aside={
        <span
          role="status"
          title={state}
          className={classes(
            'min-w-0 truncate text-xs',
            hasProblem ? 'text-bad' : 'text-ink-3 max-[719px]:hidden',
          )}
        >
          {state}
        </span>
      }
      actions={<DraftActions draft={current} onSave={save} />}
    >
      <div className="flex min-h-full max-[959px]:flex-col">
        <div className="min-w-0 flex-1 px-4 py-2">
          {draft.error && (
            <p role="alert" className="my-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
              {advise(draft.error)}
            </p>
          )}
          <DraftForm draft={current} onChange={change} onBegin={() => save(true)} />
        </div>
        <Preview draft={current} rendered={preview.data} error={preview.error} />
      </div>
    </Screen>
  )
}
