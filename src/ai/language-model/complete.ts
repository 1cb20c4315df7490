/** One request to a language model: it is repeated while the model is busy, and aborted if nothing arrives in time. */

import type { ModelEndpoint } from '../../config.ts'
import { isRecord, property } from '../../lib/values.ts'
import { AnswerTooLarge, boundedJson } from '../bounded-json.ts'
import { type Completion, type Message, ModelFailure, type Tool, type ToolCall } from './messages.ts'
import { readStream, tokensOf } from './read-stream.ts'

const ATTEMPTS = 3
const BACK_OFF_MS = 500
/** If the endpoint's Retry-After is longer than this, the request fails. */
const MAX_WAIT_MS = 20_000
const DEFAULT_TIMEOUT_MS = 30_000

export interface CompleteOptions {
  /** Called with each piece as it arrives; if set, the answer is streamed. */
  onText?: (text: string) => void
  signal?: AbortSignal
  /** the longest time without data */
  timeoutMs?: number
}

/** Retries while the model is busy or unreachable, until the first text has arrived. */
export async function complete(
  endpoint: ModelEndpoint,
  messages: readonly Message[],
  tools: readonly Tool[],
  options: CompleteOptions = {},
): Promise<Completion> {
  let hasOutput = false
  const { onText: output } = options
  const onText =
    output &&
    ((text: string) => {
      hasOutput = true
      output(text)
    })
  for (let attempt = 1; ; attempt++) {
    try {
      return await completeOnce(endpoint, messages, tools, { ...options, ...(onText ? { onText } : {}) })
    } catch (error) {
      options.signal?.throwIfAborted()
      const failure = failureOf(error)
      const wait = failure.retryAfterMs ?? BACK_OFF_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      const isTemporary = failure.kind === 'unreachable' || failure.kind === 'rate_limited'
      if (hasOutput || !isTemporary || attempt === ATTEMPTS || wait > MAX_WAIT_MS) throw failure
      await pause(wait, options.signal)
    }
  }
}

async function completeOnce(
  endpoint: ModelEndpoint,
  messages: readonly Message[],
  tools: readonly Tool[],
  { onText, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: CompleteOptions,
): Promise<Completion> {
  const silence = new AbortController()
  const giveUp = () =>
    silence.abort(new ModelFailure('timed_out', 'the language model did not answer in time'))
  let timer = setTimeout(giveUp, timeoutMs)
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, timeoutMs)
  }
  try {
    const response = await fetch(`${endpoint.url}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: onText ? 'text/event-stream' : 'application/json',
        ...(endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify({
        model: endpoint.model,
        messages,
        temperature: 0,
        ...(onText ? { stream: true, stream_options: { include_usage: true } } : {}),
        ...(tools.length === 0
          ? {}
          : { tools: tools.map(({ run: _, ...declared }) => ({ type: 'function', function: declared })) }),
      }),
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      // only the address that was configured is ever called
      redirect: 'error',
    })
    restartTimer()
    if (!response.ok) {
      await response.body?.cancel()
      throw refusal(response)
    }
    const streamed = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '')
    return streamed && response.body
      ? await readStream(observed(response.body, restartTimer), onText ?? (() => {}))
      : await readWhole(response, onText)
  } catch (error) {
    // throws the reason of the abort instead of the abort itself
    silence.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function* observed(body: ReadableStream<Uint8Array>, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onChunk()
    yield chunk
  }
}

/** An answer that is not streamed. */
async function readWhole(response: Response, onText: CompleteOptions['onText']): Promise<Completion> {
  const answer: unknown = await boundedJson(response).catch(cause => {
    if (cause instanceof AnswerTooLarge)
      throw new ModelFailure('malformed', 'the language model sent too much', { cause })
    if (cause instanceof SyntaxError)
      throw new ModelFailure('malformed', 'the language model did not send JSON', { cause })
    throw cause
  })
  const choices = property(answer, 'choices')
  const message = Array.isArray(choices) ? property(choices[0], 'message') : undefined
  if (!isRecord(message))
    throw new ModelFailure('malformed', 'the answer of the language model is not a message')
  const content = typeof message.content === 'string' ? message.content : ''
  if (content !== '') onText?.(content)
  return { content, toolCalls: callsIn(message.tool_calls), tokens: tokensOf(property(answer, 'usage')) }
}

const callsIn = (toolCalls: unknown): ToolCall[] =>
  (Array.isArray(toolCalls) ? toolCalls : [])
    .filter(call => typeof call?.function?.name === 'string')
    .map((call, i) => ({
      id: typeof call.id === 'string' ? call.id : `call_${i}`,
      type: 'function',
      function: { name: call.function.name, arguments: String(call.function.arguments ?? '') },
    }))

function refusal(response: Response): ModelFailure {
  const { status } = response
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const sentence = `the language model answered ${status}`
  const options = after >= 0 ? { retryAfterMs: after * 1000 } : {}
  if (status === 429) return new ModelFailure('rate_limited', sentence, options)
  return new ModelFailure(status >= 500 ? 'unreachable' : 'refused', sentence, options)
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  return new ModelFailure('unreachable', 'the language model cannot be reached', { cause: error })
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
