/** The typed client against the real service, as a program uses it. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../test/support/service.ts'
import { type Event, etagOf, Kith, KithError } from './src/index.ts'

const run = promisify(execFile)
const clientOf = ({ url, key }: Account) => new Kith({ url, apiKey: key })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

it('is generated from the published document', async () => {
  const program = fileURLToPath(new URL('generate.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [program, '--print'], { maxBuffer: 16 * 1024 ** 2 })
  const stored = readFileSync(new URL('src/generated/openapi.ts', import.meta.url), 'utf8')
  expect(stdout === stored, 'run npm run client').toBe(true)
})

onAnyEngine('the client', account => {
  it('creates, reads, changes, deletes and restores', async () => {
    const kith = clientOf(await account())
    const acme = await kith.companies.create({ name: 'Acme', metadata: { tier: 'gold' } })
    expect(await kith.companies.get(acme.id)).toEqual(acme)
    expect(await kith.companies.update(acme.id, { city: 'Graz' })).toMatchObject({ city: 'Graz' })
    const patched = await kith.companies.patch(acme.id, { metadata: { region: 'south' } })
    expect(patched.metadata).toEqual({ tier: 'gold', region: 'south' })
    await kith.companies.delete(acme.id)
    expect((await kith.companies.list({ deleted: true })).items.map(({ id }) => id)).toEqual([acme.id])
    expect((await kith.companies.restore(acme.id)).name).toBe('Acme')
    expect((await kith.companies.timeline(acme.id)).items.length).toBeGreaterThan(2)
  })

  it('walks pages, upserts, sends batches and queries', async () => {
    const kith = clientOf(await account())
    const items = Array.from({ length: 25 }, (_, at) => ({
      action: 'create' as const,
      record: { name: `Company ${at}`, domains: [`company-${at}.example`], employee_count: at },
    }))
    expect(await kith.companies.batch({ items })).toMatchObject({ created: 25, failed: 0 })
    const names = new Set<string>()
    for await (const { name } of kith.companies.all({ page_size: 10, sort_by: 'name' })) names.add(name)
    expect(names.size).toBe(25)

    const upserted = await kith.companies.upsert(
      { name: 'Renamed', domains: ['company-3.example'] },
      { match_on: 'domain' },
    )
    expect(upserted).toMatchObject({ name: 'Renamed', employee_count: 3 })
    const large = await kith.companies.query({ where: { field: 'employee_count', op: 'gte', value: 20 } })
    expect(large.items.map(({ employee_count }) => employee_count).sort()).toEqual([20, 21, 22, 23, 24])
    const sum = await kith.companies.query({ measure: { kind: 'sum', field: 'employee_count' } })
    expect(sum.figures?.map(({ value }) => Number(value))).toEqual([300])
  })

  it('takes filters by custom fields', async () => {
    const kith = clientOf(await account())
    await kith.customFields.create({ entity_type: 'company', name: 'Tier', field_type: 'text' })
    await kith.companies.create({ name: 'Acme', metadata: { tier: 'gold' } })
    await kith.companies.create({ name: 'Beta' })
    for (const cf of [{ tier: 'gold' }, { 'cf.tier': 'gold' }])
      expect((await kith.companies.list({ cf })).items.map(({ name }) => name)).toEqual(['Acme'])
  })

  it('refuses outdated changes, and edits when another writer was faster', async () => {
    const kith = clientOf(await account())
    const acme = await kith.companies.create({ name: 'Acme', employee_count: 1 })
    expect(etagOf(acme)).toMatch(/^(W\/)?"/)
    await kith.companies.update(acme.id, { city: 'Graz' }, { ifMatch: acme })
    const stale = await failure(kith.companies.update(acme.id, { city: 'Wien' }, { ifMatch: acme }))
    expect(stale).toMatchObject({ name: 'KithError', status: 412 })
    await Promise.all(
      [1, 2, 3].map(() =>
        kith.companies.edit(acme.id, ({ employee_count }) => ({ employee_count: (employee_count ?? 0) + 1 })),
      ),
    )
    expect(await kith.companies.get(acme.id)).toMatchObject({ employee_count: 4, city: 'Graz' })
    const page = await kith.companies.list()
    const unread = failure(kith.companies.update(acme.id, {}, { ifMatch: page.items[0]! }))
    expect(await unread).toBeInstanceOf(TypeError)
  })

  it('throws what the service says', async () => {
    const { url, key } = await account()
    const kith = new Kith({ url, apiKey: key })
    const invalid = await failure(kith.companies.create({ name: '' }))
    expect(invalid).toBeInstanceOf(KithError)
    expect(invalid).toMatchObject({
      status: 422,
      detail: [{ type: 'string_too_short', loc: ['body', 'name'] }],
      message: expect.stringMatching(/^body\.name: /),
      requestId: expect.any(String),
      request: { method: 'POST', path: '/api/companies' },
    })
    const unknown = await failure(kith.companies.get('00000000-0000-7000-8000-000000000000'))
    expect(unknown).toMatchObject({ status: 404, detail: 'Company not found' })
    const stranger = new Kith({ url, apiKey: 'sk_unknown' })
    expect(await failure(stranger.companies.list())).toMatchObject({ status: 401 })
  })

  it('uploads and downloads files', async () => {
    const kith = clientOf(await account())
    const acme = await kith.companies.create({ name: 'Acme' })
    const file = await kith.files.create({
      file: new File(['signed'], 'contract.txt', { type: 'text/plain' }),
      entity_type: 'company',
      entity_id: acme.id,
    })
    expect(file.name).toBe('contract.txt')
    const path = { file_id: file.id }
    const content = await kith.request('GET', '/api/files/{file_id}/content', { path })
    expect(await content.text()).toBe('signed')
    const template = await kith.request('GET', '/api/imports/template/{entity_type}', {
      path: { entity_type: 'company' },
    })
    expect(template).toContain('name')
  })

  it('streams events over lost connections, each once', async () => {
    const { url, key } = await account()
    const kith = new Kith({ url, apiKey: key })
    await kith.companies.create({ name: 'Before' })
    const stop = new AbortController()
    let connections = 0
    const cutting: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      // at first the position alone, then also the pause between connections and two events
      return new Response(firstBlocks(response, ++connections === 1 ? 1 : 4), response)
    }
    const listener = new Kith({ url, apiKey: key, fetch: cutting })
    const seen: Event[] = []
    const starts: number[] = []
    const onStart = (after: number) => void starts.push(after)
    const events = listener.events.stream({ types: 'company.*', signal: stop.signal, onStart })
    const next = events.next()
    // The stream begins with the position at which it was opened: wait until it is open.
    await expect.poll(() => starts, { timeout: 60_000 }).toHaveLength(1)
    for (let at = 0; at < 5; at++) await kith.companies.create({ name: `Company ${at}` })
    for (let event = await next; !event.done; event = await events.next()) {
      seen.push(event.value)
      if (seen.length === 5) stop.abort()
    }
    const names = seen.map(({ changes }) => changes.find(({ field }) => field === 'name')?.to)
    expect(names).toEqual(['Company 0', 'Company 1', 'Company 2', 'Company 3', 'Company 4'])
    expect(connections).toBeGreaterThan(2)
    expect(starts).toHaveLength(1)
    const all = []
    for await (const { sequence } of kith.events.all({ types: 'company.*' })) all.push(sequence)
    expect(all.slice(1)).toEqual(seen.map(({ sequence }) => sequence))
  })
})

/** The body up to this many blocks; then it ends. */
function firstBlocks(response: Response, count: number): ReadableStream<Uint8Array> {
  let blocks = 0
  let text = ''
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const cutting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0 && blocks < count; end = text.indexOf('\n\n')) {
        blocks++
        controller.enqueue(encoder.encode(text.slice(0, end + 2)))
        text = text.slice(end + 2)
      }
      if (blocks >= count) controller.terminate()
    },
  })
  return response.body!.pipeThrough(cutting)
}
