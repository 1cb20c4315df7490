/** The rules between an activity's fields. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'

const at = '/api/activities'
const call = (more: object = {}) => ({ type: 'call', subject: 'Ring Ada', ...more })
const HOUR = 3_600_000
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
const dayFromNow = (days: number) => fromNow(days * 24 * HOUR).slice(0, 10)

onAnyEngine('an activity', account => {
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

  it('computes the duration from start and end unless it is set', async () => {
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

    await put(`${at}/${id}`, { status: 'in_progress' })
    expect((await post(`${at}/${id}/reopen`)).body.status).toBe('in_progress')
    await put(`${at}/${id}`, { status: 'cancelled' })
    expect((await post(`${at}/${id}/reopen`)).body.status).toBe('planned')
  })

  it('created as completed was completed at its end, start or due time', async () => {
    const { create } = await account()
    const completedAt = async (times: object): Promise<number> =>
      Date.parse((await create(at, call({ status: 'completed', ...times }))).completed_at)
    const [due_at, start_at, end_at] = [
      '2026-01-05T09:00:00Z',
      '2026-01-06T09:00:00Z',
      '2026-01-06T10:00:00Z',
    ]
    expect(await completedAt({ due_at })).toBe(Date.parse(due_at))
    expect(await completedAt({ due_at, start_at })).toBe(Date.parse(start_at))
    expect(await completedAt({ due_at, start_at, end_at })).toBe(Date.parse(end_at))
    expect(await completedAt({ due_date: '2026-01-07' })).toBe(Date.parse('2026-01-07T23:59:59.999Z'))
    for (const times of [{}, { due_at: '2100-01-01T00:00:00Z' }]) {
      const moment = await completedAt(times)
      expect(moment).toBeLessThanOrEqual(Date.now() + 1000)
      expect(moment).toBeGreaterThan(Date.now() - 60_000)
    }
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

  it('is assigned to members of the account', async () => {
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
    expect((await put(`${at}/${id}`, { assignee_id: null })).body.assignee_id).toBeNull()
    expect((await put(`${at}/${id}`, { assignee_id: colleague.userId })).status).toBe(422)
  })
})
