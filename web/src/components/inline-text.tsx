import { useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '#data/client.ts'
import { classes } from '#lib/classes.ts'

interface InlineTextProps {
  value: string
  label: string
  /**
   * Called with the trimmed text, if it has changed and nothing is wrong with it. Where it rejects, the service has
   * refused the text: the reason is shown below it, and the text stays.
   */
  onCommit: (text: string) => unknown
  /** what is wrong with the text: it is shown below it, and the text stays */
  problemOf?: (text: string) => string | undefined
  /** an empty text is a change, too */
  canBeEmpty?: boolean
  placeholder?: string
  maxLength?: number
  className?: string
  inputMode?: 'text' | 'numeric'
  isDisabled?: boolean
  /** with its text selected: the first key replaces it */
  autoFocus?: boolean
}

/** A text that is edited where it is shown: Enter or leaving it saves, Escape restores. */
export function InlineText(props: InlineTextProps) {
  const {
    value,
    label,
    onCommit,
    canBeEmpty = false,
    className,
    isDisabled = false,
    problemOf,
    ...input
  } = props
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState('')
  const problemId = useId()
  /** the text is not the value: it was refused */
  const isRefused = useRef(false)
  const refuse = (refused: string, reason: string) => {
    isRefused.current = true
    setText(refused)
    setProblem(reason)
  }
  const restore = () => {
    isRefused.current = false
    setText(value)
    setProblem('')
  }
  useEffect(() => {
    // the value is what it was before the change, which is taken back
    if (isRefused.current) return
    setText(value)
    setProblem('')
  }, [value])
  const commit = () => {
    const next = text.trim()
    const isChange = next !== value && (next !== '' || canBeEmpty)
    if (!isChange) return restore()
    const wrong = problemOf?.(next)
    if (wrong !== undefined) return refuse(next, wrong)
    isRefused.current = false
    setProblem('')
    Promise.resolve(onCommit(next)).catch(error => refuse(next, messageOf(error)))
  }
  return (
    <>
      <input
        {...input}
        value={text}
        aria-label={label}
        disabled={isDisabled}
        onChange={event => setText(event.target.value)}
        onFocus={input.autoFocus ? event => event.currentTarget.select() : undefined}
        onBlur={commit}
        onKeyDown={event => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key !== 'Escape') return
          event.stopPropagation()
          restore()
        }}
        aria-invalid={problem !== ''}
        aria-describedby={problem ? problemId : undefined}
        className={classes(
          'h-7 min-w-0 rounded-md border border-transparent bg-transparent px-1.5 text-ink outline-none',
          'not-disabled:hover:bg-hover focus:border-accent focus:bg-surface focus:ring-2 focus:ring-accent/25',
          problem && 'border-bad',
          className,
        )}
      />
      {problem && (
        <span id={problemId} role="alert" className="block px-1.5 text-xs text-bad">
          {problem}
        </span>
      )}
    </>
  )
}
