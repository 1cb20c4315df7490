/** Walks every route: each is documented, declared once, and refuses an empty body; isolation-matrix.test.ts says who may call it. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { openApi } from '../src/http/openapi/index.ts'
import type { Endpoint } from '../src/kernel/resource.ts'
import { allEndpoints } from '../src/service.ts'
import { type Account, onAnyEngine, request } from './support/service.ts'

const endpoints = allEndpoints()
const document = openApi(endpoints) as { paths: Record<string, Record<string, { summary: string }>> }
const anyId = '01900000-0000-7000-8000-000000000000'
const fill = (path: string) => path.replace(/\{\w+\}/g, anyId)

it('is documented, route by route', () => {
  const undocumented = endpoints.filter(
    endpoint => !document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.summary,
  )
  expect(undocumented.map(endpoint => `${endpoint.method} ${endpoint.path}`)).toEqual([])
})

it('is declared once, route by route', () => {
  const names = endpoints.map(endpoint => `${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '{}')}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('has a committed document that is not stale (npm run openapi)', () => {
  const committed = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
  expect(committed).toEqual(JSON.parse(JSON.stringify(document)))
})

const named = ({ method, path }: Endpoint) => ({ method, path: fill(path) })

onAnyEngine('every route', account => {
  let me: Account
  beforeAll(async () => {
    me = await account()
  })

  it('answers 401 without credentials before it reads the body', async () => {
    const answer = await request(`${me.url}/api/companies`, 'POST', '{bad json')
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ detail: 'Not authenticated' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  })

  it.each(
    endpoints
      .filter(({ body, bodyOptional, multipart, rawBody }) => body && !bodyOptional && !multipart && !rawBody)
      .map(named),
  )('$method $path treats a null body like no body', async ({ method, path }) => {
    for (const body of ['null', ' null\n', '']) {
      const answer = await me.call(method, path, body, { 'content-type': 'application/json' })
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toContainEqual({
        type: 'missing',
        loc: ['body'],
        msg: 'Field required',
        input: null,
      })
    }
  })

  it('refuses a URL that is too long with a JSON error', async () => {
    const answer = await me.get(`/api/companies?search=${'x'.repeat(17_000)}`)
    expect(answer).toMatchObject({ status: 431, body: { detail: expect.stringContaining('16 KB') } })
  })

  it('accepts null where a body is optional', async () => {
    const { id } = await me.create('/api/activities', { type: 'task', subject: 'Call back' })
    const json = { 'content-type': 'application/json' }
    expect(await me.post(`/api/activities/${id}/complete`, 'null', json)).toMatchObject({ status: 200 })
  })

  it('returns 404 for any other path', async () => {
    const { get, call } = me
    expect(await get('/api/nothing')).toMatchObject({ status: 404, body: { detail: 'Not Found' } })
    const refused = await call('PATCH', '/api/companies/')
    expect(refused).toMatchObject({ status: 405, body: { detail: 'Method Not Allowed' } })
    expect(refused.headers.get('allow')).toContain('POST')
  })
})
