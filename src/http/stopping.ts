/**
 * An end without losses: requests in flight are answered, connections are told to close with their last answer,
 * and those that lie idle are ended once nobody can be about to use them.
 */
import type { ServerResponse } from 'node:http'
import { type Server as Listener, Server as NetServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../kernel/context.ts'

/** A connection that was idle for a moment may have its next request on the way: ended now, it would be lost. */
const IDLE_GRACE_MS = 250
const LOOK_EVERY_MS = 20

export interface Stopping {
  begun: boolean
}

export function stopping(app: FastifyInstance, { config, log }: Services): Stopping {
  const { drainMs, stopTimeoutMs } = config.limits
  const state: Stopping = { begun: false }
  const sockets = new Set<Socket>()
  const inFlight = new Set<ServerResponse>()

  app.server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.server.on('request', (_request, response) => {
    if (state.begun) keepOpenUntilAnswered(response)
    inFlight.add(response)
    response.once('close', forget)
  })
  function forget(this: ServerResponse): void {
    inFlight.delete(this)
  }

  /** Of several requests sent at once on a connection, only the answer to the last may say that it closes. */
  function keepOpenUntilAnswered(latest: ServerResponse): void {
    for (const earlier of inFlight) {
      if (earlier.req.socket !== latest.req.socket || earlier.headersSent) continue
      earlier.removeHeader('connection')
      earlier.shouldKeepAlive = true
    }
  }

  function tellToClose(): void {
    const last = new Map([...inFlight].map(response => [response.req.socket, response]))
    for (const response of last.values()) response.shouldKeepAlive = false
  }

  const until = async (done: () => boolean, deadline: number) => {
    while (!done() && Date.now() < deadline) await pause(LOOK_EVERY_MS)
  }

  app.addHook('preClose', async () => {
    state.begun = true
    if (!app.server.listening) return
    const begun = Date.now()
    const deadline = begun + drainMs + stopTimeoutMs
    log.info({ requests: inFlight.size, connections: sockets.size }, 'stopping: readiness is off')
    tellToClose()

    // Whoever looks at /ready is to see it, so the door stays open a while.
    const atFirst = [...inFlight]
    const finished = () => !atFirst.some(response => inFlight.has(response))
    await until(() => finished() && Date.now() >= begun + drainMs, deadline)

    closeDoor(app.server)
    const closed = Date.now()
    await until(() => {
      if (Date.now() >= closed + IDLE_GRACE_MS) endIdle()
      return sockets.size === 0
    }, deadline)
    if (sockets.size === 0) return
    log.warn({ requests: inFlight.size }, 'stopping: gave up waiting for requests that take too long')
    app.server.closeAllConnections()
  })

  function endIdle(): void {
    app.server.closeIdleConnections()
    // Opened in advance, as browsers do, and never used: Node does not count these as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  return state
}

/** The close of an HTTP server would also end the idle connections at once; this only refuses new ones. */
const closeDoor = (server: Listener) => NetServer.prototype.close.call(server)

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
