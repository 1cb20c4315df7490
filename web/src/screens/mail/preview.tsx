/** The mail as its reader gets it. */
import type { Schemas } from '@kith/client'
import { TriangleAlert } from 'lucide-react'
import { Skeleton } from '#components/skeleton.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { messageOf } from '#data/client.ts'
import { useRecord } from '#data/records.ts'
import { formatDateTime } from '#lib/format.ts'
import { type Draft, recipientsText } from './boxes.ts'
import { RichTextView } from './rich-text.tsx'
import { usePreview } from './use-preview.ts'
import { variableLabel } from './use-variables.ts'

interface PreviewProps {
  draft: Draft
  rendered: Schemas['RenderedTemplate'] | undefined
  error: unknown
}

export function Preview({ draft, rendered, error }: PreviewProps) {
  const { data: contact } = useRecord('contacts', draft.contact_id ?? undefined)
  return (
    <aside
      aria-label="Preview"
      className="w-[44%] max-w-160 shrink-0 border-l border-line bg-canvas p-4 max-[959px]:w-full max-[959px]:max-w-none max-[959px]:border-t max-[959px]:border-l-0"
    >
      <h2 className="mb-3 text-xs font-medium text-ink-3">
        {contact ? `As ${contact.full_name} reads it` : 'As it is read'}
      </h2>
      {error ? (
        <p className="text-bad">{messageOf(error)}</p>
      ) : rendered ? (
        <article className="rounded-lg border border-line bg-surface">
          <header className="border-b border-line px-4 py-3">
            <p className="text-base font-semibold">{rendered.subject || 'Without subject'}</p>
            <p className="truncate text-xs text-ink-3">To {recipientsText(draft) || 'nobody yet'}</p>
          </header>
          <div className="min-h-40 px-4 py-2">
            <RichTextView label="Text as it is read" html={rendered.body_html} />
          </div>
        </article>
      ) : (
        <Skeleton className="h-56 w-full rounded-lg" />
      )}
      {rendered && rendered.missing.length > 0 && (
        <p className="mt-3 flex gap-1.5 text-xs text-warn">
          <TriangleAlert size={13} className="mt-0.5 shrink-0" />
          {contact ? 'Without a value' : 'Choose a recipient to fill in'}:{' '}
          {rendered.missing.map(variableLabel).join(', ')}
        </p>
      )}
    </aside>
  )
}

/** A mail that waits to be sent, or was sent. */
export function StoredMail({ draft }: { draft: Draft }) {
  const { status, sent_at, scheduled_at } = draft
  // a mail that waits has its variables still
  const { data } = usePreview(draft, status === 'scheduled')
  const { subject, body_html } = (status === 'scheduled' && data) || draft
  return (
    <article className="mx-auto max-w-2xl px-4 py-6">
      <dl className="mb-4 grid grid-cols-[80px_minmax(0,1fr)] gap-y-1 border-b border-line pb-4">
        <dt className="text-ink-3">To</dt>
        <dd>{recipientsText(draft)}</dd>
        <dt className="text-ink-3">Subject</dt>
        <dd>{subject || 'Without subject'}</dd>
        {(status === 'sent' || status === 'scheduled') && (
          <>
            <dt className="text-ink-3">{status === 'sent' ? 'Sent' : 'Goes out'}</dt>
            <dd>
              {status === 'sent' && sent_at ? (
                <TimeAgo time={sent_at} />
              ) : scheduled_at ? (
                formatDateTime(scheduled_at)
              ) : (
                'now'
              )}
            </dd>
          </>
        )}
      </dl>
      <RichTextView label="Text of the mail" html={body_html} />
    </article>
  )
}
