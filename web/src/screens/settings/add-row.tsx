import { Plus } from 'lucide-react'
import { useState } from 'react'

interface AddRowProps {
  label: string
  placeholder: string
  maxLength?: number
  onAdd: (text: string) => void
}

/** The last row of a list: write a name and press Enter, and then the next one. */
export function AddRow({ label, placeholder, maxLength = 255, onAdd }: AddRowProps) {
  const [text, setText] = useState('')
  return (
    <form
      className="flex h-11 items-center gap-2 border-t border-line px-3 text-ink-3 focus-within:text-ink"
      onSubmit={event => {
        event.preventDefault()
        if (!text.trim()) return
        onAdd(text.trim())
        setText('')
      }}
    >
      <Plus size={14} className="shrink-0" />
      <input
        value={text}
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        onChange={event => setText(event.target.value)}
        className="h-8 min-w-0 flex-1 rounded-sm bg-transparent text-ink outline-none focus-visible:outline-2"
      />
    </form>
  )
}
