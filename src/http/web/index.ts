/** The web client at `/`. Its own addresses, such as /contacts, are answered with its page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../kernel/errors.ts'
import { property } from '../../lib/values.ts'
import { distOf } from './build.ts'
import { BUILDING, type Problem, type WebClient } from './client.ts'
import { sendFrom } from './files.ts'

/** No inline script or style, nothing from another host; recordings are played from memory (blob:). */
const SECURITY = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/** Paths of the service itself: below them, an unknown path is a 404. */
const RESERVED = /^(?:api|mcp|docs|kb|share|account|assets|health|ready|metrics)(?:\/|$)/

/** The answer to programs at `/`: the addresses of the reference. */
const ABOUT = { name: 'Kith', docs: '/docs', openapi: '/openapi.json', llms: '/llms.txt' }

const asksForPage = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '')

export function web(app: FastifyInstance, client: WebClient): void {
  const dist = distOf(client.root)

  async function page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers(SECURITY)
    const problem = await client.problem()
    if (problem) return problemPage(reply, problem)
    if (await sendFrom(dist, 'index.html', request, reply)) return reply
    return problemPage(reply, BUILDING)
  }

  app.get('/', async (request, reply) => {
    if (asksForPage(request)) return page(request, reply)
    return reply.header('vary', 'accept').send(ABOUT)
  })
  app.get('/*', async (request, reply) => {
    const path = String(property(request.params, '*'))
    if (path.startsWith('assets/') || !RESERVED.test(path)) {
      if (path !== 'index.html' && (await sendFrom(dist, path, request, reply))) return reply
      if (!RESERVED.test(path) && asksForPage(request)) return page(request, reply)
    }
    throw errors.routeNotFound()
  })
}

function problemPage(reply: FastifyReply, { sentence, isTemporary }: Problem): FastifyReply {
  const refresh = isTemporary ? '<meta http-equiv="refresh" content="2">' : ''
  return reply
    .code(503)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8">${refresh}<title>Kith</title><p>${sentence} The reference is at <a href="/docs">/docs</a>.</p></html>`,
    )
}
