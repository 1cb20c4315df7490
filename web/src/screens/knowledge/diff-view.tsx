import { classes } from '#lib/classes.ts'
import { type DiffLine, excerpt } from './diff.ts'

const STYLES = {
  same: 'text-ink-2',
  added: 'bg-good-soft text-ink',
  removed: 'bg-bad-soft text-ink line-through',
}
const SIGNS = { same: ' ', added: '+', removed: '−' }

interface DiffViewProps {
  label: string
  lines: DiffLine[] | undefined
  /** shown where no line differs */
  whenSame: string
}

export function DiffView({ label, lines, whenSame }: DiffViewProps) {
  const shown = lines && excerpt(lines)
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long comparison is scrolled by keyboard
      tabIndex={0}
      className="min-w-0 flex-1 overflow-auto rounded-md border border-line py-2 font-mono text-xs leading-5 scroll-thin"
    >
      {shown?.every(line => line === undefined || line.kind === 'same') && (
        <p className="px-3 font-sans text-ink-2">{whenSame}</p>
      )}
      {shown?.map((line, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text
          key={index}
          className={classes('px-3 break-words whitespace-pre-wrap', line ? STYLES[line.kind] : 'text-ink-3')}
        >
          {line ? `${SIGNS[line.kind]} ${line.text}` : '⋯'}
        </div>
      ))}
    </section>
  )
}
