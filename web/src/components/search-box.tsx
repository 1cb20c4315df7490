import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '#lib/keyboard.ts'
import { usePhone } from '#lib/use-media.ts'
import { Keys } from './keys.tsx'

const PAUSE_MS = 120

interface SearchBoxProps {
  value: string
  onChange: (text: string) => void
  label: string
}

/** Searches as the person types, after a short pause. */
export function SearchBox({ value, onChange, label }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const isPhone = usePhone()
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const send = useRef(onChange)
  send.current = onChange
  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      send.current(text)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    // the address changed by other means, such as a saved view
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useShortcuts({ '/': () => input.current?.focus() })
  return (
    <label className="flex h-7 w-56 items-center gap-1.5 rounded-md border border-transparent px-2 text-ink-3 focus-within:border-accent focus-within:bg-surface hover:bg-hover max-[719px]:w-0 max-[719px]:flex-1">
      <Search size={14} className="shrink-0" />
      <input
        ref={input}
        type="search"
        value={text}
        aria-label={label}
        placeholder="Search"
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          setText('')
          event.currentTarget.blur()
        }}
        className="min-w-0 flex-1 bg-transparent text-ink outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {text === '' && !isPhone && <Keys shortcut="/" />}
    </label>
  )
}
