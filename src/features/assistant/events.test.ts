import { expect, it, onTestFinished, vi } from 'vitest'
import { eventText } from '../../kernel/event-stream.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import { newAnswering } from './answering.ts'
import { eventsIn, names, textOf } from './assistant.testing.ts'
import { answerEvents } from './events.ts'
import { follow } from './following.ts'

const message: ChatMessage = {
  id: 'm',
  chat_id: 'c',
  role: 'assistant',
  content: '',
  metadata: { status: 'answering' },
  attachments: {},
  created_at: '2026-01-31T00:00:00.000Z',
  updated_at: '2026-01-31T00:00:00.000Z',
}
/** The stream reads what it can before the next turn of the event loop. */
const soon = () => new Promise(resolve => setImmediate(resolve))

function begun() {
  const answering = newAnswering('m', 1000)
  const gone = new AbortController()
  const following = () => follow({} as never, message, answering)
  const open = (from?: Parameters<typeof answerEvents>[2]) =>
    eventText(answerEvents(message, following(), from), gone.signal, { heartbeatMs: 60_000, retryMs: 1000 })
  return { answering, gone, open }
}

it('buffers little for a slow reader and sends it the whole text in few pieces', async () => {
  const { answering, open } = begun()
  const slow = open()
  slow.read(1)
  for (let i = 0; i < 900; i++) {
    answering.say('x'.repeat(100))
    if (i % 100 === 0) await soon()
  }
  expect(answering.progress.text).toHaveLength(90_000)
  expect(slow.readableLength).toBeLessThan(40_000)
  answering.end({ ...message, content: answering.progress.text })
  let text = ''
  for await (const chunk of slow) text += chunk
  const { events } = eventsIn(`retry${text.slice(text.indexOf('\n'))}`)
  expect(textOf(events)).toHaveLength(90_000)
  expect(events.length).toBeLessThan(40)
})

it('sends tools at their position, citations after the text, and never half a character', async () => {
  const { answering, open } = begun()
  const stream = open()
  answering.say('Let me look. ')
  answering.use({ name: 'search', asked: '{}' })
  answering.say('Here: \ud83d')
  stream.read(1)
  await soon()
  answering.say('\ude00')
  const citation = {
    ...{ index: 1, entity_type: 'deal', entity_id: 'd', name: 'D', snippet: '', updated_at: '', score: 1 },
  }
  answering.cite([citation])
  answering.end({
    ...message,
    content: answering.progress.text,
    metadata: { error: 'It broke', reason: 'x' },
  })
  let text = ''
  for await (const chunk of stream) text += chunk
  const { events } = eventsIn(`retry${text.slice(text.indexOf('\n'))}`)
  expect(names(events)).toEqual([
    ...['message_start', 'message_delta', 'tool', 'message_delta', 'citation', 'error'],
    'message_end',
  ])
  expect(textOf(events)).toBe('Let me look. Here: 😀')
  expect(events.at(-2)).toMatchObject({ id: '21.1.1.1', data: { detail: 'It broke', reason: 'x' } })
})

it('cuts an answer short after a time without readers', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answering = newAnswering('m', 1000)
  const [one, two] = [answering.follow(), answering.follow()]
  one()
  one()
  vi.advanceTimersByTime(10_000)
  expect(answering.signal.aborted).toBe(false)
  two()
  vi.advanceTimersByTime(900)
  const three = answering.follow()
  vi.advanceTimersByTime(10_000)
  expect(answering.signal.aborted).toBe(false)
  three()
  vi.advanceTimersByTime(900)
  expect(answering.signal.aborted).toBe(false)
  vi.advanceTimersByTime(100)
  expect(answering.signal.reason).toMatchObject({ reason: 'client_left' })
})
