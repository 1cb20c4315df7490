/**
 * Stops without losing requests. First /ready fails while requests are still served, so that a load balancer stops
 * sending them here. Then no new connection is accepted: open connections get `Connection: close` with their last
 * answer, and idle ones are closed once no request can be on its way.
 */
import type { ServerResponse } from 'node:http'
import { type Server as Listener, Server as NetServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../kernel/context.ts'
import { BriefMap } from '../lib/brief-map.ts'

/** A connection that became idle just now may have a request on its way, which closing it would lose. */
const IDLE_GRACE_MS = 250
/** The same behind a proxy, which reuses each connection within this time and so gets an answer that closes it. */
const PROXY_GRACE_MS = 2000
/** A request for /ready within this time means that a load balancer or an orchestrator polls it. */
const PROBED_WITHIN_MS = 60_000
/** The longest wait for the next poll of /ready, and then for the load balancer to send requests elsewhere. */
const MAX_PROBE_WAIT_MS = 10_000
const AFTER_PROBE_MS = 1000
/** A request that takes longer than this delays the stop until it is answered. */
const SLOW_MS = 50
const CHECK_EVERY_MS = 20

export interface Stopping {
  begun: boolean
  /** Records a request for /ready. */
  probed(): void
}

export function stopping(app: FastifyInstance, { config, log }: Services): Stopping {
  const { drainMs, stopTimeoutMs } = config.limits
  const state = {
    begun: false,
    listenerClosed: false,
    probed() {
      probedAt = Date.now()
      if (state.begun) refusedAt ??= probedAt
    },
  }
  let probedAt = Number.NEGATIVE_INFINITY
  /** when /ready first failed */
  let refusedAt: number | undefined
  const sockets = new Set<Socket>()
  const inFlight = new BriefMap<ServerResponse, true>()

  app.server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.server.on('request', (_request, response) => {
    // Fastify has sent `Connection: close`. A client that reconnects at once would be refused.
    if (state.begun && !state.listenerClosed) response.removeHeader('connection')
    else if (state.begun) keepOpenForEarlier(response)
    inFlight.add(response, true)
    response.once('close', untrack)
  })
  function untrack(this: ServerResponse): void {
    inFlight.delete(this)
  }

  /** If several requests were sent at once on a connection, only the answer to the last may close it. */
  function keepOpenForEarlier(latest: ServerResponse): void {
    for (const earlier of inFlight.keys()) {
      if (earlier.req.socket !== latest.req.socket || earlier.headersSent) continue
      earlier.removeHeader('connection')
    }
  }

  function announceClose(responses: readonly ServerResponse[]): void {
    const last = new Map(responses.map(response => [response.req.socket, response]))
    for (const response of last.values()) if (!response.headersSent) response.setHeader('connection', 'close')
  }

  app.addHook('preClose', async () => {
    state.begun = true
    if (!app.server.listening) return
    const begun = Date.now()
    const deadline = begun + drainMs + stopTimeoutMs
    log.info({ requests: inFlight.size, connections: sockets.size }, 'stopping: /ready now fails')

    const atFirst = inFlight.keys()
    const unanswered = () => atFirst.filter(response => inFlight.has(response))
    await until(() => unanswered().length === 0 || Date.now() >= begun + SLOW_MS, deadline)
    // Connections that were opened since are still served.
    announceClose(unanswered())
    const isProbed = probedAt > begun - PROBED_WITHIN_MS
    const maxProbeWaitMs = Math.min(MAX_PROBE_WAIT_MS, stopTimeoutMs / 2)
    const isNoticed = () =>
      Date.now() >= (refusedAt === undefined ? begun + maxProbeWaitMs : refusedAt + AFTER_PROBE_MS)
    const isDrained = () => Date.now() >= begun + drainMs && (drainMs > 0 || !isProbed || isNoticed())
    await until(() => unanswered().length === 0 && isDrained(), deadline)

    stopListening(app.server)
    state.listenerClosed = true
    announceClose(inFlight.keys())
    const closed = Date.now()
    await until(() => {
      if (Date.now() >= closed + (isProbed ? PROXY_GRACE_MS : IDLE_GRACE_MS)) endIdle()
      return sockets.size === 0
    }, deadline)
    if (sockets.size === 0) return
    log.warn({ requests: inFlight.size }, 'stopping: closing the connections of requests that take too long')
    app.server.closeAllConnections()
  })

  function endIdle(): void {
    app.server.closeIdleConnections()
    // Browsers open connections in advance, which Node does not count as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  return state
}

/** The close of an HTTP server would also end the idle connections at once; this only refuses new ones. */
const stopListening = (server: Listener) => NetServer.prototype.close.call(server)

async function until(done: () => boolean, deadline: number): Promise<void> {
  while (!done() && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, CHECK_EVERY_MS))
}
