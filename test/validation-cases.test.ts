import { expect, it } from 'vitest'
import cases from './fixtures/validation-cases.json' with { type: 'json' }
import { onAnyEngine } from './support/service.ts'

interface Case {
  label: string
  method: string
  path: string
  headers: Record<string, string>
  json: unknown
  raw: string | null
  status: number
  body?: unknown
  email?: string | null
}

onAnyEngine('recorded requests and answers', account => {
  it.each(cases as Case[])('$label', async recorded => {
    const { call } = await account()
    const body = recorded.raw ?? recorded.json ?? undefined
    const answer = await call(recorded.method, recorded.path, body, recorded.headers)
    expect(answer.status).toBe(recorded.status)
    if (recorded.body !== undefined) expect(answer.body).toEqual(recorded.body)
    if (recorded.email !== undefined) expect(answer.body.email).toBe(recorded.email)
  })
})

onAnyEngine('JSON without a JSON content type', account => {
  it.each([{ 'content-type': 'text/plain' }, { 'content-type': 'application/x-www-form-urlencoded' }, {}])(
    'is not read as JSON: %j',
    async headers => {
      const { call } = await account()
      // bytes, for which fetch makes up no content type of its own
      const answer = await call('POST', '/api/companies', new TextEncoder().encode('{"name":"x"}'), headers)
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({
        type: 'model_attributes_type',
        loc: ['body'],
        input: '{"name":"x"}',
      })
    },
  )
})
