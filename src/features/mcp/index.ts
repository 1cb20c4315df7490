/** `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions (decision 32). */
import { Readable } from 'node:stream'
import { bytes, type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import type { Reply } from '../../kernel/reply.ts'
import { routesOf } from './call.ts'
import { isAllowedOrigin } from './origin.ts'
import type { Explain } from './results.ts'

export function mcpEndpoint(endpoints: readonly Endpoint[], explain: Explain): Endpoint {
  const routes = routesOf(endpoints)
  return endpoint({
    method: 'POST',
    path: '/mcp',
    tag: 'MCP',
    permission: 'signed-in',
    summary: 'Model Context Protocol',
    rawBody: 'application/json',
    body: bytes,
    // A tool may wait for a language model: no transaction is open around a call.
    replaysItself: true,
    async run(ctx, { body, raw, signal }) {
      if (!isAllowedOrigin(raw.headers.origin, raw.headers.host, ctx.services.config))
        throw errors.foreignOrigin()
      // Loaded by the first call: the package takes 230 ms and 32 MB, which a service without MCP clients saves.
      const { serve } = await import('./server.ts')
      const origin = { raw, signal }
      return replyOf(await serve({ ctx, origin, routes }, body, explain))
    },
  })
}

function replyOf({ status, headers, body }: Response): Reply {
  const raw = body === null ? '' : Readable.fromWeb(body)
  return { isReply: true, status, headers: Object.fromEntries(headers), content: { raw } }
}
