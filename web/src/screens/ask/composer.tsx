/** Where a question is written: Enter sends it, Shift+Enter is a new line. */
import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#components/button.tsx'
import { showError } from '#components/toast.tsx'
import { useStoredDraft } from '#data/drafts.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { type Attachment, AttachmentChip, attach, useAttachments } from './attachments.tsx'
import type { Question } from './use-conversation.ts'

interface ComposerProps {
  /** the chat, created when the first file or question needs it */
  chatId: string | undefined
  createChat: () => Promise<string>
  /** a question that was refused before this field was here */
  unsent?: string
  isAnswering: boolean
  /** false: the question was not sent and stays in the field */
  onSend: (question: Question) => Promise<boolean>
  onStop: (() => void) | undefined
}

export function Composer({ chatId, createChat, unsent = '', isAnswering, onSend, onStop }: ComposerProps) {
  const [text, setText] = useStoredDraft(`question.${chatId ?? 'new'}`)
  const [files, setFiles] = useState<Attachment[]>([])
  const known = useAttachments(chatId ?? '', chatId !== undefined)
  const area = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => area.current?.focus() })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refused question
  useEffect(() => {
    if (unsent && !text) setText(unsent)
  }, [unsent])
  useEffect(() => {
    const element = area.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(200, element.scrollHeight)}px`
  })

  const send = async () => {
    const content = text.trim()
    if (content === '' || isAnswering) return
    setText('')
    setFiles([])
    if (await onSend({ content, files: files.map(({ id }) => id) })) return
    setText(content)
    setFiles(files)
  }
  const add = async (chosen: File[]) => {
    try {
      const id = chatId ?? (await createChat())
      for (const file of chosen) {
        const added = await attach(id, file)
        setFiles(current => [...current, added])
      }
    } catch (error) {
      showError(error)
    }
  }
  return (
    <form
      className="rounded-lg border border-line-strong bg-surface focus-within:border-accent focus-within:ring-2 focus-within:ring-accent/25"
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      {files.length > 0 && (
        <div className="flex flex-wrap gap-1.5 px-2 pt-2">
          {files.map(file => (
            <AttachmentChip
              key={file.id}
              attachment={known.get(file.id) ?? file}
              onRemove={() => setFiles(files.filter(({ id }) => id !== file.id))}
            />
          ))}
        </div>
      )}
      <textarea
        ref={area}
        aria-label="Question"
        autoFocus
        rows={1}
        maxLength={100_000}
        placeholder="Ask about your contacts, companies, deals…"
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          void send()
        }}
        className="block w-full resize-none bg-transparent px-3 pt-2.5 pb-1 text-base leading-[22px] outline-none"
      />
      <div className="flex items-center justify-between p-1.5">
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label="Files to attach"
          onChange={event => {
            void add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <IconButton label="Attach files" onClick={() => input.current?.click()}>
          <Paperclip size={15} />
        </IconButton>
        {isAnswering && onStop ? (
          <IconButton label="Stop the answer" variant="secondary" onClick={onStop}>
            <Square size={12} />
          </IconButton>
        ) : (
          <IconButton
            label="Send"
            type="submit"
            variant="primary"
            disabled={text.trim() === '' || isAnswering}
          >
            <ArrowUp size={15} />
          </IconButton>
        )}
      </div>
    </form>
  )
}
