/** The answer to a question that was asked in the palette; what it cites can be opened. */
import type { Schemas } from '@kith/client'
import { Sparkles } from 'lucide-react'
import { Skeleton } from '#components/skeleton.tsx'
import { messageOf } from '#data/client.ts'
import { localFigures } from '#lib/figures.ts'

interface AnswerProps {
  question: string
  answer: Schemas['Answer'] | undefined
  error: unknown
}

export function Answer({ question, answer, error }: AnswerProps) {
  return (
    <section
      aria-label="Answer"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer scrolls by keyboard
      tabIndex={0}
      className="max-h-[50%] shrink-0 overflow-y-auto border-b border-line px-4 py-3 scroll-thin"
    >
      <p className="flex items-center gap-1.5 text-xs text-ink-3">
        <Sparkles size={13} className="shrink-0" />
        <span className="truncate">{question}</span>
      </p>
      <div role="status" className="mt-1.5 whitespace-pre-line">
        {error ? (
          <span className="text-bad">{messageOf(error)}</span>
        ) : answer ? (
          localFigures(answer.answer)
        ) : (
          <span className="flex flex-col gap-2 py-1">
            <span className="sr-only">Looking it up</span>
            <Skeleton className="h-3 w-4/5" />
            <Skeleton className="h-3 w-3/5" />
          </span>
        )}
      </div>
    </section>
  )
}

/** The records to open: the sources of an answer or, after a refusal, the closest passages. */
export const sourcesOf = (answer: Schemas['Answer'] | undefined) =>
  answer ? [...answer.citations, ...answer.related] : []
