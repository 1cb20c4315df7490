/**
 * `kith mcp`: MCP over standard input and output, for programs that start their servers themselves. It forwards each
 * message to `/mcp` of a running service and writes its answer, so that tools, permissions and limits are those of HTTP.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Kith, KithConnectionError } from '#client'
import { messageOf } from '../../lib/thrown.ts'
import { isRecord, property } from '../../lib/values.ts'

export interface Bridge {
  client: Kith
  input: Readable
  output: Writable
}

/** Messages that are forwarded at the same time; further ones wait in the pipe. */
const MAX_OPEN = 16
const VERSION = 'io.modelcontextprotocol/protocolVersion'
/** JSON-RPC: an error of the server that the protocol does not define. */
const SERVER_ERROR = -32_000
const PARSE_ERROR = -32_700

/** Returns when the input has ended and every message is answered. */
export async function bridge({ client, input, output }: Bridge): Promise<void> {
  const open = new Set<Promise<void>>()
  const aborts = new Map<unknown, AbortController>()
  const write = (message: unknown) => void output.write(`${JSON.stringify(message)}\n`)
  let negotiated: string | undefined

  async function forward(message: unknown): Promise<void> {
    const id = property(message, 'id')
    const abort = new AbortController()
    if (id !== undefined) aborts.set(id, abort)
    try {
      for (const answer of await post(message, abort.signal)) {
        if (property(message, 'method') === 'initialize')
          negotiated = textAt(property(answer, 'result'), 'protocolVersion')
        write(answer)
      }
    } catch (error) {
      // The client that cancelled a request does not wait for an answer.
      if (id !== undefined && !abort.signal.aborted) write(failure(id, SERVER_ERROR, messageOf(error)))
    } finally {
      aborts.delete(id)
    }
  }

  async function post(message: unknown, signal: AbortSignal): Promise<unknown[]> {
    const headers = protocolHeaders(message, negotiated)
    const response = await client.mcp(message, { headers, signal }).catch((error: unknown) => {
      throw error instanceof KithConnectionError ? new Error(`${error.message}: check KITH_URL`) : error
    })
    return messagesIn(response.status, response.headers.get('content-type') ?? '', await response.text())
  }

  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const message = parsed(line)
    if (message === undefined) {
      write(failure(null, PARSE_ERROR, 'This line is not JSON'))
      continue
    }
    if (property(message, 'method') === 'notifications/cancelled')
      aborts.get(property(property(message, 'params'), 'requestId'))?.abort()
    const answered = forward(message).finally(() => open.delete(answered))
    open.add(answered)
    if (open.size >= MAX_OPEN) await Promise.race(open)
  }
  await Promise.all(open)
}

const failure = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textAt(value: unknown, name: string): string | undefined {
  const text = property(value, name)
  return typeof text === 'string' ? text : undefined
}

/** What streamable HTTP repeats in headers: the version that was agreed on, or that the message names itself. */
function protocolHeaders(message: unknown, negotiated: string | undefined): Record<string, string> {
  const params = property(message, 'params')
  const version = textAt(property(params, '_meta'), VERSION)
  if (version === undefined) return negotiated === undefined ? {} : { 'mcp-protocol-version': negotiated }
  const name = textAt(params, 'name') ?? textAt(params, 'uri')
  return {
    'mcp-protocol-version': version,
    'mcp-method': textAt(message, 'method') ?? '',
    ...(name === undefined ? {} : { 'mcp-name': headerText(name) }),
  }
}

/** Names outside of plain ASCII go in Base64, as the protocol defines it. */
const headerText = (name: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?base64?')
    ? name
    : `=?base64?${Buffer.from(name).toString('base64')}?=`

/** The messages of an answer: one in JSON, several in an event stream, none of a notification. */
function messagesIn(status: number, type: string, text: string): unknown[] {
  const texts = type.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data)
    : [text].filter(part => part !== '')
  const messages = texts.map(parsed)
  const isAnswer = (message: unknown) => isRecord(message) && message.jsonrpc === '2.0'
  if (messages.every(isAnswer)) return messages
  const detail = textAt(messages[0], 'detail') ?? text.slice(0, 200)
  const advice = status === 401 ? ': check KITH_API_KEY' : ''
  throw new Error(`Kith answered ${status}: ${detail}${advice}`)
}
