/** How much one caller may ask for. */
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../src/db/engine.ts'
import { health } from '../src/http/health.ts'
import { createService, type Service } from '../src/service.ts'
import { engines, request, testConfig } from './support/service.ts'

describe('the rate limit', () => {
  let service: Service
  let url: string
  const key = 'sk_limited_0123456789abc'
  beforeAll(async () => {
    const config = await testConfig(engines.at(-1)!, { apiKey: key })
    service = await createService({ ...config, limits: { ...config.limits, requestsPerMinute: 5 } })
    url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => service?.close())

  const get = (path: string, headers: Record<string, string> = {}) =>
    request(url + path, 'GET', undefined, headers)

  it('counts by credential, and reports the remaining requests and the time to retry', async () => {
    const left = []
    for (let i = 0; i < 5; i++) {
      const answer = await get('/api/companies', { 'x-api-key': key })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-ratelimit-limit')).toBe('5')
      left.push(answer.headers.get('x-ratelimit-remaining'))
    }
    expect(left).toEqual(['4', '3', '2', '1', '0'])
    const refused = await get('/api/companies', { 'x-api-key': key })
    expect(refused).toMatchObject({ status: 429, body: { detail: 'Too many requests: slow down' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(refused.headers.get('x-request-id')).toBeTruthy()
    // Another caller is not held up, nor is whoever looks after the service.
    expect((await get('/api/companies', { 'x-api-key': `${key}x` })).status).toBe(401)
    for (const path of ['/health', '/ready', '/metrics', '/docs', '/openapi.json']) {
      expect((await get(path, { 'x-api-key': key })).status).toBe(200)
    }
  })

  it('counts a key once, however the header spells it', async () => {
    const spellings = ['Bearer ', 'Bearer  ', 'bearer ', 'BEARER   ']
    for (const spelling of spellings)
      expect((await get('/api/companies', { authorization: `${spelling}${key}` })).status).toBe(429)
  })

  it('counts refused requests by IP address, however many invalid keys are sent', async () => {
    const statuses = []
    for (let i = 0; i < 8; i++) {
      statuses.push((await get('/api/companies', { 'x-api-key': `sk_guess_${i}` })).status)
    }
    // one was refused before
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429, 429])
    expect((await get('/health')).status).toBe(200)
  })

  it('counts public pages by IP address, regardless of credentials', async () => {
    const statuses = []
    for (const path of [
      '/kb/none',
      '/share/none',
      '/kb/none/page',
      '/share/x',
      '/share/y',
      '/share/z',
      '/kb/z',
    ])
      statuses.push((await get(path, { 'x-api-key': `sk_${path}` })).status)
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429])
  })

  it('counts what needs no credentials by address, besides probes', async () => {
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await get('/metrics')).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await get('/docs')).status).toBe(429)
    expect((await get('/ready')).status).toBe(200)
  })
})

describe('probes', () => {
  it.each(['/ready', '/metrics'])('of %s share one database check', async url => {
    const service = await createService(await testConfig(engines.at(-1)!))
    try {
      const { statements } = service.services.engine.stats()
      const probes = Array.from({ length: 50 }, () => service.app.inject({ url }))
      for (const { statusCode } of await Promise.all(probes)) expect(statusCode).toBe(200)
      expect(service.services.engine.stats().statements - statements).toBeLessThan(25)
    } finally {
      await service.close()
    }
  })
})

describe('readiness', () => {
  it('fails when the stop began during the database check', async () => {
    const service = await createService(await testConfig(engines.at(-1)!))
    const app = fastify()
    try {
      const { services } = service
      const stopping = { begun: false, probed() {} }
      const engine: Engine = {
        ...services.engine,
        as(scope) {
          stopping.begun = true
          return services.engine.as(scope)
        },
      }
      health(app, { ...services, engine }, stopping)
      const answer = await app.inject({ url: '/ready' })
      expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'stopping' }])
    } finally {
      await app.close()
      await service.close()
    }
  })
})

describe('metrics', () => {
  it('need the configured token', async () => {
    const metricsToken = 'prometheus-0123456789'
    const service = await createService(await testConfig(engines.at(-1)!, { metricsToken }))
    try {
      const status = async (authorization?: string) => {
        const headers = authorization === undefined ? {} : { authorization }
        return (await service.app.inject({ url: '/metrics', headers })).statusCode
      }
      expect(await status()).toBe(401)
      expect(await status('Bearer prometheus-012345678')).toBe(401)
      expect(await status(`Bearer ${metricsToken}`)).toBe(200)
    } finally {
      await service.close()
    }
  })
})
