/** The API description: OpenAPI, the reference page and /llms.txt. Nothing is loaded from another host. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../kernel/resource.ts'
import { page, pageScript, pageSecurity } from './docs-page.ts'
import { introduction } from './introduction.ts'
import { llmsText } from './llms.ts'
import { openApi } from './openapi/index.ts'
import { tagsOf } from './openapi/tags.ts'
import { inReadingOrder } from './reading-order.ts'
import { type StaticFile, sendFile, textFile, zippedFile } from './static-file.ts'

/** Built on the first request: most processes get none, and building it would delay the start. */
export function docs(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const files: Record<string, () => Promise<StaticFile>> = {
    '/openapi.json': () => textFile('application/json', JSON.stringify(openApi(endpoints))),
    '/llms.txt': () => textFile('text/plain', llmsText(endpoints)),
    '/docs': () => textFile('text/html', page),
    '/docs/start.js': () => textFile('text/javascript', pageScript),
    '/docs/openapi.json': () => textFile('application/json', JSON.stringify(forReading(endpoints))),
    '/docs/scalar.js': referenceScript,
  }
  for (const [path, make] of Object.entries(files)) {
    const file = lazily(make)
    app.get(path, async (request, reply) => {
      if (path.startsWith('/docs')) reply.headers(pageSecurity)
      return sendFile(request, reply, await file())
    })
  }
}

/** The document in reading order, with the introduction in front. */
function forReading(endpoints: readonly Endpoint[]) {
  const document = openApi(inReadingOrder(endpoints)) as { info: object }
  return { ...document, info: { ...document.info, description: introduction }, tags: tagsOf(endpoints) }
}

async function referenceScript(): Promise<StaticFile> {
  const worker = new Worker(new URL('./docs-worker.ts', import.meta.url), { execArgv: [] })
  const [script] = await once(worker, 'message')
  return zippedFile('text/javascript; charset=utf-8', Buffer.from(script))
}

/** Built once and shared; a failure is not cached. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let built: Promise<T> | undefined
  return () => {
    built ??= make()
    built.catch(() => {
      built = undefined
    })
    return built
  }
}
