import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import { systemDb, transaction } from '../../../kernel/context.ts'
import { HttpError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { sentenceOf } from './check.ts'
import { anotherMember, answered, contextOf, proposed } from './proposals.testing.ts'
import { type ProposedChange, propose, showProposals } from './propose.ts'

const shown = async (me: Account, messageId: string) =>
  (await me.get(`/api/chats/messages/${messageId}`)).body.metadata.proposals

onAnyEngine('proposals of the assistant', account => {
  it('change nothing until a person accepts them, and can be undone', async () => {
    const me = await account()
    const company = await me.create('/api/companies', { name: 'Acme', description: 'Old' })
    const made = await proposed(me, {
      kind: 'update',
      entity_type: 'company',
      entity_id: company.id,
      values: { description: 'New' },
    })
    expect(made).toMatchObject({ status: 'pending', summary: 'Change the company Acme: description' })
    expect((await me.get(`/api/companies/${company.id}`)).body).toEqual(company)
    const [mirrored] = await shown(me, made.messageId)
    expect(mirrored).toEqual({
      ...{ id: made.id, kind: 'update', entity_type: 'company', entity_id: company.id },
      ...{ summary: made.summary, values: { description: 'New' }, status: 'pending' },
    })
    expect((await me.get(made.path)).body).toMatchObject({
      before: { description: 'Old' },
      values: { description: 'New' },
    })

    const other = await anotherMember(me)
    const accepted = await other.post(`${made.path}/accept`)
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        status: 'accepted',
        decided_by: other.userId,
        undone_at: null,
        record: { id: company.id, description: 'New' },
      },
    })
    expect((await me.get(`/api/companies/${company.id}`)).body.description).toBe('New')
    expect((await shown(me, made.messageId))[0].status).toBe('accepted')
    const operation = accepted.headers.get('x-operation-id')!
    expect(accepted.body.operation_id).toBe(operation)
    expect((await me.get(`/api/operations/${operation}`)).body).toMatchObject({
      ...{ kind: 'proposal', entity_type: 'company', record_count: 1, user_id: other.userId },
    })
    expect((await me.post(`/api/operations/${operation}/undo`)).body).toMatchObject({
      reverted: 1,
      conflicts: [],
    })
    expect((await me.get(`/api/companies/${company.id}`)).body.description).toBe('Old')
    expect((await me.get(made.path)).body.undone_at).toMatch(/Z$/)
    expect((await shown(me, made.messageId))[0].status).toBe('accepted')
  })

  const creations: [string, Omit<ProposedChange, 'chat_id'>, string, string][] = [
    [
      'a company',
      { kind: 'create', entity_type: 'company', values: { name: 'Beta' } },
      '/api/companies',
      'Create the company Beta',
    ],
    [
      'a contact',
      { kind: 'create', entity_type: 'contact', values: { first_name: 'Ann', last_name: 'Lee' } },
      '/api/contacts',
      'Create the contact Ann Lee',
    ],
    [
      'a deal',
      { kind: 'create', entity_type: 'deal', values: { name: 'Big' } },
      '/api/deals',
      'Create the deal Big',
    ],
    [
      'an activity',
      { kind: 'create', entity_type: 'activity', values: { type: 'task', subject: 'Call' } },
      '/api/activities',
      'Create the activity Call',
    ],
    [
      'a note',
      { kind: 'create', entity_type: 'note', values: { content: 'Hm', title: 'Idea' } },
      '/api/notes',
      'Create the note Idea',
    ],
    [
      'a mail',
      { kind: 'draft_mail', values: { to: [{ email: 'a@b.test' }], subject: 'Hello' } },
      '/api/email-drafts',
      'Draft a mail to a@b.test: Hello',
    ],
  ]
  it.each(creations)('create %s once accepted, which can be undone', async (_, change, path, summary) => {
    const me = await account()
    const made = await proposed(me, change)
    expect(made.summary).toBe(summary)
    expect((await me.get(path)).body.total).toBe(0)
    const { body } = await me.post(`${made.path}/accept`, {})
    expect(body).toMatchObject({ status: 'accepted', before: {}, entity_id: body.record.id })
    expect((await me.get(`${path}/${body.entity_id}`)).status).toBe(200)
    expect((await shown(me, made.messageId))[0]).toMatchObject({
      status: 'accepted',
      entity_id: body.entity_id,
    })
    await me.post(`/api/operations/${body.operation_id}/undo`)
    expect((await me.get(path)).body.total).toBe(0)
    expect((await me.get(`${path}?deleted=true`)).body.total).toBe(1)
  })

  it('are applied once when several callers accept them at the same time', async () => {
    const me = await account()
    const made = await proposed(me, { kind: 'create', entity_type: 'company', values: { name: 'Once' } })
    const answers = await Promise.all(
      ['accept', 'accept', 'accept', 'reject'].map(word => me.post(`${made.path}/${word}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const { status } = (await me.get(made.path)).body
    const late = answers.filter(answer => answer.status === 409)
    expect(late.map(({ body }) => body.detail)).toEqual(
      Array(3).fill(`This proposal has been ${status} already`),
    )
    expect((await me.get('/api/companies')).body.total).toBe(status === 'accepted' ? 1 : 0)
  })

  it('are accepted once under an Idempotency-Key and return the same response again', async () => {
    const me = await account()
    const made = await proposed(me, { kind: 'create', entity_type: 'company', values: { name: 'Once' } })
    const once = { 'idempotency-key': 'accept' }
    const answers = [
      await me.post(`${made.path}/accept`, {}, once),
      await me.post(`${made.path}/accept`, {}, once),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]!.body).toEqual(answers[0]!.body)
    expect((await me.get('/api/companies')).body.total).toBe(1)
  })

  it('change nothing when rejected', async () => {
    const me = await account()
    const made = await proposed(me, { kind: 'create', entity_type: 'company', values: { name: 'No' } })
    expect(await me.post(`${made.path}/reject`)).toMatchObject({
      status: 200,
      body: { status: 'rejected', operation_id: null },
    })
    expect((await shown(me, made.messageId))[0].status).toBe('rejected')
    expect(await me.post(`${made.path}/accept`)).toMatchObject({
      status: 409,
      body: { detail: 'This proposal has been rejected already' },
    })
    expect((await me.get('/api/companies')).body.total).toBe(0)
  })

  it('report fields that were changed since, unless they are forced', async () => {
    const me = await account()
    const [ann, bob] = [
      await me.create('/api/contacts', { first_name: 'Ann' }),
      await me.create('/api/contacts', { first_name: 'Bob' }),
    ]
    const company = await me.create('/api/companies', {
      name: 'Acme',
      team_ids: [ann.id],
      metadata: { b: 1, a: { d: 1, c: 2 } },
    })
    const values = { name: 'Acme Inc', description: 'x', team_ids: [ann.id, bob.id], metadata: { b: 2 } }
    const made = await proposed(me, { kind: 'update', entity_type: 'company', entity_id: company.id, values })
    // a change of another field or a new name of a team member does not count
    await me.put(`/api/companies/${company.id}`, { industry: 'Steel' })
    await me.put(`/api/contacts/${ann.id}`, { first_name: 'Anna' })
    const again = await proposed(me, {
      kind: 'update',
      entity_type: 'company',
      entity_id: company.id,
      values,
    })
    expect((await me.post(`${again.path}/accept`)).status).toBe(200)
    const late = await me.post(`${made.path}/accept`, { force: false })
    expect(late.status).toBe(409)
    expect(late.body.detail).toContain(
      'changed since this was proposed: name, description, team_ids, metadata.',
    )
    expect((await me.get(made.path)).body.status).toBe('pending')
    expect((await me.post(`${made.path}/accept`, { force: 'perhaps' })).status).toBe(422)
    expect(await me.post(`${made.path}/accept`, { force: true })).toMatchObject({
      status: 200,
      body: { record: { name: 'Acme Inc' } },
    })
  })

  it('fail with a reason when they can no longer be applied, and can be accepted again', async () => {
    const me = await account()
    const contact = await me.create('/api/contacts', { first_name: 'Ann' })
    const made = await proposed(me, {
      kind: 'create',
      entity_type: 'company',
      values: { name: 'A', team_ids: [contact.id] },
    })
    await me.delete(`/api/contacts/${contact.id}`)
    const failed = await me.post(`${made.path}/accept`)
    expect(failed).toMatchObject({
      status: 409,
      body: { detail: 'This cannot be done any more: team_ids.0: Contact not found' },
    })
    expect((await me.get('/api/companies')).body.total).toBe(0)
    expect((await me.get(made.path)).body).toMatchObject({
      status: 'failed',
      error: 'team_ids.0: Contact not found',
      operation_id: null,
    })
    expect((await shown(me, made.messageId))[0].status).toBe('failed')
    expect((await me.get('/api/operations')).body.total).toBe(0)
    await me.post(`/api/contacts/${contact.id}/restore`)
    expect(await me.post(`${made.path}/accept`)).toMatchObject({
      status: 200,
      body: { status: 'accepted', error: null },
    })
  })

  it('report that the record was deleted', async () => {
    const me = await account()
    const company = await me.create('/api/companies', { name: 'Acme' })
    const made = await proposed(me, {
      kind: 'update',
      entity_type: 'company',
      entity_id: company.id,
      values: { name: 'B' },
    })
    await me.delete(`/api/companies/${company.id}`)
    const gone = { status: 409, body: { detail: 'The company that this would change has been deleted' } }
    expect(await me.post(`${made.path}/accept`)).toMatchObject(gone)
    expect(await me.post(`${made.path}/accept`, { force: true })).toMatchObject(gone)
  })

  it('need the permission for the change itself', async () => {
    const me = await account()
    const made = await proposed(me, { kind: 'create', entity_type: 'company', values: { name: 'A' } })
    const callers: [Parameters<typeof anotherMember>[1], string][] = [
      [{ role: 'viewer' }, 'This needs the role member or higher'],
      [{ scopes: ['chats:*'] }, 'This API key lacks the scope companies:write'],
      [
        { scopes: ['chats:*', 'companies:read', 'contacts:write'] },
        'This API key lacks the scope companies:write',
      ],
      [{ scopes: ['companies:write', 'chats:read'] }, 'This API key lacks the scope chats:write'],
    ]
    for (const [options, detail] of callers) {
      const caller = await anotherMember(me, options)
      for (const word of ['accept', 'reject'])
        expect(await caller.post(`${made.path}/${word}`)).toMatchObject({ status: 403, body: { detail } })
    }
    expect((await me.get(made.path)).body.status).toBe('pending')
    const able = await anotherMember(me, { scopes: ['chats:*', 'companies:write'] })
    expect((await able.post(`${made.path}/accept`)).status).toBe(200)
  })

  it('are listed by chat and status, but not for other accounts or chats in the trash', async () => {
    const me = await account()
    const stranger = await account()
    const first = await proposed(me, { kind: 'create', entity_type: 'company', values: { name: 'A' } })
    const second = await proposed(
      me,
      { kind: 'create', entity_type: 'company', values: { name: 'B' } },
      first,
    )
    const elsewhere = await proposed(me, { kind: 'create', entity_type: 'deal', values: { name: 'C' } })
    await me.post(`${second.path}/reject`)
    const rows: [string, string[]][] = [
      ['', [elsewhere.id, second.id, first.id]],
      [`?chat_id=${first.chatId}`, [second.id, first.id]],
      ['?status=pending', [elsewhere.id, first.id]],
      [`?status=rejected&chat_id=${first.chatId}`, [second.id]],
      [`?chat_id=${newId()}`, []],
      ['?page=2&page_size=2', [first.id]],
    ]
    const ids = async (who: Account, search: string) =>
      (await who.get(`/api/chats/proposals${search}`)).body.items.map((item: { id: string }) => item.id)
    for (const [search, expected] of rows) expect([search, await ids(me, search)]).toEqual([search, expected])
    expect((await me.get('/api/chats/proposals?status=odd')).status).toBe(422)
    expect(await ids(stranger, '')).toEqual([])
    const notFound = { status: 404, body: { detail: 'Proposal not found' } }
    for (const call of [
      stranger.get(first.path),
      stranger.post(`${first.path}/accept`),
      stranger.post(`${first.path}/reject`),
    ])
      expect(await call).toMatchObject(notFound)
    await me.delete(`/api/chats/messages/${elsewhere.messageId}`)
    expect(await me.post(`${elsewhere.path}/accept`)).toMatchObject(notFound)
    await me.delete(`/api/chats/${first.chatId}`)
    expect(await me.post(`${first.path}/accept`)).toMatchObject(notFound)
    expect(await ids(me, '')).toEqual([])
    await me.post(`/api/chats/${first.chatId}/restore`)
    expect((await me.post(`${first.path}/accept`)).status).toBe(200)
  })

  const refused: [string, Omit<ProposedChange, 'chat_id'>, string][] = [
    [
      'an unknown kind of record',
      { kind: 'create', entity_type: 'user', values: {} },
      'entity_type: Value error, it is one of company',
    ],
    [
      'a name of every object',
      { kind: 'create', entity_type: 'constructor', values: {} },
      'entity_type: Value error',
    ],
    [
      'a field that is not there',
      { kind: 'create', entity_type: 'company', values: { name: 'A', nome: 'B' } },
      'nome: Value error, there is no such field, only name',
    ],
    [
      'a value of another kind',
      { kind: 'create', entity_type: 'company', values: { name: 5 } },
      'name: Input should be a valid string',
    ],
    [
      'a missing field',
      { kind: 'create', entity_type: 'deal', values: { value: 5 } },
      'name: Field required',
    ],
    [
      'no object',
      { kind: 'create', entity_type: 'deal', values: 'name' },
      'Input should be a valid dictionary',
    ],
    ['nothing', { kind: 'draft_mail', values: {} }, 'nothing would change'],
    [
      'a record that is not there',
      { kind: 'update', entity_type: 'deal', entity_id: newId(), values: { name: 'A' } },
      'Deal not found',
    ],
    [
      'an id that is none',
      { kind: 'update', entity_type: 'deal', entity_id: 'acme', values: { name: 'A' } },
      'entity_id: Input should be a valid UUID',
    ],
    [
      'an update of nothing',
      { kind: 'update', entity_type: 'deal', values: { name: 'A' } },
      'an update names the record',
    ],
    [
      'a link to nobody',
      { kind: 'create', entity_type: 'company', values: { name: 'A', team_ids: [newId()] } },
      'team_ids.0: Contact not found',
    ],
    ['a NUL', { kind: 'create', entity_type: 'company', values: { name: 'a\0' } }, 'name: '],
  ]
  it.each(refused)('are refused with a reason for %s', async (_, change, sentence) => {
    const me = await account()
    const at = await answered(me)
    const error = await proposed(me, change, at).catch(error => error)
    expect(error).toBeInstanceOf(HttpError)
    expect(sentenceOf(error)).toContain(sentence)
    expect((await me.get('/api/chats/proposals')).body.total).toBe(0)
  })

  it('are refused to a caller who could not make the change, and for another account’s chat or record', async () => {
    const [me, stranger] = [await account(), await account()]
    const at = await answered(me)
    const theirs = await stranger.create('/api/companies', { name: 'Theirs' })
    const tryAs = (role: 'viewer' | 'member', scopes: string[], wanted: Partial<ProposedChange> = {}) =>
      transaction(contextOf(me, role, scopes), tx =>
        propose(tx, {
          kind: 'create',
          entity_type: 'company',
          values: { name: 'A' },
          chat_id: at.chatId,
          ...wanted,
        }),
      ).catch(error => error.status)
    expect(await tryAs('viewer', ['*'])).toBe(403)
    expect(await tryAs('member', ['chats:*', 'companies:read'])).toBe(403)
    expect(await tryAs('member', ['*'], { kind: 'update', entity_id: theirs.id })).toBe(404)
    expect(await tryAs('member', ['*'], { chat_id: (await answered(stranger)).chatId })).toBe(404)
    expect(await tryAs('member', ['*'])).toMatchObject({ status: 'pending' })
  })

  it('are erased with the person that they are about', async () => {
    const me = await account()
    const ann = await me.create('/api/contacts', { first_name: 'Ann' })
    const at = await answered(me)
    const values = { last_name: 'Secretname' }
    const made = await proposed(me, { kind: 'update', entity_type: 'contact', entity_id: ann.id, values }, at)
    const kept = await proposed(me, { kind: 'create', entity_type: 'deal', values: { name: 'Kept' } }, at)
    await me.post(`${made.path}/accept`)
    expect((await me.post(`/api/contacts/${ann.id}/erase`)).status).toBe(200)
    expect((await me.get(made.path)).status).toBe(404)
    expect((await shown(me, at.messageId)).map(({ id }: { id: string }) => id)).toEqual([kept.id])
    const { rows } = await sql<{ text: string }>`select c::text as text from changes c
      where c.account_id = ${me.accountId} and c::text like '%Secretname%'`.execute(
      systemDb(me.service.services),
    )
    expect(rows).toEqual([])
  })

  it('can be created before the answer is stored and are then shown with it', async () => {
    const me = await account()
    const { chatId, messageId } = await answered(me)
    const ctx = contextOf(me)
    const change = { kind: 'create', entity_type: 'company', values: { name: 'A' }, chat_id: chatId } as const
    const made = await transaction(ctx, tx => propose(tx, { ...change, summary: ' In my\0 words\n' }))
    expect(made.summary).toBe('In my words')
    expect((await me.post(`/api/chats/proposals/${made.id}/accept`)).status).toBe(404)
    await transaction(ctx, tx => showProposals(tx, messageId, [made.id]))
    expect((await shown(me, messageId))[0].id).toBe(made.id)
    // only once, and not in another chat
    const other = await answered(me)
    await transaction(ctx, tx => showProposals(tx, other.messageId, [made.id]))
    expect(await shown(me, other.messageId)).toEqual([])
    expect((await me.post(`/api/chats/proposals/${made.id}/accept`)).status).toBe(200)
  })
})
