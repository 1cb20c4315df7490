import { useEffect, useState } from 'react'
import { classes } from '#lib/classes.ts'

interface InlineTextProps {
  value: string
  label: string
  /** Called with the trimmed text, if it has changed; false refuses it, and the old one is shown again. */
  onCommit: (text: string) => unknown
  /** an empty text is a change, too */
  canBeEmpty?: boolean
  placeholder?: string
  maxLength?: number
  className?: string
  inputMode?: 'text' | 'numeric'
  isDisabled?: boolean
}

/** A text that is edited where it is shown: Enter or leaving it saves, Escape restores. */
export function InlineText(props: InlineTextProps) {
  const { value, label, onCommit, canBeEmpty = false, className, isDisabled = false, ...input } = props
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const commit = () => {
    const next = text.trim()
    const isChange = next !== value && (next !== '' || canBeEmpty)
    if (!isChange || onCommit(next) === false) setText(value)
  }
  return (
    <input
      {...input}
      value={text}
      aria-label={label}
      disabled={isDisabled}
      onChange={event => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setText(value)
      }}
      className={classes(
        'h-7 min-w-0 rounded-md border border-transparent bg-transparent px-1.5 text-ink outline-none',
        'not-disabled:hover:bg-hover focus:border-accent focus:bg-surface focus:ring-2 focus:ring-accent/25',
        className,
      )}
    />
  )
}
