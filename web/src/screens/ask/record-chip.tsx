/** Links from an answer to the records it speaks of. */
import { useNavigate } from '@tanstack/react-router'
import { kindIcon, kindLabel, recordPath } from '#app/found-kinds.ts'
import { showError } from '#components/toast.tsx'
import type { Citation, Related } from './answers.ts'

function useOpenRecord() {
  const navigate = useNavigate()
  return (kind: string, id: string) => recordPath(kind, id).then(href => navigate({ href }), showError)
}

interface RecordChipProps {
  kind: string
  id: string
  /** the name of the record */
  title: string
  index: number
}

/** The number of a citation within a sentence. */
export function RecordChip({ kind, id, title, index }: RecordChipProps) {
  const open = useOpenRecord()
  return (
    <button
      type="button"
      title={title}
      aria-label={`${index}: ${title}`}
      onClick={() => void open(kind, id)}
      className="mx-0.5 inline-flex h-4 min-w-4 items-center justify-center rounded-sm bg-accent-soft px-1 align-[1px] text-2xs font-medium text-accent-text tabular hover:underline"
    >
      {index}
    </button>
  )
}

/** A source below the answer, by name. */
export function SourceChip({ citation }: { citation: Citation }) {
  const open = useOpenRecord()
  const Icon = kindIcon(citation.entity_type)
  return (
    <button
      type="button"
      title={citation.snippet.replaceAll('**', '')}
      onClick={() => void open(citation.entity_type, citation.entity_id)}
      className="flex h-6 max-w-64 min-w-0 items-center gap-1.5 rounded-md border border-line bg-surface px-1.5 text-xs hover:border-line-strong hover:bg-hover"
    >
      <span className="text-2xs font-medium text-ink-3 tabular">{citation.index}</span>
      <Icon size={13} className="shrink-0 text-ink-3" />
      <span className="truncate">{citation.name || 'Untitled'}</span>
    </button>
  )
}

/** A passage that is close to a question which it does not answer. */
export function PassageRow({ passage }: { passage: Related }) {
  const open = useOpenRecord()
  const Icon = kindIcon(passage.entity_type)
  return (
    <button
      type="button"
      onClick={() => void open(passage.entity_type, passage.entity_id)}
      className="flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover"
    >
      <Icon size={14} className="mt-0.5 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="font-medium">{passage.name || kindLabel(passage.entity_type)}</span>
        <span className="line-clamp-2 text-xs text-ink-2">{passage.snippet.replaceAll('**', '')}</span>
      </span>
    </button>
  )
}
