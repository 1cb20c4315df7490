/** When the indexer looks for changes. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { waitFor } from '../../../test/support/process.ts'
import { request, testConfig } from '../../../test/support/service.ts'
import { createService } from '../../service.ts'
import { startIndexer } from './indexer.ts'
import { indexed } from './testing.ts'

const KEY = 'sk_indexer_0123456789abcdef'

describe('the indexer of the embedded database', () => {
  it('runs no statement until another one has run, and then indexes the changes', async () => {
    const embeddings = { local: false, dir: undefined, remote: undefined }
    const service = await createService(await testConfig('embedded', { apiKey: KEY, embeddings }))
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const { services } = service
    const { engine } = services
    let asleepAt: number | undefined
    const watched = {
      ...engine,
      statementsAbove: (count: number, signal: AbortSignal) => {
        asleepAt = count
        return engine.statementsAbove(count, signal)
      },
    }
    const indexer = startIndexer({ ...services, engine: watched })
    onTestFinished(async () => {
      await indexer.stop()
      await service.close()
    })
    // once no other statement runs, the indexer waits for one after its own last poll
    await waitFor(() => asleepAt === engine.stats().statements)

    const call = (method: string, path: string, body?: unknown) =>
      request(url + path, method, body, { 'x-api-key': KEY })
    await call('POST', '/api/notes', { title: 'Lighthouse', content: 'seen from afar' })
    await indexed({ get: path => call('GET', path) })
    const found = await call('POST', '/api/search', { query: 'lighthouse' })
    expect(found.body.items).toMatchObject([{ name: 'Lighthouse' }])
  })
})
