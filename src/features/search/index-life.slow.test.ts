/** The index when processes are killed, with two processes, imports and changes of the model. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SLOW, startKith, tempFolder, waitFor } from '../../../test/support/process.ts'
import {
  anyEngine,
  engines,
  freshDatabase,
  newAccount,
  request,
  testConfig,
} from '../../../test/support/service.ts'
import { type Caller, contextFor, systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { insertRows } from '../../kernel/statements.ts'
import { createService } from '../../service.ts'
import { indexWriter } from './indexer.ts'
import { beginHere, search } from './testing.ts'

const KEY = 'sk_index_0123456789abcdef'
const headers = { 'x-api-key': KEY }
const call = (url: string, method: string, path: string, body?: unknown) =>
  request(url + path, method, body, headers)

const statusOf = async (url: string) => (await call(url, 'GET', '/api/search/status')).body
const upToDate = (url: string) =>
  waitFor(async () => {
    const status = await statusOf(url)
    return status.status === 'ready' && status.embeddings.pending === 0 ? status : undefined
  })

/** An embeddings endpoint. It returns 503 for models in `unavailable`. */
async function embeddings() {
  const requests: { model: string; input: string[] }[] = []
  const unavailable = new Set<string>()
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', chunk => chunks.push(chunk))
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      requests.push(body)
      if (unavailable.has(body.model)) {
        res.statusCode = 503
        res.end()
        return
      }
      const data = (body.input as string[]).map((text, index) => ({
        index,
        embedding: Array.from({ length: 16 }, (_, i) => (/money|budget/.test(text) ? i + 1 : 16 - i) - 8),
      }))
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ data }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise(resolve => server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, unavailable }
}

