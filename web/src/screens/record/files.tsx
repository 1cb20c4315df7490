import { useMutation } from '@tanstack/react-query'
import { Download, File as FileIcon, Trash2, Upload } from 'lucide-react'
import { Button, IconButton } from '#components/button.tsx'
import { DropZone } from '#components/drop-zone.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { refreshLists, useDelete, useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { saveFile } from '#lib/download.ts'
import { formatCount, formatSize } from '#lib/format.ts'
import { Rows } from './rows.tsx'
import type { Subject } from './subject.ts'

async function download(file_id: string, name: string): Promise<void> {
  saveFile(await kith.request('GET', '/api/files/{file_id}/content', { path: { file_id } }), name)
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
  const isWriter = useIsWriter()
  const button = (choose: () => void) =>
    isWriter && (
      <Button size="sm" disabled={upload.isPending} onClick={choose}>
        <Upload size={14} />
        {upload.isPending ? 'Uploading…' : 'Upload files'}
      </Button>
    )
  return (
    <DropZone
      label="Files"
      isMultiple
      onFiles={files => isWriter && upload.mutate(files)}
      className="min-h-64 rounded-lg"
    >
      {choose =>
        isPending ? (
          <Rows />
        ) : items.length === 0 ? (
          <EmptyState icon={FileIcon} title="No files" action={button(choose)}>
            {isWriter && 'Drop offers, contracts or pictures here, or choose them.'}
          </EmptyState>
        ) : (
          <>
            <div className="mb-2 flex justify-end">{button(choose)}</div>
            {items.map(({ id: file, name, file_size, created_at }) => (
              <div key={file} className="flex min-h-10 items-center gap-3 border-b border-line">
                <FileIcon size={14} className="shrink-0 text-ink-3" />
                <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                <span className="w-20 text-right text-xs text-ink-3 tabular">{formatSize(file_size)}</span>
                <TimeAgo
                  time={created_at}
                  className="w-24 text-right text-xs text-ink-3 max-[719px]:hidden"
                />
                <IconButton label={`Download ${name}`} onClick={() => download(file, name).catch(showError)}>
                  <Download size={14} />
                </IconButton>
                {isWriter && (
                  <IconButton label={`Delete ${name}`} onClick={() => remove.mutate({ id: file, name })}>
                    <Trash2 size={14} />
                  </IconButton>
                )}
              </div>
            ))}
          </>
        )
      }
    </DropZone>
  )
}
