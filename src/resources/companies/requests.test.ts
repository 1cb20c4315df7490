/** Conditional and repeated requests, bulk delete, restore, roles and scopes, on companies. */
import { expect, it } from 'vitest'
import { anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/companies'

onAnyEngine('requests about companies', account => {
  it('respects ETags', async () => {
    const { post, get, put, delete: remove } = await account()
    const made = await post(at, { name: 'Acme' })
    const one = `${at}/${made.body.id}`
    const etag = made.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]+"$/)
    const read = await get(one)
    expect(read.headers.get('etag')).toBe(etag)

    const same = await get(one, { 'if-none-match': `"x", W/${etag}` })
    expect([same.status, same.text]).toEqual([304, ''])
    expect((await get(one, { 'if-none-match': '"other"' })).status).toBe(200)

    const renamed = await put(one, { name: 'Acme Ltd' }, { 'if-match': etag })
    expect(renamed.status).toBe(200)
    const next = renamed.headers.get('etag')!
    expect(next).not.toBe(etag)
    for (const stale of [
      await put(one, { name: 'x' }, { 'if-match': etag }),
      await remove(one, { 'if-match': etag }),
    ]) {
      expect(stale.status).toBe(412)
      expect(stale.body.detail).toContain('has changed')
    }
    expect((await get(one)).body.name).toBe('Acme Ltd')
    expect((await put(one, { name: 'Any' }, { 'if-match': '*' })).status).toBe(200)
    const last = (await get(one)).headers.get('etag')!
    expect((await remove(one, { 'if-match': last })).status).toBe(200)
    expect((await put(one, {}, { 'if-match': '*' })).status).toBe(404)
  })

  it('accepts one of two writers with the same If-Match', async () => {
    const { post, put } = await account()
    const made = await post(at, { name: 'Acme' })
    const headers = { 'if-match': made.headers.get('etag')! }
    const answers = await Promise.all(
      ['a', 'b', 'c'].map(name => put(`${at}/${made.body.id}`, { name }, headers)),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 412, 412])
  })

  it('replays the response for the same Idempotency-Key and writes once', async () => {
    const { post, get } = await account()
    const key = { 'idempotency-key': newId() }
    const first = await post(at, { name: 'Acme' }, key)
    const again = await post(at, { name: 'Acme' }, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const other = await post(at, { name: 'Other' }, key)
    expect(other.status).toBe(422)
    expect(other.body.detail[0].loc).toEqual(['header', 'idempotency-key'])
    expect((await get(at)).body.total).toBe(1)
    const stranger = await account()
    expect((await stranger.post(at, { name: 'Other' }, key)).status).toBe(201)
  })

  it('does not store an error under an Idempotency-Key', async () => {
    const { post } = await account()
    const key = { 'idempotency-key': newId() }
    expect((await post(at, { name: 'Acme', team_ids: [newId()] }, key)).status).toBe(422)
    expect((await post(at, { name: 'Acme' }, key)).status).toBe(201)
    const long = await post(at, { name: 'Acme' }, { 'idempotency-key': 'x'.repeat(256) })
    expect(long.status).toBe(422)
  })

  it('answers with and without the trailing slash', async () => {
    const { call } = await account()
    const made = await call('POST', `${at}/`, { name: 'Acme' })
    const one = `${at}/${made.body.id}`
    const calls: [string, string, unknown?][] = [
      ['POST', at, { name: 'Acme' }],
      ['GET', at],
      ['GET', `${at}/`],
      ['GET', `${one}/`],
      ['PUT', `${one}/`, {}],
      ['GET', `${one}/team/`],
      ['POST', `${at}/bulk-delete/`, []],
      ['DELETE', `${one}/`],
    ]
    for (const [method, path, body] of calls) {
      expect((await call(method, path, body)).status, `${method} ${path}`).toBeLessThan(300)
    }
    const wrong = await call('PATCH', `${at}/`, {})
    expect([wrong.status, wrong.body]).toEqual([405, { detail: 'Method Not Allowed' }])
    expect(wrong.headers.get('allow')).toContain('POST')
  })

  it('deletes and restores', async () => {
    const { create, get, put, post, delete: remove } = await account()
    const made = await create(at, { name: 'Acme', metadata: { a: 1 } })
    const one = `${at}/${made.id}`
    const gone = await remove(one)
    expect([gone.status, gone.body]).toEqual([200, {}])
    for (const answer of [await get(one), await put(one, {}), await remove(one), await get(`${one}/team`)]) {
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Company not found' }])
    }
    const back = await post(`${one}/restore`)
    expect(back.status).toBe(200)
    expect(back.body).toEqual({ ...made, updated_at: back.body.updated_at })
    expect((await post(`${one}/restore`)).status).toBe(200)
  })

  it('deletes several, skipping ids of other accounts', async () => {
    const client = await account()
    const foreign = await (await account()).create(at, { name: 'theirs' })
    const a = await client.create(at, { name: 'a' })
    const b = await client.create(at, { name: 'b' })
    await client.create(at, { name: 'c' })
    const gone = await client.post(`${at}/bulk-delete`, [a.id, newId(), foreign.id, b.id, a.id])
    expect([gone.status, gone.body]).toEqual([200, {}])
    const left = await client.get(at)
    expect(left.body.items.map((item: { name: string }) => item.name)).toEqual(['c'])
    expect(left.body.total).toBe(1)
  })

  it('accepts 0 to 1000 ids in a bulk delete', async () => {
    const { post, create, get } = await account()
    const kept = await create(at, { name: 'kept' })
    const thousand = Array.from({ length: 1000 }, () => newId())
    expect((await post(`${at}/bulk-delete`, [])).body).toEqual({})
    expect((await post(`${at}/bulk-delete`, thousand)).status).toBe(200)
    const rows: [body: unknown, type: string, loc: (string | number)[]][] = [
      [[...thousand, kept.id], 'too_long', ['body']],
      [[kept.id, 'x'], 'uuid_parsing', ['body', 1]],
      [[5], 'uuid_type', ['body', 0]],
      [{ ids: [kept.id] }, 'list_type', ['body']],
      [undefined, 'missing', ['body']],
    ]
    for (const [body, type, loc] of rows) {
      const answer = await post(`${at}/bulk-delete`, body)
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ type, loc })
    }
    expect((await get(`${at}/${kept.id}`)).status).toBe(200)
  })

  it('limits viewers to reads and keys to their scopes', async () => {
    const owner = await account()
    const { id } = await owner.create(at, { name: 'Acme' })
    const viewer = await anotherMember(owner, { role: 'viewer' })
    const reader = await anotherMember(owner, { scopes: ['companies:read'] })
    const writer = await anotherMember(owner, { scopes: ['companies:write'] })
    const calls: [who: typeof owner, method: string, path: string, body: unknown, status: number][] = [
      [viewer, 'GET', `${at}/${id}`, undefined, 200],
      [viewer, 'PUT', `${at}/${id}`, {}, 403],
      [viewer, 'POST', at, { name: 'x' }, 403],
      [reader, 'GET', at, undefined, 200],
      [reader, 'DELETE', `${at}/${id}`, undefined, 403],
      [reader, 'PUT', `${at}/${id}/team`, [], 403],
      [writer, 'GET', at, undefined, 403],
      [writer, 'POST', at, { name: 'x' }, 201],
      [writer, 'PUT', `${at}/${id}`, {}, 403],
      [reader, 'GET', '/api/contacts', undefined, 403],
    ]
    for (const [who, method, path, body, status] of calls) {
      expect((await who.call(method, path, body)).status, `${method} ${path}`).toBe(status)
    }
  })
})
