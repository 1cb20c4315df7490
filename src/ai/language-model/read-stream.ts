/** The events of a completion that comes piece by piece, put together as they come. */
import { type Completion, ModelFailure, type Tokens, type ToolCall } from './messages.ts'

/** More than any answer has; whoever sends more is not heard out. */
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
      throw new ModelFailure('malformed', 'the language model does not come to an end')
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
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

interface Delta {
  content?: unknown
  tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[]
}

interface Chunk {
  choices?: { delta?: Delta; finish_reason?: string | null }[]
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null
  error?: unknown
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
    const choice = chunk.choices?.[0]
    if (choice?.finish_reason) ended = true
    const text = choice?.delta?.content
    if (typeof text === 'string' && text !== '') {
      content += text
      onText(text)
    }
    for (const part of choice?.delta?.tool_calls ?? []) addCall(calls, part)
  }
  if (!ended) throw new ModelFailure('malformed', 'the language model broke off')
  return { content, toolCalls: calls.filter(call => call.function.name !== ''), tokens }
}

function parsed(data: string): Chunk {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    throw new ModelFailure('malformed', 'the language model sent something that is no JSON', { cause })
  }
  if (typeof chunk !== 'object' || chunk === null || (chunk as Chunk).error !== undefined)
    throw new ModelFailure('malformed', 'the language model reported an error while it was answering')
  return chunk as Chunk
}

function addCall(calls: ToolCall[], part: NonNullable<Delta['tool_calls']>[number]): void {
  const at = Number.isInteger(part.index) ? part.index! : calls.length
  if (at < 0 || at >= MAX_CALLS) return
  while (calls.length <= at)
    calls.push({ id: `call_${calls.length}`, type: 'function', function: { name: '', arguments: '' } })
  const call = calls[at]!
  if (typeof part.id === 'string' && part.id !== '') call.id = part.id.slice(0, 200)
  call.function.name += String(part.function?.name ?? '').slice(0, 200)
  call.function.arguments += String(part.function?.arguments ?? '')
}

export function tokensOf(usage: Chunk['usage']): Tokens | undefined {
  const count = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
  if (typeof usage !== 'object' || usage === null) return undefined
  return { prompt: count(usage.prompt_tokens), completion: count(usage.completion_tokens) }
}