describe.each(engines)('the index (%s)', SLOW, kind => {
  it.runIf(anyEngine.includes(kind))(
    'misses nothing after a process was killed between writing and indexing',
    async () => {
      const env = {
        KITH_API_KEY: KEY,
        KITH_DATA_DIR: tempFolder(),
        KITH_LOG_LEVEL: 'error',
        KITH_INDEXER: 'true',
        KITH_EMBEDDINGS_LOCAL: 'false',
        ...(kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}),
      }
      const first = await startKith({ env })
      // the process is killed right after the last response, before the indexer can read all changes
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, i) =>
          call(first.url, 'POST', '/api/notes', { title: `Lighthouse ${i}`, content: 'keeper' }),
        ),
      )
      // a busy machine answers some with 503, because they waited too long for a connection
      const stored = answers.flatMap(({ status, body }) => (status === 201 ? [body.title] : []))
      await first.stop('SIGKILL')

      const second = await startKith({ env })
      const status = await upToDate(second.url)
      expect(status).toMatchObject({ records: stored.length, passages: stored.length, lag_seconds: 0 })
      const last = await call(second.url, 'POST', '/api/search', { query: stored.at(-1) })
      expect(last.body.items[0]).toMatchObject({ name: stored.at(-1), matched_by: 'exact' })
      await second.stop()
    },
  )

  it('indexes changes of users before those of an import', async () => {
    const account = await newAccount(kind)
    const { services } = account.service
    await (await beginHere(kind)).stop()
    const caller: Caller = {
      kind: 'import',
      id: newId(),
      userId: account.userId,
      accountId: account.accountId,
      role: 'owner',
      scopes: ['*'],
    }
    const ctx = contextFor(services, caller)
    const many = 3000
    for (let done = 0; done < many; done += 500) {
      const people = Array.from({ length: 500 }, (_, i) => ({
        id: newId(),
        first_name: `Import ${done + i}`,
      }))
      await insertRows(ctx, 'contacts', people)
    }
    await account.create('/api/notes', { title: 'Urgent', content: 'walrus' })
    const look = indexWriter(services)
    // several looks where a transaction of another test is open: what follows it in the journal waits for it
    await waitFor(async () => {
      await look()
      return (await search(account, 'walrus', { mode: 'keyword' })).body.items.length === 1
    })
    const { pending_records, status } = (await account.get('/api/search/status')).body
    expect(status).toBe('indexing')
    expect(pending_records).toBeGreaterThan(many / 2)
    await sql`delete from search_dirty where account_id = ${account.accountId}`.execute(systemDb(services))
  })

  it.runIf(anyEngine.includes(kind))(
    'is rebuilt for a new model while the previous model is still used',
    async () => {
      const { url, requests, unavailable } = await embeddings()
      const before = await testConfig(kind, { apiKey: KEY, search: { indexer: true } })
      const running = async (model: string) => {
        const remote = { url, model, key: undefined }
        const service = await createService({
          ...before,
          embeddings: { local: false, dir: undefined, remote },
        })
        let closing: Promise<void> | undefined
        const close = () => {
          closing ??= service.close()
          return closing
        }
        onTestFinished(close)
        return { service, close, url: await service.app.listen({ port: 0, host: '127.0.0.1' }) }
      }
      const first = await running('older')
      await call(first.url, 'POST', '/api/notes', { title: 'Timing', content: 'The budget is frozen.' })
      await call(first.url, 'POST', '/api/notes', { title: 'Weather', content: 'It rained all day.' })
      await upToDate(first.url)
      await first.close()

      unavailable.add('newer')
      const second = await running('newer')
      const find = async () =>
        (await call(second.url, 'POST', '/api/search', { query: 'no money left', mode: 'semantic' })).body
      await waitFor(async () => (await statusOf(second.url)).embeddings.status === 'failed' || undefined)
      expect(await find()).toMatchObject({ mode: 'semantic', items: [{ name: 'Timing' }] })
      expect(requests.at(-1)).toMatchObject({ model: 'older', input: ['no money left'] })
      expect((await statusOf(second.url)).embeddings).toMatchObject({ model: 'newer', pending: 2 })

      unavailable.clear()
      const modelsLeft = async () =>
        (
          await sql<{ model: string }>`select distinct model from search_vectors`.execute(
            systemDb(second.service.services),
          )
        ).rows.map(row => row.model)
      await waitFor(async () => (await modelsLeft()).join() === 'newer' || undefined)
      expect(await find()).toMatchObject({ mode: 'semantic', items: [{ name: 'Timing' }] })
      expect(requests.at(-1)).toMatchObject({ model: 'newer', input: ['no money left'] })
    },
  )
})

describe.runIf(engines.includes('server'))('two processes on one database', SLOW, () => {
  it('index everything once', async () => {
    const { url, requests } = await embeddings()
    const DATABASE_URL = await freshDatabase()
    const env = {
      KITH_API_KEY: KEY,
      KITH_LOG_LEVEL: 'error',
      KITH_INDEXER: 'true',
      KITH_EMBEDDINGS_URL: url,
      KITH_EMBEDDINGS_MODEL: 'counted',
      KITH_EMBEDDINGS_LOCAL: 'false',
      DATABASE_URL,
    }
    const start = () => startKith({ env: { ...env, KITH_DATA_DIR: tempFolder() } })
    const [one, other] = await Promise.all([start(), start()])
    const many = 120
    await Promise.all(
      Array.from({ length: many }, (_, i) =>
        call(i % 2 ? one.url : other.url, 'POST', '/api/notes', {
          title: `Note ${i}`,
          content: `budget ${i}`,
        }),
      ),
    )
    expect(await upToDate(one.url)).toMatchObject({ records: many, passages: many })
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    onTestFinished(() => client.end())
    const { rows } = await client.query(
      `select count(*)::int as vectors, count(distinct passage_id)::int as passages from kith.search_vectors`,
    )
    expect(rows[0]).toEqual({ vectors: many, passages: many })
    const texts = requests.flatMap(({ input }) => input)
    expect(texts).toHaveLength(many)
    expect(new Set(texts).size).toBe(many)
  })
})
