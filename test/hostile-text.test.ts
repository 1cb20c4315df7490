/** Text that is small on the wire and large, or slow, once it is normalised. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { wordsFor } from '../src/features/ask/account/words.ts'
import { query } from '../src/kernel/context.ts'
import { contextOf, onBothEngines } from './support/service.ts'

const marks = `${'\u0301'.repeat(16)}${'\u0316'.repeat(16)}`
const tooMany = 'Value error, text must not contain more than 30 combining marks in a row'

onBothEngines('hostile text', newAccount => {
  it('refuses long runs of combining marks in every input', async () => {
    const account = await newAccount()
    const chat = await account.create('/api/chats', {})
    const tried: [string, object, (string | number)[]][] = [
      ['/api/notes', { content: marks }, ['body', 'content']],
      ['/api/companies', { name: 'A', metadata: { a: [marks] } }, ['body', 'metadata', 'a', 0]],
      ['/api/companies', { name: 'A', metadata: { [marks]: 1 } }, ['body', 'metadata', marks, '[key]']],
      [`/api/chats/${chat.id}/messages`, { role: 'user', content: marks }, ['body', 'content']],
      ['/api/search/ask', { question: marks }, ['body', 'question']],
      ['/api/contacts/query', { search: marks }, ['body', 'search']],
      [
        '/api/contacts/query',
        { where: { or: [{ field: 'first_name', op: 'contains', value: marks }] } },
        ['body', 'where', 'or', 0, 'value'],
      ],
    ]
    for (const [path, body, loc] of tried) {
      const answer = await account.post(path, body)
      expect([path, answer.status, answer.body.detail[0]]).toMatchObject([path, 422, { loc, msg: tooMany }])
    }
    const list = await account.get(`/api/companies?search=${encodeURIComponent(marks)}`)
    expect([list.status, list.body.detail[0].msg]).toEqual([422, tooMany])
  })

  it('cuts runs that are assembled later', async () => {
    const account = await newAccount()
    // entities: the text comes in as ASCII
    const body_html = `<p>e${'&#x301;'.repeat(5000)}${'&#x5b0;'.repeat(5000)}</p>`
    const template = await account.create('/api/email-templates', { subject: 'Marks', body_html })
    const [row] = await query(
      contextOf(account),
      sql<{
        size: number
      }>`select length(search_text) as size from email_templates where id = ${template.id}`,
    )
    expect(row!.size).toBeLessThan(100)
  })

  it('counts a question after normalisation', async () => {
    const account = await newAccount()
    const chat = await account.create('/api/chats', {})
    // 18 characters and four words each
    const grows = 'ﷺ'.repeat(1000)
    for (const [path, body] of [
      ['/api/search/ask', { question: grows }],
      ['/api/search', { query: grows }],
    ] as const) {
      const answer = await account.post(path, body)
      expect([answer.status, answer.body.detail[0].msg]).toEqual([
        422,
        'Value error, text must have at most 2000 characters after normalisation (NFKD)',
      ])
    }
    expect((await account.get(`/api/search?q=${encodeURIComponent(grows)}`)).status).toBe(422)
    const answered = await account.post(`/api/chats/${chat.id}/messages`, { content: grows })
    expect([answered.status, answered.body.reply.metadata.grounded]).toEqual([201, false])
  })

  it('looks up no names for a question that is too long', async () => {
    const account = await newAccount()
    const looked: string[] = []
    const ctx = contextOf(account)
    const db = ctx.db.withPlugin({
      transformQuery: ({ node }) => {
        looked.push(JSON.stringify(node))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const lengthAsked = async (question: string) => {
      looked.length = 0
      await wordsFor({ ...ctx, db }, question, ['company', 'contact', 'deal'])
      return looked.filter(statement => statement.includes('search_words')).join().length
    }
    expect(await lengthAsked('companies like Acme')).toBeGreaterThan(0)
    for (const long of ['1,'.repeat(500), 'ﷺ'.repeat(100), 'a '.repeat(100)])
      expect(await lengthAsked(long)).toBe(0)
  })

  it('accepts values of at most 1,000 characters in a nested filter', async () => {
    const account = await newAccount()
    await account.create('/api/companies', { name: 'Große Ærø', metadata: { note: 'Łódź' } })
    const found = async (field: string, op: string, value: unknown) => {
      const { status, body } = await account.post('/api/companies/query', { where: { field, op, value } })
      return status === 200 ? body.total : status
    }
    expect(await found('name', 'contains', 'grosse a')).toBe(1)
    expect(await found('name', 'starts_with', 'GROẞE')).toBe(0)
    expect(await found('name', 'ends_with', 'ÆRØ')).toBe(1)
    expect(await found('cf.note', 'contains', 'lodz')).toBe(1)
    for (const field of ['name', 'cf.note']) {
      expect(await found(field, 'contains', 'x'.repeat(1000))).toBe(0)
      expect(await found(field, 'contains', 'x'.repeat(1001))).toBe(422)
      expect(await found(field, 'in', ['x'.repeat(1001)])).toBe(422)
    }
  })
})
