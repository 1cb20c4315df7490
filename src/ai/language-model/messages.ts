/** Messages to and from a language model, in the format of `POST /chat/completions`. */
import { isRecord } from '../../lib/values.ts'

export interface Tool {
  name: string
  description: string
  /** JSON Schema of its arguments */
  parameters: Record<string, unknown>
  /** The tool's result, as text for the model; it never throws. */
  run(args: Record<string, unknown>): Promise<unknown>
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | null
  tool_calls?: ToolCall[]
  tool_call_id?: string
}

export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface Tokens {
  prompt: number
  completion: number
}

export interface Completion {
  content: string
  toolCalls: ToolCall[]
  /** undefined: the endpoint does not count them */
  tokens: Tokens | undefined
}

export type FailureKind = 'unreachable' | 'refused' | 'rate_limited' | 'timed_out' | 'malformed'

/** Why a model returned no answer or an incomplete one. */
export class ModelFailure extends Error {
  readonly kind: FailureKind
  /** as the endpoint requested */
  readonly retryAfterMs: number | undefined

  constructor(kind: FailureKind, sentence: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(sentence, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Calls a tool for the model. Errors are returned as results, so that the model can continue. */
export async function useTool(tools: readonly Tool[], call: ToolCall): Promise<unknown> {
  const tool = tools.find(one => one.name === call.function.name)
  if (!tool) return { error: 'there is no such tool' }
  try {
    const args: unknown = JSON.parse(call.function.arguments || '{}')
    if (!isRecord(args)) return { error: 'the arguments must be an object' }
    return await tool.run(args)
  } catch {
    return { error: 'these arguments cannot be used' }
  }
}
