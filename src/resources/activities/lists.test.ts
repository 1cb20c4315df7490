/** Lists of activities: links, filters, and isolation. */
import { expect, it } from 'vitest'
import { anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/activities'
const call = (more: object = {}) => ({ type: 'call', subject: 'Ring Ada', ...more })

onAnyEngine('finding activities', account => {
  it('are sorted by when they are due, a day or a time', async () => {
    const { create, get } = await account()
    await create(at, call({ subject: 'B', due_date: '2031-05-02' }))
    await create(at, call({ subject: 'C', due_at: '2031-05-03T08:00:00Z' }))
    await create(at, call({ subject: 'A', due_at: '2031-05-02T08:00:00Z' }))
    await create(at, call({ subject: 'D' }))
    const subjects: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `sort_by=falls_due_at&sort_order=asc&page_size=1&cursor=${cursor}`
      const { body } = await get(`${at}?${page}`)
      subjects.push(...body.items.map(({ subject }: { subject: string }) => subject))
      cursor = body.next_cursor
    }
    expect(subjects).toEqual(['A', 'B', 'C', 'D'])
  })

  it('are linked to contacts, companies and deals; links to records in the trash are hidden', async () => {
    const { create, put, get, post, delete: remove } = await account()
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const other = await create('/api/contacts', { first_name: 'Bob' })
    const company = await create('/api/companies', { name: 'Acme' })
    const deal = await create('/api/deals', { name: 'Engines' })
    const ties = {
      contact_ids: [other.id, contact.id, other.id],
      company_ids: [company.id],
      deal_ids: [deal.id],
    }
    const made = await create(at, call(ties))
    const shown = {
      contact_ids: [
        { id: other.id, name: 'Bob' },
        { id: contact.id, name: 'Ada' },
      ],
      company_ids: [{ id: company.id, name: 'Acme' }],
      deal_ids: [{ id: deal.id, name: 'Engines' }],
    }
    expect(made).toMatchObject(shown)
    const read = async () => (await get(`${at}/${made.id}`)).body

    for (const [group, id, field] of [
      ['contacts', other.id, 'contact_ids'],
      ['companies', company.id, 'company_ids'],
      ['deals', deal.id, 'deal_ids'],
    ] as const) {
      const list = `/api/${group}/${id}/activities`
      expect((await get(list)).body).toMatchObject({ total: 1, items: [{ id: made.id }] })
      const filter = `${at}?${field.replace('_ids', '_id')}=${id}`
      expect((await get(filter)).body.total).toBe(1)

      await remove(`/api/${group}/${id}`)
      expect((await read())[field]).toEqual(shown[field].filter(item => item.id !== id))
      expect((await get(filter)).body.total).toBe(0)
      expect((await get(list)).status).toBe(404)
      // a record sent back without the hidden link keeps it
      await put(`${at}/${made.id}`, {
        [field]: shown[field].filter(item => item.id !== id).map(item => item.id),
      })
      await post(`/api/${group}/${id}/restore`)
      expect(new Set((await read())[field])).toEqual(new Set(shown[field]))

      await remove(`${at}/${made.id}`)
      expect((await get(list)).body.total).toBe(0)
      expect((await get(`${list}?deleted=true`)).body.total).toBe(1)
      await post(`${at}/${made.id}/restore`)
      expect((await get(list)).body.total).toBe(1)
    }

    expect((await put(`${at}/${made.id}`, { contact_ids: [contact.id], deal_ids: null })).body).toMatchObject(
      {
        contact_ids: [{ id: contact.id }],
        company_ids: [{ id: company.id }],
        deal_ids: [],
      },
    )
  })

  it('lists by every filter', async () => {
    const mine = await account()
    const { create, get } = mine
    const colleague = await anotherMember(mine)
    const march = (day: number, hour = 12) => new Date(Date.UTC(2026, 2, day, hour)).toISOString()
    const rows = {
      a: call({ subject: 'a', due_at: march(1), description: 'über Ölpreise' }),
      b: { type: 'task', subject: 'b', due_date: '2026-03-02', assignee_id: colleague.userId },
      c: { type: 'meeting', subject: 'c', due_at: march(3), location: 'Vienna', status: 'completed' },
      d: { type: 'email', subject: 'd', status: 'cancelled', outcome: 'bounced 100%' },
    }
    for (const body of Object.values(rows)) await create(at, { ...body, metadata: { letter: body.subject } })
    const found: [query: string, subjects: string][] = [
      ['type=call', 'a'],
      ['status=planned', 'ab'],
      ['status=completed', 'c'],
      [`assignee_id=${colleague.userId}`, 'b'],
      [`assignee_id=${newId()}`, ''],
      [`due_from=${march(1)}`, 'abc'],
      [`due_from=${march(1, 13)}`, 'bc'],
      ['due_from=2026-03-02', 'bc'],
      [`due_to=${march(1)}`, 'a'],
      [`due_to=${march(2)}`, 'a'],
      ['due_to=2026-03-02', 'ab'],
      ['due_to=2026-03-03', 'abc'],
      ['due_from=2026-03-02&due_to=2026-03-02', 'b'],
      ['search=olpreise', 'a'],
      ['search=VIENNA', 'c'],
      ['search=100%25', 'd'],
      ['search=nobody', ''],
      ['cf.letter=c', 'c'],
      [`contact_id=${newId()}`, ''],
      ['sort_by=title&sort_order=asc', 'abcd'],
      ['sort_by=due_at&sort_order=asc&due_from=2026-03-01', 'acb'],
      ['sort_by=is_overdue&sort_order=asc&type=email', 'd'],
    ]
    for (const [query, subjects] of found) {
      const { status, body } = await get(`${at}?${query}`)
      expect(status, query).toBe(200)
      const got = body.items.map((item: { subject: string }) => item.subject)
      expect((query.startsWith('sort') ? got : got.toSorted()).join(''), query).toBe(subjects)
      expect(body.total, query).toBe(subjects.length)
    }
    for (const query of ['type=party', 'status=x', 'assignee_id=x', 'due_from=x', 'due_to=x', 'overdue=2']) {
      const answer = await get(`${at}?${query}`)
      expect(answer.status, query).toBe(422)
      expect(answer.body.detail[0].loc).toEqual(['query', query.split('=')[0]])
    }
  })

  it('shows nothing of another account and links none of its records', async () => {
    const { create } = await account()
    const stranger = await account()
    const { id } = await create(at, call())
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const calls: [method: string, path: string, body?: unknown][] = [
      ['GET', `${at}/${id}`],
      ['PUT', `${at}/${id}`, { end_at: '2026-01-01T00:00:00Z' }],
      ['DELETE', `${at}/${id}`],
      ['POST', `${at}/${id}/complete`],
      ['POST', `${at}/${id}/reopen`],
      ['POST', `${at}/${id}/restore`],
    ]
    for (const [method, path, body] of calls) {
      const answer = await stranger.call(method, path, body)
      expect(answer.status, `${method} ${path}`).toBe(404)
      expect(answer.body).toEqual({ detail: 'Activity not found' })
    }
    const sub = await stranger.get(`/api/contacts/${contact.id}/activities`)
    expect(sub).toMatchObject({ status: 404, body: { detail: 'Contact not found' } })
    const tied = await stranger.post(at, call({ contact_ids: [contact.id] }))
    expect(tied.body.detail).toMatchObject([{ type: 'reference_not_found', loc: ['body', 'contact_ids', 0] }])
    expect((await stranger.get(at)).body.total).toBe(0)
    expect((await stranger.get(`${at}?contact_id=${contact.id}`)).body.total).toBe(0)
  })

  it('needs the write permission for changes', async () => {
    const viewer = await account({ role: 'viewer' })
    expect((await viewer.post(at, call())).status).toBe(403)
    expect((await viewer.post(`${at}/${newId()}/complete`)).status).toBe(403)
    expect((await viewer.get(at)).status).toBe(200)
    const narrow = await account({ scopes: ['contacts:read'] })
    expect((await narrow.get(`${at}/calendar?from=2026-01-01&to=2026-01-02`)).status).toBe(403)
    expect((await narrow.get(`/api/contacts/${newId()}/activities`)).status).toBe(403)
  })
})
