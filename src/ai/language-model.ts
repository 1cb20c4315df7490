/** Any service that speaks OpenAI's `POST /chat/completions`, with tools. */
import type { ModelEndpoint } from '../config.ts'

export interface Tool {
  name: string
  description: string
  /** JSON Schema of its arguments */
  parameters: Record<string, unknown>
  /** What the model is told; it never throws. */
  run(args: Record<string, unknown>): Promise<unknown>
}

interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | null
  tool_calls?: ToolCall[]
  tool_call_id?: string
}

interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

const TIMEOUT_MS = 30_000
const MAX_ROUNDS = 4
const MAX_CALLS = 8
const MAX_TOLD = 20_000

/** The model's last words, after it has used the tools as often as it may; undefined when it has none. */
export async function converse(
  endpoint: ModelEndpoint,
  system: string,
  question: string,
  tools: readonly Tool[],
): Promise<string | undefined> {
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ]
  let calls = 0
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const last = round === MAX_ROUNDS
    const message = await complete(endpoint, messages, last ? [] : tools)
    const wanted = message.tool_calls ?? []
    if (wanted.length === 0 || last) return message.content?.trim() || undefined
    messages.push({ role: 'assistant', content: message.content ?? null, tool_calls: wanted })
    for (const call of wanted) {
      const told = ++calls > MAX_CALLS ? { error: 'too many calls' } : await use(tools, call)
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(told).slice(0, MAX_TOLD) })
    }
  }
  return undefined
}

async function use(tools: readonly Tool[], call: ToolCall): Promise<unknown> {
  const tool = tools.find(one => one.name === call.function?.name)
  if (!tool) return { error: 'there is no such tool' }
  try {
    const args: unknown = JSON.parse(call.function.arguments || '{}')
    if (typeof args !== 'object' || args === null) return { error: 'the arguments must be an object' }
    return await tool.run(args as Record<string, unknown>)
  } catch {
    return { error: 'these arguments cannot be used' }
  }
}

async function complete(
  endpoint: ModelEndpoint,
  messages: readonly Message[],
  tools: readonly Tool[],
): Promise<Message> {
  const response = await fetch(`${endpoint.url}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` }),
    },
    body: JSON.stringify({
      model: endpoint.model,
      messages,
      temperature: 0,
      ...(tools.length === 0
        ? {}
        : { tools: tools.map(({ run: _, ...declared }) => ({ type: 'function', function: declared })) }),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`the language model answered ${response.status}`)
  const { choices } = (await response.json()) as { choices?: { message?: Message }[] }
  const message = choices?.[0]?.message
  if (!message) throw new Error('the language model answered something else than a message')
  return message
}
