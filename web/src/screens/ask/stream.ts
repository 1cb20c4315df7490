/** An answer as it is written: the events of the service, gathered. */
import { type ServerEvent, serverEvents } from '@kith/client'
import { kith } from '#data/client.ts'
import type { Citation, Message } from './answers.ts'

export interface Streaming {
  /** of the answer */
  id: string
  text: string
  citations: Citation[]
  /** what the assistant looks up at the moment */
  tool: string
}

interface Handlers {
  onStart: (id: string) => void
  onProgress: (state: Streaming) => void
  onEnd: (message: Message) => Promise<void>
}

export async function readAnswer(events: AsyncIterable<ServerEvent>, handlers: Handlers): Promise<void> {
  let state: Streaming = { id: '', text: '', citations: [], tool: '' }
  for await (const { event, data } of events) {
    if (data === '') continue
    const content = JSON.parse(data)
    if (event === 'message_end') {
      await handlers.onEnd(content.message as Message)
      return
    }
    if (event === 'message_start') {
      state = { ...state, id: content.message_id }
      handlers.onStart(content.message_id)
    } else if (event === 'message_delta') state = { ...state, text: state.text + content.text, tool: '' }
    else if (event === 'citation') state = { ...state, citations: [...state.citations, content] }
    else if (event === 'tool') state = { ...state, tool: content.name }
    handlers.onProgress(state)
  }
}

const asEvents = { headers: { accept: 'text/event-stream' } }

export async function sendQuestion(chat_id: string, content: string, files: readonly string[]) {
  const response = await kith.response('POST', '/api/chats/{chat_id}/messages', {
    path: { chat_id },
    body: { content, ...(files.length > 0 ? { attachments: { files } } : {}) },
    ...asEvents,
  })
  return serverEvents(response)
}

export async function askAgain(message_id: string) {
  const path = { message_id }
  return serverEvents(
    await kith.response('POST', '/api/chats/messages/{message_id}/regenerate', { path, ...asEvents }),
  )
}

/** The rest of an answer that another page, or this one before it was reloaded, has asked for. */
export const followAnswer = (message_id: string, signal: AbortSignal) =>
  kith.stream('/api/chats/messages/{message_id}/events', { path: { message_id }, signal })
