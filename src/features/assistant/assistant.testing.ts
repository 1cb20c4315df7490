/** A scripted language model, and readers of its answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Account, type EngineKind, type Item, serviceOn } from '../../../test/support/service.ts'
import type { Config } from '../../config.ts'

export interface Asked {
  body: Item
  headers: IncomingMessage['headers']
}

/** How the model responds to a request; each is used once, the last one repeatedly. */
export type Act = (response: ServerResponse, asked: Asked, model: Model) => unknown

export interface Model {
  url: string
  asked: Asked[]
  /** Replaces the script. */
  plays(...acts: Act[]): void
  /** All requests since then, as text. */
  told(): string
  /** how many requests are open */
  open(): number
  close(): void
}

const sse = (response: ServerResponse, data: unknown) =>
  response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)

export const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

export const piece = (response: ServerResponse, content: string) =>
  sse(response, { choices: [{ delta: { content } }] })

export function finish(response: ServerResponse, usage?: [prompt: number, completion: number]): void {
  sse(response, { choices: [{ delta: {}, finish_reason: 'stop' }] })
  if (usage) sse(response, { choices: [], usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } })
  sse(response, '[DONE]')
  response.end()
}

export const says =
  (...pieces: string[]): Act =>
  response => {
    begin(response)
    for (const part of pieces) piece(response, part)
    finish(response, [10, pieces.length])
  }

/** The arguments are sent in pieces, as by real models. */
export const calls =
  (...tools: [name: string, args: unknown][]): Act =>
  response => {
    begin(response)
    for (const [index, [name, args]] of tools.entries()) {
      const text = typeof args === 'string' ? args : JSON.stringify(args)
      const half = Math.ceil(text.length / 2)
      const first = {
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: text.slice(0, half) },
      }
      sse(response, { choices: [{ delta: { tool_calls: [first] } }] })
      sse(response, {
        choices: [{ delta: { tool_calls: [{ index, function: { arguments: text.slice(half) } }] } }],
      })
    }
    finish(response, [10, 1])
  }

export const answers =
  (status: number, body = '{}', headers: Record<string, string> = {}): Act =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

export async function scriptedModel(): Promise<Model> {
  let script: Act[] = []
  let open = 0
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    open++
    response.on('close', () => open--)
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const one = { body: JSON.parse(Buffer.concat(chunks).toString()), headers: request.headers }
      asked.push(one)
      const act = script.length > 1 ? script.shift()! : script[0]
      if (act) act(response, one, model)
      else response.writeHead(500).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const model: Model = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    plays(...acts) {
      script = acts
      asked.length = 0
    },
    told: () => JSON.stringify(asked.map(({ body }) => body.messages)),
    open: () => open,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return model
}

/** Other settings, until the returned function is called; the tests of a process run one after the other. */
export async function withSettings(
  kind: EngineKind,
  settings: { assistant?: Partial<Config['assistant']>; languageModel?: Config['languageModel'] },
): Promise<() => void> {
  const { service } = await serviceOn(kind)
  const { config } = service.services
  const { assistant, languageModel } = config
  config.assistant = { ...assistant, ...settings.assistant }
  if ('languageModel' in settings) config.languageModel = settings.languageModel
  return () => Object.assign(config, { assistant, languageModel })
}

export interface SentEvent {
  id: string
  event: string
  data: Item
}

/** The events of a stream's text, and its comments. */
export function eventsIn(text: string): { events: SentEvent[]; comments: string[] } {
  const blocks = text.split('\n\n').filter(block => block !== '')
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
  return {
    events: blocks
      .filter(block => block.startsWith('id: '))
      .map(block => ({
        id: field(block, 'id'),
        event: field(block, 'event'),
        data: JSON.parse(field(block, 'data')),
      })),
    comments: blocks.filter(block => block.startsWith(':')),
  }
}

export const textOf = (events: readonly SentEvent[]): string =>
  events.flatMap(({ event, data }) => (event === 'message_delta' ? [data.text] : [])).join('')

/** The kinds of the events; consecutive pieces of text count as one, because they may be split anywhere. */
export const names = (events: readonly SentEvent[]): string[] =>
  events
    .map(({ event }) => event)
    .filter((event, i) => event !== 'message_delta' || events[i - 1]?.event !== 'message_delta')

export const STREAM = { accept: 'text/event-stream' }

/** Reads a stream as it arrives; `leave` disconnects before its end. */
export async function openStream(
  me: Account,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const leaving = new AbortController()
  const response = await fetch(me.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...STREAM, 'x-api-key': me.key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: leaving.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    leave: () => leaving.abort(),
    text: () => text,
    /** Reads until there is enough, or to the end. */
    async until(enough: (text: string) => boolean = () => false): Promise<string> {
      while (!enough(text)) {
        const { done, value } = await reader.read()
        if (done) return text
        text += value
      }
      return text
    },
  }
}
