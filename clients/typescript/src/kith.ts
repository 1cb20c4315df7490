/** The client: groups of records, events, and `request` for every operation of the document. */
import { read } from './answer.ts'
import { type Events, eventsOf } from './events.ts'
import { type Groups, groupsOf } from './groups.ts'
import { items } from './pages.ts'
import { type Call, type KithOptions, type Send, sender } from './send.ts'
import { type ServerEvent, serverEvents } from './server-events.ts'
import type {
  Answer,
  CallOptions,
  ItemOf,
  Method,
  Operation,
  PathWith,
  Query,
  RequestArguments,
} from './types.ts'

/** Lists that are read by cursor. */
type CursorPath = {
  [P in PathWith<'GET'>]: Query<Operation<'GET', P>> extends { cursor?: string } ? P : never
}[PathWith<'GET'>]

/** Operations that answer with server-sent events. */
type StreamPath = {
  [P in PathWith<'GET'>]: Operation<'GET', P> extends {
    responses: { 200: { content: { 'text/event-stream': unknown } } }
  }
    ? P
    : never
}[PathWith<'GET'>]

class Client {
  readonly events: Events
  readonly #send: Send

  constructor(options: KithOptions) {
    this.#send = sender(options)
    this.events = eventsOf(this.#send)
    Object.assign(this, groupsOf(this.#send))
  }

  /** Calls any operation: its method, its path as in the document, and what it takes. */
  async request<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    ...[call]: RequestArguments<Operation<M, P>>
  ): Promise<Answer<Operation<M, P>>> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : undefined
    const answer = await read(await this.#send(method, path, { contentType, ...(call as Call) }), path)
    return answer as Answer<Operation<M, P>>
  }

  /** As `request`, with the answer unread: for large downloads, and operations that answer with a stream. */
  response<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    ...[call]: RequestArguments<Operation<M, P>>
  ): Promise<Response> {
    return this.#send(method, path, { ...(call as Call), isStream: true })
  }

  /** Sends a message of the Model Context Protocol to the service. The answer is unread, also that of an error. */
  mcp(message: unknown, options: CallOptions = {}): Promise<Response> {
    const headers = { accept: 'application/json, text/event-stream', ...options.headers }
    return this.#send('POST', '/mcp', { ...options, headers, body: message, isMessage: true, isStream: true })
  }

  /** Every item of a list, read in pages by cursor. */
  all<P extends CursorPath>(
    path: P,
    ...[call]: RequestArguments<Operation<'GET', P>>
  ): AsyncGenerator<ItemOf<Answer<Operation<'GET', P>>>> {
    return items(this.#send, path, call as Call) as AsyncGenerator<ItemOf<Answer<Operation<'GET', P>>>>
  }

  /** The server-sent events of an operation until the service ends the stream. */
  async *stream<P extends StreamPath>(
    path: P,
    ...[call]: RequestArguments<Operation<'GET', P>>
  ): AsyncGenerator<ServerEvent> {
    const response = await this.#send('GET', path, { ...(call as Call), isStream: true })
    for await (const event of serverEvents(response)) if (event.data !== '') yield event
  }
}

/** The groups are properties that the constructor adds. */
export type Kith = Client & Groups
export const Kith = Client as new (options: KithOptions) => Kith
