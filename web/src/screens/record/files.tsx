import { useMutation } from '@tanstack/react-query'
import { Download, File as FileIcon, Trash2, Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { refreshLists, useDelete, useList } from '#data/records.ts'
import { classes } from '#lib/classes.ts'
import { formatCount } from '#lib/format.ts'
import { Rows } from './rows.tsx'
import type { Subject } from './subject.ts'

const sizes = new Intl.NumberFormat(navigator.language, { maximumFractionDigits: 1 })

const formatSize = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${sizes.format(bytes / 1e3)} kB` : `${sizes.format(bytes / 1e6)} MB`
}

/** Through a blob, because a plain link would be sent without the session's token. */
async function download(file_id: string, name: string): Promise<void> {
  const response = await kith.response('GET', '/api/files/{file_id}/content', { path: { file_id } })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

function useUpload({ kind, id }: Subject) {
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files)
        await kith.request('POST', '/api/files', { body: { file, entity_type: kind, entity_id: id } })
    },
    onSuccess: (_nothing, files) => toast(`Added ${formatCount(files.length, 'file')}`),
    onError: showError,
    onSettled: () => refreshLists('files'),
  })
}

export function Files({ subject }: { subject: Subject }) {
  const { kind, id } = subject
  const { items, isPending } = useList('files', { entity_type: kind, entity_id: id, page_size: 100 })
  const upload = useUpload(subject)
  const remove = useDelete('files')
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer.files.length > 0) upload.mutate([...event.dataTransfer.files])
  }
  const choose = (
    <Button size="sm" disabled={upload.isPending} onClick={() => input.current?.click()}>
      <Upload size={14} />
      {upload.isPending ? 'Uploading…' : 'Upload files'}
    </Button>
  )
  return (
    <section
      aria-label="Files"
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'min-h-64 rounded-lg',
        isOver && 'bg-accent-soft outline-2 outline-accent outline-dashed',
      )}
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={event => {
          upload.mutate([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {isPending ? (
        <Rows />
      ) : items.length === 0 ? (
        <EmptyState icon={FileIcon} title="No files" action={choose}>
          Drop offers, contracts or pictures here, or choose them.
        </EmptyState>
      ) : (
        <>
          <div className="mb-2 flex justify-end">{choose}</div>
          {items.map(({ id: file, name, file_size, created_at }) => (
            <div key={file} className="flex min-h-10 items-center gap-3 border-b border-line">
              <FileIcon size={14} className="shrink-0 text-ink-3" />
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <span className="w-20 text-right text-xs text-ink-3 tabular">{formatSize(file_size)}</span>
              <TimeAgo time={created_at} className="w-24 text-right text-xs text-ink-3 max-[719px]:hidden" />
              <IconButton label={`Download ${name}`} onClick={() => download(file, name).catch(showError)}>
                <Download size={14} />
              </IconButton>
              <IconButton label={`Delete ${name}`} onClick={() => remove.mutate({ id: file, name })}>
                <Trash2 size={14} />
              </IconButton>
            </div>
          ))}
        </>
      )}
    </section>
  )
}
