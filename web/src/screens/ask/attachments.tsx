/** Files of a question: uploaded at once, read in the background. */
import type { Schemas } from '@kith/client'
import { useQuery } from '@tanstack/react-query'
import { FileText, Loader, X } from 'lucide-react'
import { kith, queryClient } from '#data/client.ts'
import { useJob } from '#data/jobs.ts'
import { keys } from '#data/keys.ts'
import { formatSize } from '#lib/format.ts'

export type Attachment = Schemas['ChatAttachment']

const keyOf = (chat_id: string) => keys.other('chatAttachments', 'chat', { chat_id })

export async function attach(chat_id: string, file: File): Promise<Attachment> {
  const path = { chat_id }
  const added = await kith.request('POST', '/api/chats/{chat_id}/attachments', { path, body: { file } })
  void queryClient.invalidateQueries({ queryKey: keyOf(chat_id) })
  return added
}

/** All files of a chat by id. */
export function useAttachments(chat_id: string, enabled = true): ReadonlyMap<string, Attachment> {
  const { data } = useQuery({
    queryKey: keyOf(chat_id),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/chats/{chat_id}/attachments', { path: { chat_id }, signal }),
    enabled,
  })
  return new Map(data?.items.map(item => [item.id, item]))
}

interface AttachmentChipProps {
  attachment: Attachment
  onRemove?: () => void
}

export function AttachmentChip({ attachment, onRemove }: AttachmentChipProps) {
  const { file_name, file_size, status, job_id, error, chat_id } = attachment
  const isReading = status === 'queued' || status === 'processing'
  useJob(isReading ? job_id : undefined, () => {
    void queryClient.invalidateQueries({ queryKey: keyOf(chat_id) })
  })
  const Icon = isReading ? Loader : FileText
  return (
    <span
      title={error ?? undefined}
      className="flex h-7 max-w-64 items-center gap-1.5 rounded-md border border-line bg-surface px-2 text-xs"
    >
      <Icon size={13} className="shrink-0 text-ink-3" />
      <span className={status === 'failed' ? 'truncate text-bad' : 'truncate'}>{file_name}</span>
      <span className="shrink-0 text-ink-3">
        {status === 'failed' ? 'not readable' : isReading ? 'reading…' : formatSize(file_size)}
      </span>
      {onRemove && (
        <button
          type="button"
          aria-label={`Remove ${file_name}`}
          onClick={onRemove}
          className="rounded-sm p-0.5 text-ink-3 hover:bg-hover hover:text-ink"
        >
          <X size={12} />
        </button>
      )}
    </span>
  )
}
