import { Plus } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#data/client.ts'

interface AddRowProps {
  label: string
  placeholder: string
  maxLength?: number
  /** rejects where the service refused it: the reason is below the field, and the text is in it again */
  onAdd: (text: string) => Promise<unknown>
}

/** The last row of a list: write a name and press Enter, and then the next one. */
export function AddRow({ label, placeholder, maxLength = 255, onAdd }: AddRowProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const add = async () => {
    const name = text.trim()
    if (!name) return
    setText('')
    setProblem('')
    try {
      await onAdd(name)
    } catch (error) {
      setProblem(messageOf(error))
      setText(current => current || name)
    }
  }
  return (
    <form
      className="flex min-h-11 flex-wrap items-center gap-2 border-t border-line px-3 text-ink-3 focus-within:text-ink"
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
        aria-invalid={problem !== ''}
        onChange={event => setText(event.target.value)}
        className="h-8 min-w-0 flex-1 rounded-sm bg-transparent text-ink outline-none focus-visible:outline-2"
      />
      {problem && (
        <p role="alert" className="w-full pb-2 pl-5.5 text-xs text-bad">
          {problem}
        </p>
      )}
    </form>
  )
}
