import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { onAnyEngine, request, testConfig } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'
import { createService } from '../../service.ts'

const path = '/api/email-drafts/generate'

onAnyEngine('a draft from an instruction', (account, kind) => {
  it('is made from the best matching template and says so', async () => {
    const me = await account()
    const company = await me.create('/api/companies', { name: 'Acme' })
    const contact = await me.create('/api/contacts', {
      first_name: 'Ada',
      email: 'ada@acme.co',
      company_id: company.id,
    })
    await me.create('/api/email-templates', {
      subject: 'Welcome aboard',
      body_html: '<p>Hello</p>',
      is_favorite: true,
    })
    const fitting = await me.create('/api/email-templates', {
      subject: 'Our proposal for {{ company.name }}',
      body_html: '<p>Hi {{ contact.first_name }}, did you read the proposal? {{ unknown }}</p>',
    })
    const answer = await me.post(path, { instruction: 'Follow up on the PROPOSAL', contact_id: contact.id })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        ...{ status: 'draft', subject: 'Our proposal for Acme', template_id: fitting.id },
        ...{ contact_id: contact.id, company_id: company.id, to: [{ email: 'ada@acme.co', name: 'Ada' }] },
        body_html: '<p>Hi Ada, did you read the proposal? </p>',
        metadata: { generated_by: 'template', template_id: fitting.id, missing: ['unknown'] },
      },
    })
  })

  it('uses the favorite template when none matches', async () => {
    const me = await account()
    const favorite = await me.create('/api/email-templates', {
      subject: 'A',
      body_html: '',
      is_favorite: true,
    })
    await me.create('/api/email-templates', { subject: 'B', body_html: '' })
    expect((await me.post(path, { instruction: 'zzz' })).body.template_id).toBe(favorite.id)
  })

  it('is an outline from the records when there is no template', async () => {
    const me = await account()
    const contact = await me.create('/api/contacts', { first_name: '<b>Bo', email: 'bo@x.co' })
    const deal = await me.create('/api/deals', { name: 'Big deal', primary_contact_id: contact.id })
    const { body } = await me.post(path, { instruction: 'ask <him>', deal_id: deal.id, tone: 'formal' })
    expect(body).toMatchObject({
      ...{ subject: 'Big deal', contact_id: contact.id, deal_id: deal.id, to: [{ email: 'bo@x.co' }] },
      metadata: { generated_by: 'skeleton', instruction: 'ask <him>' },
    })
    expect(body.body_html).toContain('<p>Hello &lt;b&gt;Bo,</p><p>[To be written: ask &lt;him&gt;]</p>')
  })

  it.each([
    [{}, 'missing', 'instruction'],
    [{ instruction: '' }, 'string_too_short', 'instruction'],
    [{ instruction: 'x'.repeat(10_001) }, 'string_too_long', 'instruction'],
    [{ instruction: 'x', tone: 'x'.repeat(256) }, 'string_too_long', 'tone'],
    [{ instruction: 'x', contact_id: newId() }, 'reference_not_found', 'contact_id'],
    [{ instruction: 'x', deal_id: newId() }, 'reference_not_found', 'deal_id'],
  ])('refuses %#', async (body, type, field) => {
    const me = await account()
    const answer = await me.post(path, body)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc: ['body', field] }] } })
    expect((await me.get('/api/email-drafts')).body.total).toBe(0)
  })

  it('refuses records of another account', async () => {
    const contact = await (await account()).create('/api/contacts', { first_name: 'X' })
    expect((await (await account()).post(path, { instruction: 'x', contact_id: contact.id })).status).toBe(
      422,
    )
  })

  it('uses the language model, and works without it when it fails', async () => {
    const asked: { authorization: string | undefined; body: string }[] = []
    let content = 'Subject: About\r\n\nDear <Ada>,\nhello\n\nBye'
    let meanwhile = async () => {}
    const model = createServer(async (incoming, answer) => {
      let body = ''
      for await (const chunk of incoming) body += chunk
      asked.push({ authorization: incoming.headers.authorization, body })
      await meanwhile()
      answer.end(JSON.stringify({ choices: [{ message: { content } }] }))
    })
    await new Promise<void>(resolve => model.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
    const key = 'sk_model_0123456789abcd'
    const languageModel = { url, model: 'writer', key: 'secret' }
    const service = await createService(await testConfig(kind, { apiKey: key, languageModel }))
    try {
      const at = await service.app.listen({ port: 0, host: '127.0.0.1' })
      const generate = () => request(at + path, 'POST', { instruction: 'Say hello' }, { 'x-api-key': key })
      expect((await generate()).body).toMatchObject({
        subject: 'About',
        body_html: '<p>Dear &lt;Ada&gt;,<br>hello</p><p>Bye</p>',
        metadata: { generated_by: 'model', model: 'writer', instruction: 'Say hello' },
      })
      expect(asked[0]!.authorization).toBe('Bearer secret')
      expect(JSON.parse(asked[0]!.body)).toMatchObject({ model: 'writer' })
      // other requests use the database while the model responds, also with an Idempotency-Key
      const others: number[] = []
      meanwhile = async () => {
        const lists = [1, 2, 3].map(() =>
          request(`${at}/api/contacts`, 'GET', undefined, { 'x-api-key': key }),
        )
        others.push(...(await Promise.all(lists)).map(({ status }) => status))
      }
      const headers = { 'x-api-key': key, 'idempotency-key': 'once' }
      const once = () => request(at + path, 'POST', { instruction: 'Say hello' }, headers)
      const [first, again] = [await once(), await once()]
      expect(others).toEqual([200, 200, 200])
      expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect((await request(at + path, 'POST', { instruction: 'Other' }, headers)).status).toBe(422)
      meanwhile = async () => {}
      content = ''
      expect((await generate()).body.metadata.generated_by).toBe('skeleton')
    } finally {
      await service.close()
      model.close()
    }
  })
})
