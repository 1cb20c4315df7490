/** Answers that must not be larger than their requests warrant, and names that mean something to JavaScript. */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it, test } from 'vitest'
import { TooManyParameters } from '../src/db/dialect.ts'
import { answerOf } from '../src/http/error-answer.ts'
import { query } from '../src/kernel/context.ts'
import { HttpError } from '../src/kernel/errors.ts'
import { type Issue, list, object, text } from '../src/kernel/schema/index.ts'
import { contextOf, onBothEngines, request } from './support/service.ts'

const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']
const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>
}

describe('the issues of a 422', () => {
  const issueAt = (i: number): Issue => ({ type: 't', loc: ['body', i], msg: 'm', input: i })
  const detailOf = (issues: Issue[]) => new HttpError(422, issues).detail as Issue[]

  test.each([
    [0, 0],
    [100, 100],
    [101, 100],
    [5000, 100],
  ])('%i issues become %i', (count, shown) =>
    expect(detailOf(Array.from({ length: count }, (_, i) => issueAt(i)))).toHaveLength(shown),
  )

  test('report that there are more', () =>
    expect(detailOf(Array.from({ length: 101 }, (_, i) => issueAt(i))).at(-1)).toEqual({
      type: 'too_many_errors',
      loc: ['body'],
      msg: 'More problems were found than the 99 listed here',
      input: null,
    }))

  test.each([
    ['a short text', 'abc', 'abc'],
    ['a long text', 'a'.repeat(5000), `${'a'.repeat(200)}…`],
    ['a small object', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['a number', 5, 5],
    ['null', null, null],
  ])('show %s', (_, input, shown) => expect(detailOf([{ ...issueAt(0), input }])[0]!.input).toEqual(shown))

  test.each([
    ['a long list', Array(1e6).fill(1)],
    ['a long text in an object', { a: 'x'.repeat(1e6) }],
    ['a long key', { ['k'.repeat(1e6)]: 1 }],
    ['many keys', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, i]))],
  ])('cut %s', (_, input) => {
    const shown = detailOf([{ ...issueAt(0), input }])[0]!.input
    expect(shown).toBeTypeOf('string')
    expect((shown as string).length).toBeLessThanOrEqual(201)
    expect(JSON.stringify(input).startsWith((shown as string).slice(0, 150))).toBe(true)
  })

  test('are not collected beyond the limit', () => {
    const issues: Issue[] = []
    const rows = list(object({ a: text(), b: list(text()) }))
    rows.check(
      Array.from({ length: 10_000 }, () => ({ b: [1, 2, 3] })),
      [],
      issues,
    )
    expect(issues.length).toBeLessThan(200)
  })
})

onBothEngines('bounded answers', newAccount => {
  it('answer invalid values with a short response', async () => {
    const account = await newAccount()
    const json = { 'content-type': 'application/json', 'x-api-key': account.key }
    const post = (path: string, body: string) => request(account.url + path, 'POST', body, json)
    const infinities = Array(5000).fill('1e999').join()
    const bodies = [
      ['/api/companies', `{"name":"x","metadata":{"${'k'.repeat(20_000)}":[${infinities}]}}`],
      ['/api/companies', JSON.stringify({ name: { deep: 'x'.repeat(1e6) } })],
      ['/api/companies', JSON.stringify({ name: 'x', email: 'x'.repeat(1e6) })],
      ['/api/companies', JSON.stringify({ name: 'x', domains: Array(50_000).fill(1) })],
      ['/api/companies/query', JSON.stringify({ where: { field: 'name', op: 'x'.repeat(1e6) } })],
      ['/api/companies/query', JSON.stringify({ where: { field: 'x'.repeat(1e6) } })],
      ['/api/companies/query', JSON.stringify({ where: { field: `${'x'.repeat(1e6)}.y` } })],
    ] as const
    for (const [path, body] of bodies) {
      const answer = await post(path, body)
      expect([path, answer.status]).toEqual([path, 422])
      expect(answer.text.length).toBeLessThan(60_000)
      expect(answer.body.detail.length).toBeLessThanOrEqual(100)
    }
  })

  it('treat properties of every JavaScript object as unknown names', async () => {
    const account = await newAccount()
    await account.create('/api/contacts', { first_name: 'Ann', job_title: 'CEO' })
    const lists = Object.keys(paths).filter(path => paths[path]!.get && !path.includes('{'))
    const parameters = INHERITED.map(name => `${name}=1`).join('&')
    for (const path of lists) {
      if (/\/(health|ready|metrics|docs|stream|events)/.test(path)) continue
      const answer = await account.get(`${path}?${parameters}&sort_by=constructor&q=constructor`)
      expect([path, answer.status < 500, answer.text.slice(0, 80)]).toEqual([path, true, expect.anything()])
    }
    for (const name of INHERITED) {
      const { status: field } = await account.post('/api/contacts/query', {
        where: { field: name, value: 1 },
      })
      const { status: op } = await account.post('/api/contacts/query', {
        where: { field: 'first_name', op: name, value: 'a' },
      })
      const { status: step } = await account.post('/api/contacts/query', {
        where: { field: `company.${name}`, value: 1 },
      })
      expect([name, field, op, step]).toEqual([name, 422, 422, 422])
      const asked = await account.post('/api/search/ask', { question: `who is the ${name}` })
      expect([name, asked.status]).toEqual([name, 200])
      const found = await account.post('/api/search', { query: 'Ann', filter: JSON.parse(`{"${name}": 1}`) })
      expect([name, found.status < 500]).toEqual([name, true])
      const page = await account.post('/api/kb/documents/import', {
        format: 'html',
        content: `<${name}>a</${name}>`,
      })
      expect([name, page.status < 500]).toEqual([name, true])
    }
  })

  it('take many values in one statement', async () => {
    const account = await newAccount()
    const value = Array.from({ length: 1000 }, (_, i) => `v${i}`)
    await account.create('/api/companies', { name: 'v7', categories: ['Ω'], metadata: { a: 'v8' } })
    const or = [
      ...Array.from({ length: 66 }, () => ({ field: 'name', op: 'in', value })),
      { field: 'cf.a', op: 'in', value: ['v8', 1, true] },
    ]
    expect((await account.post('/api/companies/query', { where: { or } })).body.total).toBe(1)
    const is = async (field: string, op: string, values: unknown[]) =>
      (await account.post('/api/companies/query', { where: { field, op, value: values } })).body.total
    expect(await is('categories', 'in', ['x', 'ω'])).toBe(1)
    expect(await is('cf.a', 'in', [true, 1, 'v8'])).toBe(1)
    expect(await is('cf.a', 'not_in', [true, 1, 'v8'])).toBe(0)
    expect(await is('cf.b', 'not_in', [1])).toBe(1)
    expect(await is('employee_count', 'in', [1, 2])).toBe(0)
    expect(await is('employee_count', 'not_in', [1, 2])).toBe(1)
    expect(await is('created_at', 'not_in', ['2020-01-01T00:00:00Z'])).toBe(1)
    const many = sql.join(Array.from({ length: 65_536 }, (_, i) => sql`${i}::int`))
    const refused = await query(contextOf(account), sql`select ${many}`).catch(error => error)
    expect(refused).toBeInstanceOf(TooManyParameters)
    expect(answerOf(refused).status).toBe(422)
  })
})
