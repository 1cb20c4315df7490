/** Creating, changing, completing and finding activities. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/activities'
const long = (length: number) => 'x'.repeat(length)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
const dayFromNow = (days: number) => fromNow(days * DAY).slice(0, 10)

type Row = [field: string, value: unknown, type: string, loc?: (string | number)[]]

const refused: Row[] = [
  ['type', 'party', 'enum'],
  ['type', null, 'enum'],
  ['subject', '', 'string_too_short'],
  ['subject', long(256), 'string_too_long'],
  ['subject', null, 'string_type'],
  ['subject', 'a\u0000', 'value_error'],
  ['title', long(256), 'string_too_long'],
  ['title', '', 'string_too_short'],
  ['title', null, 'string_type'],
  ['description', long(50_001), 'string_too_long'],
  ['status', 'done', 'enum'],
  ['status', null, 'enum'],
  ['priority', 'huge', 'enum'],
  ['due_at', 'soon', 'datetime_from_date_parsing'],
  ['due_date', '2026-02-30', 'date_from_datetime_parsing'],
  ['due_date', '2026-02-03T10:00:00Z', 'date_from_datetime_inexact'],
  ['start_at', [], 'datetime_type'],
  ['end_at', '2026-13-01', 'datetime_from_date_parsing'],
  ['all_day', null, 'bool_type'],
  ['all_day', 'maybe', 'bool_parsing'],
  ['duration_minutes', -1, 'greater_than_equal'],
  ['duration_minutes', 1.5, 'int_from_float'],
  ['duration_minutes', 2_147_483_648, 'less_than_equal'],
  ['direction', 'sideways', 'enum'],
  ['outcome', long(50_001), 'string_too_long'],
  ['location', long(256), 'string_too_long'],
  ['meeting_url', long(2049), 'string_too_long'],
  ['assignee_id', 'x', 'uuid_parsing'],
  ['assignee_id', newId(), 'reference_not_found'],
  ['contact_ids', 'x', 'list_type'],
  ['contact_ids', ['x'], 'uuid_parsing', ['body', 'contact_ids', 0]],
  ['contact_ids', [newId()], 'reference_not_found', ['body', 'contact_ids', 0]],
  ['company_ids', [newId()], 'reference_not_found', ['body', 'company_ids', 0]],
  ['deal_ids', [newId()], 'reference_not_found', ['body', 'deal_ids', 0]],
  ['contact_ids', Array.from({ length: 1001 }, newId), 'too_long'],
  ['reminder_at', 'x', 'datetime_from_date_parsing'],
  ['transcription_id', 5, 'uuid_type'],
  ['transcription_id', newId(), 'reference_not_found'],
  ['metadata', [], 'dict_type'],
]

const accepted: [field: string, value: unknown, answered?: unknown][] = [
  ...(['call', 'meeting', 'task', 'email', 'other'] as const).map(type => ['type', type] as [string, string]),
  ['subject', long(255)],
  ['description', long(50_000)],
  ['status', 'in_progress'],
  ['status', 'cancelled'],
  ...(['low', 'medium', 'high', 'urgent', null] as const).map(p => ['priority', p] as [string, unknown]),
  ['due_at', '2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ['due_date', '2026-03-01'],
  ['start_at', 0, '1970-01-01T00:00:00.000Z'],
  ['end_at', '9999-12-31T23:59:59.999Z'],
  ['due_date', '9999-12-31'],
  ['all_day', true],
  ['duration_minutes', 2_147_483_647],
  ['direction', 'inbound'],
  ['outcome', 'Left a message'],
  ['location', long(255)],
  ['meeting_url', long(2048)],
  ['reminder_at', '2026-03-01T09:00:00.000Z'],
  ['transcription_id', null],
  ['metadata', { room: { floor: 2 } }],
]

const call = (more: object = {}) => ({ type: 'call', subject: 'Ring Ada', ...more })

onBothEngines('activities', account => {
  it('answers with every field', async () => {
    const { create, userId, accountId } = await account()
    const made = await create(at, { type: 'task', subject: 'Write', title: 'Another', unknown: 1 })
    expect(made).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account_id: accountId,
      type: 'task',
      subject: 'Write',
      title: 'Write',
      description: null,
      status: 'planned',
      priority: null,
      due_at: null,
      due_date: null,
      start_at: null,
      end_at: null,
      all_day: false,
      duration_minutes: null,
      completed_at: null,
      is_overdue: false,
      direction: null,
      outcome: null,
      location: null,
      meeting_url: null,
      assignee_id: null,
      contact_ids: [],
      company_ids: [],
      deal_ids: [],
      reminder_at: null,
      transcription_id: null,
      metadata: {},
      custom_fields: {},
      created_by: userId,
    })
  })

  it('refuses what is out of bounds, on create and on update, and writes nothing', async () => {
    const { create, post, put, get } = await account()
    const { id } = await create(at, call())
    for (const [field, value, type, loc = ['body', field]] of refused) {
      const row = `${field} = ${JSON.stringify(value)?.slice(0, 40)}`
      const made = await post(at, call({ [field]: value }))
      expect(made.status, row).toBe(422)
      expect(made.body.detail, row).toMatchObject([{ type, loc }])
      const changed = await put(`${at}/${id}`, { [field]: value })
      expect(changed.status, row).toBe(422)
      expect(changed.body.detail, row).toMatchObject([{ type, loc }])
    }
    expect((await get(at)).body.total).toBe(1)
    expect((await get(`${at}/${id}`)).body).toMatchObject({ subject: 'Ring Ada', type: 'call' })
  })

  it('keeps what is within bounds, on create and on update', async () => {
    const { create, put } = await account()
    const { id } = await create(at, call())
    for (const [field, value, answered = value] of accepted) {
      expect((await create(at, call({ [field]: value })))[field], field).toEqual(answered)
    }
    for (const [field, value, answered = value] of accepted) {
      // each alone: together they would make a span that ends before it starts
      await put(`${at}/${id}`, { start_at: null, end_at: null })
      const changed = await put(`${at}/${id}`, { [field]: value })
      expect(changed.status, field).toBe(200)
      expect(changed.body[field], field).toEqual(answered)
    }
  })

  it('needs a type and one of subject and title', async () => {
    const { post, create, put } = await account()
    const rows: [body: unknown, loc: string[]][] = [
      [{ type: 'call' }, ['body', 'subject']],
      [{ subject: 'S' }, ['body', 'type']],
      [{ title: 'S' }, ['body', 'type']],
      [{ type: 'call', subject: null, title: 'S' }, ['body', 'subject']],
    ]
    for (const [body, loc] of rows) {
      const answer = await post(at, body)
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0]).toMatchObject({ loc })
    }
    expect((await post(at, { type: 'call' })).body.detail).toEqual([
      { type: 'missing', loc: ['body', 'subject'], msg: 'Field required', input: { type: 'call' } },
    ])
    expect((await post(at, [])).body.detail[0]).toMatchObject({
      type: 'model_attributes_type',
      loc: ['body'],
    })

    const { id, subject } = await create(at, { type: 'call', title: 'By title' })
    expect(subject).toBe('By title')
    expect((await put(`${at}/${id}`, { title: 'Renamed' })).body).toMatchObject({
      subject: 'Renamed',
      title: 'Renamed',
    })
    expect((await put(`${at}/${id}`, { title: 'Old', subject: 'New' })).body).toMatchObject({
      subject: 'New',
      title: 'New',
    })
    expect((await put(`${at}/${id}`, { priority: 'low' })).body.title).toBe('New')
  })

  it('never ends before it starts, whichever of the two is changed', async () => {
    const { post, create, put, get } = await account()
    const noon = '2026-03-01T12:00:00.000Z'
    const one = '2026-03-01T13:00:00.000Z'
    const problem = {
      type: 'value_error',
      loc: ['body', 'end_at'],
      msg: 'Value error, end_at must not be before start_at',
    }
    expect((await post(at, call({ start_at: one, end_at: noon }))).body.detail).toMatchObject([problem])
    const { id } = await create(at, call({ start_at: noon, end_at: noon }))
    const rows: [change: object, fine: boolean][] = [
      [{ end_at: '2026-03-01T11:59:59.999Z' }, false],
      [{ start_at: one }, false],
      [{ start_at: one, end_at: noon }, false],
      [{ end_at: one }, true],
      [{ start_at: one }, true],
      [{ end_at: null }, true],
      [{ end_at: noon }, false],
      [{ end_at: noon, start_at: null }, true],
      [{ start_at: one, end_at: null }, true],
    ]
    for (const [change, fine] of rows) {
      const answer = await put(`${at}/${id}`, change)
      expect(answer.status, JSON.stringify(change)).toBe(fine ? 200 : 422)
      if (!fine) expect(answer.body.detail).toMatchObject([problem])
    }
    expect((await get(`${at}/${id}`)).body).toMatchObject({ start_at: one, end_at: null })
  })

  it('works the duration out from start and end unless one was given', async () => {
    const { create, put, get } = await account()
    const span = { start_at: '2026-03-01T12:00:00Z', end_at: '2026-03-01T12:45:59Z' }
    const { id } = await create(at, call(span))
    const read = (await get(`${at}/${id}`)).body
    expect(read.duration_minutes).toBe(45)
    const sentBack = {
      ...read,
      contact_ids: [],
      company_ids: [],
      deal_ids: [],
      end_at: '2026-03-01T14:00:00Z',
    }
    expect((await put(`${at}/${id}`, sentBack)).body.duration_minutes).toBe(120)
    expect((await put(`${at}/${id}`, { duration_minutes: 0 })).body.duration_minutes).toBe(0)
    expect((await put(`${at}/${id}`, { duration_minutes: null })).body.duration_minutes).toBe(120)
    expect((await put(`${at}/${id}`, { start_at: null })).body.duration_minutes).toBeNull()
  })

  it('is completed and opened again', async () => {
    const { create, post, put } = await account()
    const { id } = await create(at, call())
    const done = await post(`${at}/${id}/complete`, { outcome: 'Said yes' })
    expect(done).toMatchObject({ status: 200, body: { status: 'completed', outcome: 'Said yes' } })
    expect(Date.parse(done.body.completed_at)).toBeGreaterThan(Date.now() - 60_000)

    const again = await post(`${at}/${id}/complete`)
    expect(again.body).toMatchObject({ completed_at: done.body.completed_at, outcome: 'Said yes' })
    expect((await post(`${at}/${id}/complete`, { outcome: null })).body.outcome).toBeNull()
    expect((await post(`${at}/${id}/complete`, { outcome: 5 })).status).toBe(422)

    const open = await post(`${at}/${id}/reopen`)
    expect(open).toMatchObject({ status: 200, body: { status: 'planned', completed_at: null } })
    expect(open.headers.get('etag')).toBeTruthy()

    const steps: [change: object, status: string, completed: boolean][] = [
      [{ status: 'completed' }, 'completed', true],
      [{ subject: 'Other' }, 'completed', true],
      [{ status: 'in_progress' }, 'in_progress', false],
      [{ status: 'cancelled' }, 'cancelled', false],
      [{ status: 'completed', completed_at: '2001-01-01T00:00:00Z' }, 'completed', true],
    ]
    for (const [change, status, completed] of steps) {
      const { body } = await put(`${at}/${id}`, change)
      expect(body.status).toBe(status)
      expect(body.completed_at !== null, JSON.stringify(change)).toBe(completed)
      if (completed) expect(Date.parse(body.completed_at)).toBeGreaterThan(Date.now() - 60_000)
    }
    expect((await create(at, call({ status: 'completed' }))).completed_at).not.toBeNull()

    await put(`${at}/${id}`, { status: 'in_progress' })
    expect((await post(`${at}/${id}/reopen`)).body.status).toBe('in_progress')
    await put(`${at}/${id}`, { status: 'cancelled' })
    expect((await post(`${at}/${id}/reopen`)).body.status).toBe('planned')
  })

  it('is overdue while it is open and its time, or the end of its day, has passed', async () => {
    const { create, post, get } = await account()
    const rows: [fields: object, overdue: boolean][] = [
      [{}, false],
      [{ due_at: fromNow(-HOUR) }, true],
      [{ due_at: fromNow(HOUR) }, false],
      [{ due_date: dayFromNow(-1) }, true],
      [{ due_date: dayFromNow(0) }, false],
      [{ due_at: fromNow(HOUR), due_date: dayFromNow(-1) }, false],
      [{ due_at: fromNow(-HOUR), status: 'in_progress' }, true],
      [{ due_at: fromNow(-HOUR), status: 'completed' }, false],
      [{ due_at: fromNow(-HOUR), status: 'cancelled' }, false],
      [{ start_at: fromNow(-HOUR) }, false],
    ]
    const ids = []
    for (const [fields, overdue] of rows) {
      const made = await create(at, call(fields))
      expect(made.is_overdue, JSON.stringify(fields)).toBe(overdue)
      ids.push(made.id)
    }
    const late = await get(`${at}?overdue=true`)
    expect(late.body.items.map((item: { id: string }) => item.id).toSorted()).toEqual(
      ids.filter((_, i) => rows[i]![1]).toSorted(),
    )
    expect((await get(`${at}?overdue=false`)).body.total).toBe(rows.filter(([, overdue]) => !overdue).length)
    expect((await post(`${at}/${ids[1]}/complete`)).body.is_overdue).toBe(false)
  })

  it('is assigned to members of the account, and stays with one who leaves', async () => {
    const mine = await account()
    const { create, put } = mine
    const colleague = await anotherMember(mine)
    const { id, assignee_id } = await create(at, call({ assignee_id: colleague.userId }))
    expect(assignee_id).toBe(colleague.userId)
    const stranger = await account()
    const refusal = await put(`${at}/${id}`, { assignee_id: stranger.userId })
    expect(refusal.status).toBe(422)
    expect(refusal.body.detail).toEqual([
      {
        type: 'reference_not_found',
        loc: ['body', 'assignee_id'],
        msg: 'User not found',
        input: stranger.userId,
      },
    ])
    await sql`delete from members where account_id = ${mine.accountId} and user_id = ${colleague.userId}`.execute(
      systemDb(mine.service.services),
    )
    const kept = await put(`${at}/${id}`, { assignee_id: colleague.userId, subject: 'Later' })
    expect(kept).toMatchObject({ status: 200, body: { assignee_id: colleague.userId, subject: 'Later' } })
    expect((await put(`${at}/${id}`, { assignee_id: null })).body.assignee_id).toBeNull()
    expect((await put(`${at}/${id}`, { assignee_id: colleague.userId })).status).toBe(422)
  })

  it('is tied to contacts, companies and deals, which hide it and it them while in the trash', async () => {
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
      // what is sent back without the hidden one does not untie it
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

  it('lists by its own filters', async () => {
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

  it('shows nothing to another account and ties nothing of it', async () => {
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

  it('needs the right to write', async () => {
    const viewer = await account({ role: 'viewer' })
    expect((await viewer.post(at, call())).status).toBe(403)
    expect((await viewer.post(`${at}/${newId()}/complete`)).status).toBe(403)
    expect((await viewer.get(at)).status).toBe(200)
    const narrow: Account = await account({ scopes: ['contacts:read'] })
    expect((await narrow.get(`${at}/calendar?from=2026-01-01&to=2026-01-02`)).status).toBe(403)
    expect((await narrow.get(`/api/contacts/${newId()}/activities`)).status).toBe(403)
  })
})
