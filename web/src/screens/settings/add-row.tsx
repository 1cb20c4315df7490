import { Plus } from 'lucide-react'
import { useState } from 'react'

interface AddRowProps {
  label: string
  placeholder: string
  maxLength?: number
  /** rejects or is false where the service refused it: the text is in the field again */
  onAdd: (text: string) => Promise<unknown>
}

/** The last row of a list: write a name and press Enter, and then the next one. */
export function AddRow({ label, placeholder, maxLength = 255, onAdd }: AddRowProps) {
  const [text, setText] = useState('')
  const add = async () => {
    const name = text.trim()
    if (!name) return
    setText('')
    const isAdded = await onAdd(name).catch(() => false)
    if (isAdded === false) setText(current => current || name)
  }
  return (
    <form
      className="flex h-11 items-center gap-2 border-t border-line px-3 text-ink-3 focus-within:text-ink"
      onSubmit={event => {
        event.preventDefault()
        void add()
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
