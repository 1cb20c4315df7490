/** A new chat: the field, and questions to begin with. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { refreshLists } from '#data/records.ts'
import { Composer } from './composer.tsx'
import { handOver, type Question } from './use-conversation.ts'

const EXAMPLES = [
  'Which open deals are the largest?',
  'Total amount of open deals by stage',
  'Which deals did we win this year?',
  'How many open tasks do we have?',
]

export function Start() {
  const navigate = useNavigate()
  const { q } = useSearch({ strict: false }) as { q?: unknown }
  const chat = useRef<Promise<string>>(undefined)
  const createChat = () => {
    chat.current ??= kith.request('POST', '/api/chats', { body: {} }).then(({ id }) => id)
    return chat.current
  }
  const send = async (question: Question): Promise<boolean> => {
    try {
      const id = await createChat()
      handOver(id, question)
      void refreshLists('chats')
      await navigate({ to: '/ask/$id', params: { id } })
      return true
    } catch (error) {
      chat.current = undefined
      showError(error)
      return false
    }
  }
  const asked = useRef(false)
  useEffect(() => {
    // a question from the palette, once
    if (typeof q !== 'string' || q === '' || asked.current) return
    asked.current = true
    void send({ content: q, files: [] })
  })
  return (
    <div className="flex min-w-0 flex-1 flex-col items-center justify-center px-4 py-8 max-[719px]:flex-none">
      <div className="w-full max-w-2xl">
        <h2 className="mb-4 text-xl font-semibold tracking-tight">What would you like to know?</h2>
        <Composer
          chatId={undefined}
          createChat={createChat}
          isAnswering={false}
          onSend={send}
          onStop={undefined}
        />
        <ul aria-label="Examples" className="mt-4 grid gap-1.5 min-[520px]:grid-cols-2">
          {EXAMPLES.map(content => (
            <li key={content}>
              <button
                type="button"
                onClick={() => void send({ content, files: [] })}
                className="h-9 w-full truncate rounded-md border border-line px-3 text-left text-ink-2 hover:border-line-strong hover:text-ink"
              >
                {content}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
