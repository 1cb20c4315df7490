/** A service of its own on an embedded database, filled and asked over HTTP as anybody would. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.ts'
import { createService } from '../../src/service.ts'

const KEY = 'sk_quality_0123456789abcdef'

// biome-ignore lint/suspicious/noExplicitAny: answers of many kinds
export type Call = (method: string, path: string, body?: unknown) => Promise<any>

export interface Running {
  call: Call
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  post(path: string, body: unknown): Promise<any>
  /** Waits until everything that was written is in the index, vectors too. */
  indexed(): Promise<{ passages: number; seconds: number }>
  /** The same service as somebody else sees it, whom these headers name. */
  as(headers: Readonly<Record<string, string>>): Running
  close(): Promise<void>
}

/** `kept`: a folder whose records stay for the next run. */
export async function startService(kept: string | undefined): Promise<Running> {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'kith-quality-'))
  const service = await createService(
    loadConfig({
      ...process.env,
      // whatever else this machine is set up for
      DATABASE_URL: '',
      KITH_DATA_DIR: dataDir,
      KITH_API_KEY: KEY,
      KITH_REGISTRATION: 'open',
      KITH_LOG_LEVEL: 'warn',
      PORT: '0',
    }),
  )
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const close = async () => {
    await service.close()
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  const as = (headers: Readonly<Record<string, string>>): Running => {
    const call = caller(url, headers)
    return {
      call,
      post: (path, body) => call('POST', path, body),
      indexed: () => indexed(call),
      as,
      close,
    }
  }
  return as({ 'x-api-key': KEY })
}

const caller =
  (url: string, headers: Readonly<Record<string, string>>): Call =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }

async function indexed(call: Call) {
  const began = performance.now()
  for (;;) {
    const { status, passages, embeddings } = await call('GET', '/api/search/status')
    if (status === 'ready' && embeddings.pending === 0)
      return { passages, seconds: (performance.now() - began) / 1000 }
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}
