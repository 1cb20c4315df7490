/**
 * Fetches the reference page's script out of its package, which embeds it in a module of 4 MB beside parsers that
 * are not needed. It runs in its own thread, so that no request waits for it and its memory is freed.
 */
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import fastify from 'fastify'

const app = fastify()
await app.register(reference, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
const script = await app.inject('/reference/js/scalar.js')
if (script.statusCode !== 200)
  throw new Error(`the script of the reference page answered ${script.statusCode}`)
parentPort?.postMessage(new Uint8Array(gzipSync(script.rawPayload, { level: 9 })))
