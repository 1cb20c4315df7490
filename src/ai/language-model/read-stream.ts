/** Assembles a streamed completion from its events. */
import { isRecord, at as item, property } from '../../lib/values.ts'
import { type Completion, ModelFailure, type Tokens, type ToolCall } from './messages.ts'

/** The maximum length of an answer; reading stops there. */
const MAX_CHARACTERS = 4_000_000
const MAX_CALLS = 32

/** The `data:` of each server-sent event; a chunk may end anywhere, also inside a character. */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  let read = 0
  for await (const chunk of body) {
    const piece = decoder.decode(chunk, { stream: true })
    read += piece.length
    if (read > MAX_CHARACTERS)
      throw new ModelFailure('malformed', 'the answer of the language model is too long')
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
  if (rest.startsWith('data:')) data.push(rest.slice(5).replace(/^ /, ''))
  if (data.length > 0) yield data.join('\n')
}

export async function readStream(
  body: AsyncIterable<Uint8Array>,
  onText: (text: string) => void,
): Promise<Completion> {
  const calls: ToolCall[] = []
  let content = ''
  let tokens: Tokens | undefined
  let ended = false
  for await (const data of eventData(body)) {
    if (data.trim() === '[DONE]') {
      ended = true
      break
    }
    const chunk = parsed(data)
    tokens = tokensOf(chunk.usage) ?? tokens
    const [choice] = listOf(chunk.choices)
    if (property(choice, 'finish_reason')) ended = true
    const delta = property(choice, 'delta')
    const text = property(delta, 'content')
    if (typeof text === 'string' && text !== '') {
      content += text
      onText(text)
    }
    for (const part of listOf(property(delta, 'tool_calls'))) addCall(calls, part)
  }
  if (!ended) throw new ModelFailure('malformed', 'the stream of the language model ended early')
  return { content, toolCalls: calls.filter(call => call.function.name !== ''), tokens }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function parsed(data: string): Record<string, unknown> {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    throw new ModelFailure('malformed', 'the language model did not send JSON', { cause })
  }
  if (!isRecord(chunk) || chunk.error !== undefined)
    throw new ModelFailure('malformed', 'the language model reported an error while it was answering')
  return chunk
}

function addCall(calls: ToolCall[], part: unknown): void {
  const index = property(part, 'index')
  const at = typeof index === 'number' && Number.isInteger(index) ? index : calls.length
  if (at < 0 || at >= MAX_CALLS) return
  while (calls.length <= at)
    calls.push({ id: `call_${calls.length}`, type: 'function', function: { name: '', arguments: '' } })
  const call = item(calls, at)
  const id = property(part, 'id')
  if (typeof id === 'string' && id !== '') call.id = id.slice(0, 200)
  const called = property(part, 'function')
  call.function.name += String(property(called, 'name') ?? '').slice(0, 200)
  call.function.arguments += String(property(called, 'arguments') ?? '')
}

export function tokensOf(usage: unknown): Tokens | undefined {
  const count = (value: unknown) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
  if (!isRecord(usage)) return undefined
  return { prompt: count(usage.prompt_tokens), completion: count(usage.completion_tokens) }
}
