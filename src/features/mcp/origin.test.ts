import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { isAllowedOrigin } from './origin.ts'

const none = { publicUrl: undefined, corsOrigins: [] }
const crm = { publicUrl: 'https://crm.example.com/base', corsOrigins: ['https://app.example.com'] }

it.each([
  [undefined, 'localhost:8000', none, true],
  ['http://localhost:8000', 'localhost:8000', none, true],
  ['http://127.0.0.1:8000', '127.0.0.1:8000', none, true],
  ['http://[::1]:8000', '[::1]:8000', none, true],
  ['http://localhost:3000', 'localhost:8000', none, false],
  ['http://evil.example', 'localhost:8000', none, false],
  ['http://evil.example:8000', 'evil.example:8000', none, false],
  ['http://localhost.evil.example', 'localhost.evil.example', none, false],
  ['null', 'localhost:8000', none, false],
  ['https://crm.example.com', 'crm.example.com', crm, true],
  ['http://crm.example.com', 'crm.example.com', crm, false],
  ['https://app.example.com', 'crm.example.com', crm, true],
  ['https://evil.example', 'crm.example.com', crm, false],
  ['https://evil.example', 'crm.example.com', { ...none, corsOrigins: ['*'] }, true],
])('origin %s at %s', (origin, host, allowed, expected) => {
  expect(isAllowedOrigin(origin, host, allowed)).toBe(expected)
})

onAnyEngine('MCP', newAccount => {
  it('refuses pages of other origins', async () => {
    const account = await newAccount()
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const headers = { accept: 'application/json, text/event-stream' }
    const refused = await account.post('/mcp', ping, { ...headers, origin: 'http://evil.example' })
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('KITH_CORS_ORIGINS') },
    })
    expect((await account.post('/mcp', ping, { ...headers, origin: account.url })).status).toBe(200)
    expect((await account.post('/mcp', ping, headers)).status).toBe(200)
  })
})
