/** An answer. How sure it is can be seen before it is read: sure, possibly, or not in the records. */
import { CircleSlash, HelpCircle, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Skeleton } from '#components/skeleton.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { AnswerText } from './answer-text.tsx'
import { type AnswerFacts, factsOf, type Message } from './answers.ts'
import { QueryCard } from './query-card.tsx'
import { PassageRow } from './record-chip.tsx'
import { Sources } from './sources.tsx'
import type { Streaming } from './stream.ts'

interface AnswerProps {
  message: Message
  onRegenerate: () => void
}

export function Answer({ message, onRegenerate }: AnswerProps) {
  const facts = factsOf(message)
  const { citations, conflicts, error, isCutShort, query } = facts
  return (
    <article aria-label="Answer" className="group flex flex-col gap-2.5 text-base leading-[22px]">
      <Certainty facts={facts}>
        {conflicts.length > 0 && (
          <p className="flex items-center gap-1.5 text-xs font-medium text-warn">
            <TriangleAlert size={13} /> The records disagree
          </p>
        )}
        <AnswerText text={withoutPrefix(message.content)} citations={citations} />
        {(error || isCutShort) && (
          <p className="text-sm text-warn">{error ?? 'This answer was stopped before its end.'}</p>
        )}
      </Certainty>
      <Sources citations={citations} />
      {query && <QueryCard query={query} />}
      <AnswerActions message={message} facts={facts} onRegenerate={onRegenerate} />
    </article>
  )
}

/** The frame says these, so the text need not. */
const withoutPrefix = (text: string): string => text.replace(/^(Possibly:|The records disagree\.)\s*/, '')

function Certainty({ facts, children }: { facts: AnswerFacts; children: ReactNode }) {
  const body = <div className="flex flex-col gap-2">{children}</div>
  if (facts.confidence === 'low') {
    return (
      <div className="border-l-2 border-warn pl-3">
        <p className="mb-1 flex items-center gap-1.5 text-xs font-medium text-warn">
          <HelpCircle size={13} /> Possibly: read the source before you rely on it
        </p>
        {body}
      </div>
    )
  }
  if (facts.confidence !== 'none') return body
  return (
    <div className="rounded-lg border border-dashed border-line-strong p-3 text-ink-2">
      <p className="mb-1 flex items-center gap-1.5 text-xs font-medium text-ink-2">
        <CircleSlash size={13} /> Not in the records
      </p>
      {body}
      {facts.related.length > 0 && (
        <div className="mt-3 text-sm">
          <p className="px-2 text-2xs font-medium text-ink-3">Closest passages</p>
          {facts.related.map(passage => (
            <PassageRow key={`${passage.entity_id} ${passage.snippet}`} passage={passage} />
          ))}
        </div>
      )}
    </div>
  )
}

/** While it is written. */
export const GrowingAnswer = ({ streaming }: { streaming: Streaming | undefined }) => (
  <article aria-label="Answer" aria-busy="true" className="flex flex-col gap-2 text-base leading-[22px]">
    {streaming?.text ? (
      <AnswerText text={streaming.text} citations={streaming.citations} />
    ) : (
      <>
        <span role="status" className="text-xs text-ink-3">
          {streaming?.tool ? `Looking up: ${streaming.tool.replaceAll('_', ' ')}` : 'Looking it up'}
        </span>
        <Skeleton className="h-3.5 w-4/5" />
        <Skeleton className="h-3.5 w-3/5" />
      </>
    )}
  </article>
)
