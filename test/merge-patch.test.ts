/** PATCH with application/merge-patch+json: single keys of a record's free objects. */
import { expect, it } from 'vitest'
import { pathOf } from '../src/kernel/general-endpoints.ts'
import { newId } from '../src/kernel/ids.ts'
import { resources } from '../src/resources/index.ts'
import { examples } from './support/examples.ts'
import { type Account, onAnyEngine } from './support/service.ts'

const MERGE = { 'content-type': 'application/merge-patch+json' }
const patchOf =
  (on: Account) =>
  (path: string, body: unknown, headers: Record<string, string> = {}) =>
    on.call('PATCH', path, typeof body === 'string' ? body : JSON.stringify(body), { ...MERGE, ...headers })

const cases = resources
  .filter(resource => examples[pathOf(resource)])
  .map(resource => ({ path: pathOf(resource), hasMetadata: 'metadata' in resource.record.input.fields }))

onAnyEngine('a merge patch', account => {
  it.each(cases)('$path: changes only the fields in the patch', async ({ path, hasMetadata }) => {
    const me = await account()
    const patch = patchOf(me)
    const { body, change } = examples[path]!
    const metadata = { kept: 1, changed: 'a', gone: true, deep: { x: 1, y: 2 } }
    const record = await me.create(path, { ...(await body(me, 1)), ...(hasMetadata ? { metadata } : {}) })
    const one = `${path}/${record.id}`
    expect(await patch(one, change)).toMatchObject({ status: 200, body: change })
    if (!hasMetadata) return
    const answer = await patch(one, { metadata: { changed: 'b', gone: null, deep: { y: null, z: [1] } } })
    expect(answer.status).toBe(200)
    expect(answer.body.metadata).toEqual({ kept: 1, changed: 'b', deep: { x: 1, z: [1] } })
    expect(answer.body).toMatchObject(change)
    // PUT, and PATCH with plain JSON, replace the object
    expect((await me.put(one, { metadata: { a: 1, b: 2 } })).body.metadata).toEqual({ a: 1, b: 2 })
    expect((await me.call('PATCH', one, { metadata: { b: 3 } })).body.metadata).toEqual({ b: 3 })
  })

  it('clears fields with null, replaces lists and keeps the mirror of metadata', async () => {
    const me = await account()
    const patch = patchOf(me)
    const company = await me.create('/api/companies', {
      name: 'Acme',
      city: 'Graz',
      categories: ['A', 'B'],
      enrichment: { source: 'x', score: 1 },
      metadata: { tier: 1 },
    })
    const one = `/api/companies/${company.id}`
    const { body } = await patch(one, {
      city: null,
      categories: ['C'],
      enrichment: { score: 2 },
      metadata: { region: 'south' },
      custom_fields: { ignored: true },
    })
    expect(body).toMatchObject({ city: null, categories: ['C'], enrichment: { source: 'x', score: 2 } })
    expect(body.metadata).toEqual({ tier: 1, region: 'south' })
    expect(body.custom_fields).toEqual(body.metadata)
    expect((await patch(one, {})).body).toMatchObject({ name: 'Acme', metadata: body.metadata })
  })

  it('checks the merged result as a PUT would', async () => {
    const me = await account()
    const patch = patchOf(me)
    const declare = (field: object) => me.create('/api/custom-fields', { entity_type: 'company', ...field })
    await declare({ name: 'Tier', field_type: 'select', options: [{ value: 'gold', label: 'Gold' }] })
    await declare({ name: 'Number', field_type: 'number', is_required: true })
    await declare({ name: 'Code', field_type: 'text', is_unique: true })
    const metadata = { number: 1, code: 'x', free: true }
    await me.create('/api/companies', { name: 'Other', metadata: { number: 2, code: 'taken' } })
    const { id } = await me.create('/api/companies', { name: 'Acme', metadata })
    const one = `/api/companies/${id}`
    for (const [body, status, loc] of [
      [{ metadata: { tier: 'silver' } }, 422, ['body', 'metadata', 'tier']],
      [{ metadata: { number: 'many' } }, 422, ['body', 'metadata', 'number']],
      [{ metadata: { number: null } }, 422, ['body', 'metadata', 'number']],
      [{ metadata: { code: 'taken' } }, 409, undefined],
      [{ metadata: null }, 422, ['body', 'metadata']],
      [{ metadata: 'x' }, 422, ['body', 'metadata']],
      [{ name: null }, 422, ['body', 'name']],
      [{ team_ids: [newId()] }, 422, ['body', 'team_ids', 0]],
      ['[]', 422, ['body']],
      ['null', 422, ['body']],
      ['"text"', 422, ['body']],
      ['{', 422, ['body', 1]],
      ['', 422, ['body']],
    ] as const) {
      const answer = await patch(one, body)
      expect([answer.status, answer.body.detail[0].loc], JSON.stringify(body)).toEqual([status, loc])
    }
    expect((await me.get(one)).body.metadata).toEqual(metadata)
    const done = await patch(one, { metadata: { tier: 'gold', number: 5, free: null } })
    expect(done.body.metadata).toEqual({ tier: 'gold', number: 5, code: 'x' })
    expect((await me.get('/api/companies?cf.tier=gold')).body.total).toBe(1)
    expect((await patch(`/api/companies/${newId()}`, {})).status).toBe(404)
  })

  it('respects If-Match, and loses no concurrent write', async () => {
    const me = await account()
    const patch = patchOf(me)
    const { id } = await me.create('/api/contacts', { first_name: 'Ann' })
    const one = `/api/contacts/${id}`
    const etag = (await me.get(one)).headers.get('etag')!
    expect((await patch(one, { metadata: { a: 0 } }, { 'if-match': etag })).status).toBe(200)
    expect((await patch(one, { metadata: { b: 0 } }, { 'if-match': etag })).status).toBe(412)
    const keys = Array.from({ length: 12 }, (_, i) => `k${i}`)
    await Promise.all(keys.map(key => patch(one, { metadata: { [key]: key } })))
    expect(Object.keys((await me.get(one)).body.metadata).sort()).toEqual(['a', ...keys].sort())
  })

  it('does not let an object grow beyond 256 KB', async () => {
    const me = await account()
    const patch = patchOf(me)
    const { id } = await me.create('/api/companies', { name: 'Acme' })
    const half = 'x'.repeat(150_000)
    expect((await patch(`/api/companies/${id}`, { metadata: { a: half } })).status).toBe(200)
    const refused = await patch(`/api/companies/${id}`, { metadata: { b: half } })
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'metadata']])
  })

  it('is refused where there is nothing to merge into', async () => {
    const me = await account()
    const { id } = await me.create('/api/companies', { name: 'Acme' })
    for (const [method, path] of [
      ['PUT', `/api/companies/${id}`],
      ['POST', '/api/companies'],
    ] as const) {
      expect((await me.call(method, path, '{"name": "x"}', MERGE)).status).toBe(415)
    }
  })
})
