import { useState } from 'react'
import { formatNumber } from '#lib/format.ts'
import type { Citation } from './answers.ts'
import { SourceChip } from './record-chip.tsx'

const FEW = 8

/** The records that an answer is from; of many, the first ones. */
export function Sources({ citations }: { citations: readonly Citation[] }) {
  const [isOpen, setOpen] = useState(false)
  if (citations.length === 0) return null
  const shown = isOpen ? citations : citations.slice(0, FEW)
  return (
    <ul aria-label="Sources" className="flex flex-wrap gap-1.5">
      {shown.map(citation => (
        <li key={citation.index} className="min-w-0">
          <SourceChip citation={citation} />
        </li>
      ))}
      {shown.length < citations.length && (
        <li>
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="h-6 rounded-md px-1.5 text-xs text-ink-2 tabular hover:bg-hover hover:text-ink"
          >
            {formatNumber(citations.length - shown.length)} more
          </button>
        </li>
      )}
    </ul>
  )
}
