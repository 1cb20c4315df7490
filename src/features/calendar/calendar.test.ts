import ICAL from 'ical.js'
import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines, request } from '../../../test/support/service.ts'

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

/** The events of a calendar by their summary, as a program of its own reads them. */
async function eventsAt(url: string) {
  const answer = await request(url, 'GET')
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  for (const line of answer.text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(answer.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const calendar = new ICAL.Component(ICAL.parse(answer.text))
  const events = calendar.getAllSubcomponents('vevent').map(event => new ICAL.Event(event))
  return new Map(events.map(event => [event.summary, event]))
}

const feedOf = async (account: Account) => {
  const { url } = await account.create('/api/activities/calendar-feed')
  return account.url + url
}

onBothEngines('the calendar of a member', newAccount => {
  it('has their activities, for programs without credentials', async () => {
    const account = await newAccount()
    const other = await anotherMember(account)
    const create = (values: object) =>
      account.create('/api/activities', { type: 'meeting', assignee_id: account.userId, ...values })
    const subject = 'Überraschung; Torte, \\ und “Kerzen” '.repeat(4).trim()
    const start_at = inHours(2).replace(/\.\d+/, '.000')
    const party = await create({
      subject,
      description: 'Zeile 1\nBEGIN:VEVENT\nZeile 3',
      start_at,
      end_at: inHours(3),
      location: 'Raum 5, Haus A',
      meeting_url: 'https://meet.example/x',
    })
    await create({ type: 'task', subject: 'Offer', due_at: inHours(30) })
    await create({ type: 'task', subject: 'Tax', due_date: inHours(48).slice(0, 10) })
    const [first, next] = [inHours(72), inHours(96)].map(time => `${time.slice(0, 10)}T00:00:00Z`)
    await create({ subject: 'Fair', all_day: true, start_at: first, end_at: next, reminder_at: inHours(60) })
    await create({ subject: 'Cancelled', start_at, status: 'cancelled' })
    await create({ subject: 'Far away', start_at: inHours(24 * 500) })
    await create({ subject: 'Theirs', start_at, assignee_id: other.userId })
    const feed = await feedOf(account)
    const events = await eventsAt(feed)
    expect([...events.keys()].sort()).toEqual(['Fair', 'Offer', 'Tax', subject])
    const event = events.get(subject)
    expect(event).toMatchObject({ uid: `${party.id}@kith`, location: 'Raum 5, Haus A' })
    expect(event?.description).toBe('Zeile 1\nBEGIN:VEVENT\nZeile 3\n\nhttps://meet.example/x')
    expect(event?.startDate.toJSDate().toISOString()).toBe(start_at)
    expect(events.get('Tax')?.startDate.isDate).toBe(true)
    const fair = events.get('Fair')
    expect([fair?.startDate.toString(), fair?.endDate.toString()]).toEqual(
      [first, next].map(time => time?.slice(0, 10)),
    )
    expect(fair?.component.getAllSubcomponents('valarm')).toHaveLength(1)
    expect([...(await eventsAt(await feedOf(other))).keys()]).toEqual(['Theirs'])
  })

  it('has an address that can be replaced and revoked, and that ends with the membership', async () => {
    const account = await newAccount()
    const none = await account.get('/api/activities/calendar-feed')
    expect(none).toMatchObject({ status: 404, body: { detail: 'Calendar feed not found' } })
    const first = await feedOf(account)
    const second = await feedOf(account)
    expect((await request(first, 'GET')).status).toBe(404)
    expect((await request(second, 'GET')).status).toBe(200)
    expect((await account.get('/api/activities/calendar-feed')).body).toEqual({
      created_at: expect.any(String),
    })
    expect((await account.delete('/api/activities/calendar-feed')).status).toBe(200)
    expect((await request(second, 'GET')).status).toBe(404)
    expect((await account.delete('/api/activities/calendar-feed')).status).toBe(404)
    const member = await anotherMember(account)
    const theirs = await feedOf(member)
    expect((await request(theirs, 'GET')).status).toBe(200)
    await account.delete(`/api/accounts/${account.accountId}/members/${member.userId}`)
    expect((await request(theirs, 'GET')).status).toBe(404)
    expect((await request(`${account.url}/api/activities/calendar.ics`, 'GET')).status).toBe(422)
    const reader = await anotherMember(account, { scopes: ['contacts:read'] })
    expect((await reader.post('/api/activities/calendar-feed')).status).toBe(403)
  })
})
