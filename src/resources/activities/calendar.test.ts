/** Activities within a time range. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/activities'
const calendar = `${at}/calendar`
const march = (day: number, hour = 0, minute = 0) =>
  new Date(Date.UTC(2026, 2, day, hour, minute)).toISOString()

const rows: Record<string, object> = {
  short: { start_at: march(10, 9), end_at: march(10, 10) },
  night: { start_at: march(10, 22), end_at: march(11, 2) },
  long: { start_at: march(1), end_at: march(20) },
  moment: { start_at: march(12, 8) },
  endOnly: { end_at: march(13, 8) },
  dueAt: { due_at: march(14, 18) },
  dueDay: { due_date: '2026-03-15' },
  dueBoth: { due_at: march(16, 9), due_date: '2026-03-25' },
  farDue: { start_at: march(2), due_at: march(17, 7) },
  never: {},
}

const spans: [from: string, to: string, found: string[]][] = [
  [march(10), march(10, 23), ['long', 'short', 'night']],
  [march(10, 10), march(10, 11), ['long']],
  [march(10, 9, 30), march(10, 9, 40), ['long', 'short']],
  [march(10, 8), march(10, 9), ['long', 'short']],
  [march(11, 1), march(11, 3), ['long', 'night']],
  [march(11, 2), march(11, 3), ['long']],
  [march(12, 8), march(12, 8), ['long', 'moment']],
  [march(12, 9), march(12, 10), ['long']],
  [march(13), march(13, 12), ['long', 'endOnly']],
  [march(14, 18), march(14, 18), ['long', 'dueAt']],
  [march(14, 19), march(14, 20), ['long']],
  [march(15, 10), march(15, 11), ['long', 'dueDay']],
  ['2026-03-15', '2026-03-15', ['long', 'dueDay']],
  ['2026-03-16', '2026-03-17', ['long', 'farDue', 'dueBoth']],
  ['2026-03-25', '2026-03-25', []],
  ['2026-03-01', '2026-03-02', ['long', 'farDue']],
  ['2026-03-20', '2026-03-20', []],
  ['2026-03-19', '2026-03-20', ['long']],
  [
    '2026-03-01',
    '2026-03-31',
    ['long', 'farDue', 'short', 'night', 'moment', 'endOnly', 'dueAt', 'dueDay', 'dueBoth'],
  ],
]

const refused: [query: string, type: string, loc: string[]][] = [
  ['to=2026-03-01', 'missing', ['query', 'from']],
  ['from=2026-03-01', 'missing', ['query', 'to']],
  ['from=x&to=2026-03-01', 'datetime_from_date_parsing', ['query', 'from']],
  ['from=2026-03-01&to=x', 'datetime_from_date_parsing', ['query', 'to']],
  ['from=2026-03-02&to=2026-03-01T00:00:00Z', 'value_error', ['query', 'to']],
  ['from=2026-01-01&to=2027-01-02', 'value_error', ['query', 'to']],
  ['from=2026-01-01&to=2026-01-02&page=0', 'greater_than_equal', ['query', 'page']],
  ['from=2026-01-01&to=2026-01-02&page_size=1001', 'less_than_equal', ['query', 'page_size']],
  ['from=2026-01-01&to=2026-01-02&type=party', 'enum', ['query', 'type']],
]

onAnyEngine('the calendar', account => {
  it('lists the activities of a period in order of time', async () => {
    const { create, get, delete: remove } = await account()
    for (const [subject, fields] of Object.entries(rows)) {
      await create(at, { type: 'meeting', subject, ...fields })
    }
    const gone = await create(at, { type: 'meeting', subject: 'gone', start_at: march(10, 9) })
    await remove(`${at}/${gone.id}`)
    for (const [from, to, found] of spans) {
      const { status, body } = await get(`${calendar}?from=${from}&to=${to}`)
      expect(status).toBe(200)
      expect(
        body.items.map((item: { subject: string }) => item.subject),
        `${from} to ${to}`,
      ).toEqual(found)
      expect(body.total).toBe(found.length)
    }
  })

  it('is paged and filtered like the list', async () => {
    const { create, get, userId } = await account()
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    for (let hour = 0; hour < 5; hour++) {
      const mine =
        hour < 2 ? { assignee_id: userId, contact_ids: [contact.id], type: 'call' } : { type: 'task' }
      await create(at, { subject: `${hour}`, start_at: march(5, hour), metadata: { odd: hour % 2 }, ...mine })
    }
    const day = `${calendar}?from=2026-03-05&to=2026-03-05`
    const subjects = async (more: string) => {
      const { body } = await get(`${day}&${more}`)
      return { ...body, items: body.items.map((item: { subject: string }) => item.subject).join('') }
    }
    const page = { total: 5, page: 2, page_size: 2, total_pages: 3 }
    expect(await subjects('page=2&page_size=2')).toEqual({ ...page, items: '23' })
    expect(await subjects('page=9&page_size=2')).toEqual({ ...page, page: 9, items: '' })
    expect((await subjects(`assignee_id=${userId}`)).items).toBe('01')
    expect((await subjects(`contact_id=${contact.id}`)).items).toBe('01')
    expect((await subjects(`contact_id=${newId()}`)).items).toBe('')
    expect((await subjects('type=task')).items).toBe('234')
    expect((await subjects('search=3')).items).toBe('3')
    expect((await subjects('cf.odd=1')).items).toBe('13')
    expect((await (await account()).get(day)).body.total).toBe(0)
  })

  it('needs a period of at most 366 days', async () => {
    const { get } = await account()
    for (const [query, type, loc] of refused) {
      const answer = await get(`${calendar}?${query}`)
      expect(answer.status, query).toBe(422)
      expect(answer.body.detail, query).toMatchObject([{ type, loc }])
    }
    for (const query of ['from=2028-01-01&to=2028-12-31', 'from=0001-01-01&to=0001-01-01']) {
      expect((await get(`${calendar}?${query}`)).status, query).toBe(200)
    }
  })
})
