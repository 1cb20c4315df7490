import type { ModelEndpoint } from '../../config.ts'
import { complete } from './complete.ts'
import { type Message, type Tool, useTool } from './messages.ts'

const MAX_ROUNDS = 4
const MAX_CALLS = 8
const MAX_TOOL_RESULT = 20_000

/** The model's final text, after at most the allowed number of tool calls; undefined if it returns none. */
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
    const { content, toolCalls } = await complete(endpoint, messages, last ? [] : tools)
    if (toolCalls.length === 0 || last) return content.trim() || undefined
    messages.push({ role: 'assistant', content: content || null, tool_calls: toolCalls })
    for (const call of toolCalls) {
      const result = ++calls > MAX_CALLS ? { error: 'too many calls' } : await useTool(tools, call)
      messages.push({
        role: 'tool',
        tool_call_id: call.id,
        content: JSON.stringify(result).slice(0, MAX_TOOL_RESULT),
      })
    }
  }
  return undefined
}
