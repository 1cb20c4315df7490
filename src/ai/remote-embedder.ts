/** Any endpoint that speaks OpenAI's `POST /embeddings`. */

import { property } from '../lib/values.ts'
import { boundedJson } from './bounded-json.ts'
import { type Embedder, ModelUnavailable } from './embedder.ts'

export interface RemoteModel {
  url: string
  model: string
  key: string | undefined
}

const TIMEOUT_MS = 20_000
const URGENT_TIMEOUT_MS = 5000

export function remoteEmbedder(remote: RemoteModel): Embedder {
  let error: string | null = null
  let used = false
  return {
    model: remote.model,
    state: () => ({ status: error !== null ? 'failed' : used ? 'ready' : 'idle', error }),
    async embed(texts, urgent) {
      if (texts.length === 0) return []
      try {
        const vectors = await ask(remote, texts, urgent ? URGENT_TIMEOUT_MS : TIMEOUT_MS)
        used = true
        error = null
        return vectors
      } catch (cause) {
        error = cause instanceof Error ? cause.message : String(cause)
        throw new ModelUnavailable(error)
      }
    },
  }
}

async function ask(
  remote: RemoteModel,
  texts: readonly string[],
  timeoutMs: number,
): Promise<Float32Array[]> {
  const response = await fetch(`${remote.url.replace(/\/+$/, '')}/embeddings`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(remote.key === undefined ? {} : { authorization: `Bearer ${remote.key}` }),
    },
    body: JSON.stringify({ model: remote.model, input: texts, encoding_format: 'float' }),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`the embeddings endpoint answered ${response.status}`)
  const data = property(await boundedJson(response), 'data')
  if (!Array.isArray(data) || data.length !== texts.length) {
    throw new Error('the embeddings endpoint did not return embeddings')
  }
  const inOrder = data
    .map((item: unknown, i) => ({
      at: Number(property(item, 'index') ?? i),
      vector: property(item, 'embedding'),
    }))
    .sort((a, b) => a.at - b.at)
  return inOrder.map(({ vector }) => unit(vector))
}

function unit(vector: unknown): Float32Array {
  if (!Array.isArray(vector) || vector.length < 8 || vector.length > 8192 || !vector.every(Number.isFinite)) {
    throw new Error('the embeddings endpoint did not return embeddings')
  }
  const values = Float32Array.from(vector)
  const norm = Math.hypot(...values) || 1
  return values.map(value => value / norm)
}
