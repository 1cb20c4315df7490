import { NotebookPen } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { useRecordSearch } from '#components/fields/reference-editor.tsx'
import { Picker } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { RecordAnchor } from '#components/record-link.tsx'
import { Segments } from '#components/segments.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { GROUP_OF_KIND } from '#data/groups.ts'
import { nameOf } from '#data/names.ts'
import { refreshLists, useRecord, useUpdate } from '#data/records.ts'
import { offerUndo } from '#data/undo.ts'
import { humanize } from '#lib/format.ts'
import type { Recording } from './recordings.ts'

/** The first of these that is linked is what the note is on. */
const LINKS = ['activity', 'contact', 'deal', 'company'] as const
const CHOICES = [
  { value: 'contact', label: 'Contact' },
  { value: 'company', label: 'Company' },
  { value: 'deal', label: 'Deal' },
] as const

export function KeepAsNote({ recording }: { recording: Recording }) {
  const kind = LINKS.find(one => recording[`${one}_id`])
  const id = kind && (recording[`${kind}_id`] ?? undefined)
  const { data: record } = useRecord(GROUP_OF_KIND[kind ?? 'contact'], id)
  const keep = async () => {
    const path = { transcription_id: recording.id }
    const note = await kith.request('POST', '/api/transcriptions/{transcription_id}/to-note', {
      path,
      body: {},
    })
    await refreshLists('notes')
    offerUndo('Kept as a note', async () => {
      await kith.notes.delete(note.id)
      await refreshLists('notes')
    })
  }
  return (
    <div className="mb-5 flex min-h-11 flex-wrap items-center gap-2 rounded-lg border border-line px-3 py-2">
      <span className="min-w-0 flex-1 truncate text-ink-2">
        {kind && id ? (
          <>
            {humanize(kind)}:{' '}
            <RecordAnchor
              group={GROUP_OF_KIND[kind]}
              id={id}
              className="font-medium text-ink hover:underline"
            >
              {record ? nameOf(record) : '…'}
            </RecordAnchor>
          </>
        ) : (
          'Link it to a record to keep the text as a note there.'
        )}
      </span>
      <LinkPicker recording={recording} isLinked={id !== undefined} />
      <Button
        size="sm"
        variant="primary"
        disabled={!id || recording.status !== 'completed'}
        onClick={() => void keep().catch(showError)}
      >
        <NotebookPen size={13} /> Keep as note
      </Button>
    </div>
  )
}

function LinkPicker({ recording, isLinked }: { recording: Recording; isLinked: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [kind, setKind] = useState<(typeof CHOICES)[number]['value']>('contact')
  const search = useRecordSearch(kind)
  const update = useUpdate('transcriptions')
  const link = (id: string) => {
    setOpen(false)
    const none = { activity_id: null, contact_id: null, company_id: null, deal_id: null }
    update.mutate({
      id: recording.id,
      changes: { ...none, [`${kind}_id`]: id },
      message: 'Linked the recording',
    })
  }
  return (
    <Popover
      trigger={<Button size="sm">{isLinked ? 'Change' : 'Link'}</Button>}
      label="Link to a record"
      isOpen={isOpen}
      onOpenChange={setOpen}
      align="end"
      className=""
    >
      <div className="border-b border-line p-2">
        <Segments label="Kind of record" value={kind} options={CHOICES} onChange={setKind} />
      </div>
      <Picker
        key={kind}
        label={`Find a ${kind}`}
        {...search}
        value={null}
        onChange={item => item && link(item.value)}
      />
    </Popover>
  )
}
