/** The general patterns, run over every resource of the index from its own schemas. */
import { expect, it } from 'vitest'
import { pathOf } from '../src/kernel/general-endpoints.ts'
import { newId } from '../src/kernel/ids.ts'
import type { Resource } from '../src/kernel/resource.ts'
import { resources } from '../src/resources/index.ts'
import { conforming } from './support/conforming.ts'
import { examples, special } from './support/examples.ts'
import { type Account, onBothEngines } from './support/service.ts'

const unknownId = '01900000-0000-7000-8000-000000000000'
const plain = resources.filter(resource => examples[pathOf(resource)])

it('has an example for every resource', () => {
  const paths = resources.map(pathOf).filter(path => !special.includes(path))
  expect(paths.filter(path => !examples[path])).toEqual([])
})

onBothEngines('every resource', account => {
  const setup = async (resource: Resource) => {
    const mine = conforming(await account())
    const path = pathOf(resource)
    let n = 0
    const make = async (from: Account = mine) =>
      from.create(path, await examples[pathOf(resource)]!.body(from, ++n))
    return { mine, path, make }
  }
  const cases = plain.map(resource => ({ name: pathOf(resource), resource }))

  it.each(cases)('$name: create, get, list, update, delete, restore', async ({ resource }) => {
    const { mine, path, make } = await setup(resource)
    const before = (await mine.get(path)).body.total
    const record = await make()
    expect(record).toMatchObject({ account_id: mine.accountId })

    const got = await mine.get(`${path}/${record.id}`)
    expect(got.status).toBe(200)
    expect(got.headers.get('etag')).toMatch(/^"/)
    expect(
      (await mine.get(`${path}/${record.id}`, { 'if-none-match': got.headers.get('etag')! })).status,
    ).toBe(304)
    expect((await mine.get(`${path}/`)).body.total).toBe(before + 1)

    const change = examples[pathOf(resource)]!.change
    const changed = await mine.put(`${path}/${record.id}`, change)
    expect(changed).toMatchObject({ status: 200, body: change })
    expect((await mine.call('PATCH', `${path}/${record.id}`, change)).status).toBe(200)
    expect((await mine.put(`${path}/${record.id}`, change, { 'if-match': '"stale"' })).status).toBe(412)

    expect(await mine.delete(`${path}/${record.id}`)).toMatchObject({ status: 200, body: {} })
    expect((await mine.get(`${path}/${record.id}`)).status).toBe(404)
    expect((await mine.delete(`${path}/${record.id}`)).status).toBe(404)
    expect((await mine.get(path)).body.total).toBe(before)
    const trash = await mine.get(`${path}?deleted=true&page_size=1000`)
    expect(trash.body.items.map((item: { id: string }) => item.id)).toContain(record.id)
    expect((await mine.post(`${path}/${record.id}/restore`)).body).toMatchObject(change)
    expect((await mine.get(path)).body.total).toBe(before + 1)
  })

  it.each(cases)('$name: unknown, malformed and foreign ids', async ({ resource }) => {
    const { mine, path, make } = await setup(resource)
    const other = await account()
    const foreign = await make(other)
    const change = examples[pathOf(resource)]!.change
    for (const id of [unknownId, foreign.id]) {
      const answers = [
        await mine.get(`${path}/${id}`),
        await mine.put(`${path}/${id}`, change),
        await mine.delete(`${path}/${id}`),
      ]
      expect(answers.map(answer => answer.status)).toEqual([404, 404, 404])
      expect(answers[0]!.body).toEqual({ detail: `${resource.record.label} not found` })
    }
    const malformed = await mine.get(`${path}/zz`)
    expect(malformed.status).toBe(422)
    expect(malformed.body.detail[0].loc).toEqual(['path', resource.idParam])
    expect(await mine.post(`${path}/bulk-delete`, [foreign.id, unknownId])).toMatchObject({
      status: 200,
      body: {},
    })
    expect((await other.get(`${path}/${foreign.id}`)).status).toBe(200)
    expect((await mine.post(`${path}/bulk-delete`, ['zz'])).body.detail[0].loc).toEqual(['body', 0])
    expect((await mine.post(`${path}/bulk-delete`, Array(1001).fill(unknownId))).status).toBe(422)
    expect((await mine.post(`${path}/bulk-delete`, [])).status).toBe(200)
  })

  it.each(cases)('$name: pages and cursors yield each record once', async ({ resource }) => {
    const { mine, path, make } = await setup(resource)
    for (let i = 0; i < 5; i++) await make()
    const whole = (await mine.get(`${path}?page_size=1000`)).body
    const ids = whole.items.map((item: { id: string }) => item.id)
    const walked: string[] = []
    const last = whole.total_pages ?? whole.pages
    expect(last).toBe(1)
    for (let page = 1; page <= Math.ceil(ids.length / 2); page++) {
      walked.push(
        ...(await mine.get(`${path}?page=${page}&page_size=2`)).body.items.map(
          (item: { id: string }) => item.id,
        ),
      )
    }
    expect(walked).toEqual(ids)
    const past = (await mine.get(`${path}?page=99&page_size=2`)).body
    expect(past).toMatchObject({ items: [], total: ids.length, page: 99 })

    const byCursor: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { items: { id: string }[]; next_cursor: string | null } } = await mine.get(
        `${path}?cursor=${cursor}&page_size=2`,
      )
      byCursor.push(...body.items.map(item => item.id))
      cursor = body.next_cursor
    }
    expect(byCursor).toEqual(ids)
  })

  it.each(cases)('$name: refuses bad bodies and writes nothing', async ({ resource }) => {
    const { mine, path } = await setup(resource)
    const before = (await mine.get(path)).body.total
    for (const body of [undefined, '{bad', '[]', 'null', '"x"']) {
      const answer = await mine.post(path, body, { 'content-type': 'application/json' })
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ loc: expect.arrayContaining(['body']) })
    }
    expect((await mine.get(`${path}?page=0`)).status).toBe(422)
    expect((await mine.get(`${path}?page_size=1001`)).status).toBe(422)
    expect((await mine.get(`${path}?sort_order=up`)).status).toBe(422)
    expect((await mine.get(`${path}?sort_by=nonsense`)).status).toBe(422)
    expect((await mine.get(`${path}?cursor=nonsense`)).status).toBe(422)
    const forged = Buffer.from(JSON.stringify(['created_at', true, 'no date', newId()])).toString('base64url')
    const refused = await mine.get(`${path}?sort_by=created_at&sort_order=desc&cursor=${forged}`)
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'cursor'] }] } })
    expect((await mine.get(path)).body.total).toBe(before)
  })

  it.each(cases)('$name: the same Idempotency-Key creates one record', async ({ resource }) => {
    const { mine, path } = await setup(resource)
    const body = await examples[pathOf(resource)]!.body(mine, 1)
    const key = { 'idempotency-key': 'once' }
    const before = (await mine.get(path)).body.total
    const first = await mine.post(path, body, key)
    const second = await mine.post(path, body, key)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await mine.get(path)).body.total).toBe(before + 1)
    const another = await examples[pathOf(resource)]!.body(mine, 2)
    expect((await mine.post(path, another, key)).status).toBe(422)
  })
})
