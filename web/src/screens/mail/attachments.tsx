/** The files of a draft. */
import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#components/button.tsx'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { formatSize } from '#lib/format.ts'
import type { Draft } from './boxes.ts'

interface StoredFile {
  id: string
  file_name: string
  file_size: number
}

const filesOf = ({ attachments }: Draft): StoredFile[] =>
  Array.isArray(attachments) ? (attachments as unknown as StoredFile[]) : []

const store = (draft: Draft) => queryClient.setQueryData(keys.record('emailDrafts', draft.id), draft)

async function add(draft_id: string, files: File[]): Promise<void> {
  if (!draft_id) throw new Error('The mail could not be saved, so nothing was attached.')
  for (const file of files) {
    const path = { draft_id }
    store(await kith.request('POST', '/api/email-drafts/{draft_id}/attachments', { path, body: { file } }))
  }
}

async function remove(draft_id: string, attachment_id: string): Promise<void> {
  const path = { draft_id, attachment_id }
  store(await kith.request('DELETE', '/api/email-drafts/{draft_id}/attachments/{attachment_id}', { path }))
}

interface AttachmentsProps {
  draft: Draft
  onBegin: () => Promise<string>
}

export function Attachments({ draft, onBegin }: AttachmentsProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files to attach"
        onChange={event => {
          const files = [...(event.target.files ?? [])]
          void onBegin()
            .then(id => add(id, files))
            .catch(showError)
          event.target.value = ''
        }}
      />
      <Button variant="ghost" size="sm" onClick={() => input.current?.click()}>
        <Paperclip size={14} /> Attach
      </Button>
      {filesOf(draft).map(({ id, file_name, file_size }) => (
        <span
          key={id}
          className="flex h-6 max-w-64 items-center gap-1.5 rounded-md border border-line px-1.5 text-xs"
        >
          <span className="truncate">{file_name}</span>
          <span className="shrink-0 text-ink-3">{formatSize(file_size)}</span>
          <button
            type="button"
            aria-label={`Remove ${file_name}`}
            onClick={() => void remove(draft.id, id).catch(showError)}
            className="rounded-sm p-0.5 text-ink-3 hover:bg-hover hover:text-ink"
          >
            <X size={12} />
          </button>
        </span>
      ))}
    </>
  )
}
