import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../../test/support/service.ts'
import { formOf, imported, uploaded } from '../testing.ts'

const calendar = (...events: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    'BEGIN:STANDARD',
    'DTSTART:19701025T030000',
    'END:STANDARD',
    'END:VTIMEZONE',
    ...events.map(event => `BEGIN:VEVENT\r\n${event}\r\nEND:VEVENT`),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

onAnyEngine('an iCalendar file', newAccount => {
  it('is imported as activities', async () => {
    const account = await newAccount()
    const file = calendar(
      'UID:a@x\r\nSUMMARY:Review\\, part 1\r\nDESCRIPTION:First\\nsecond li\r\n ne\r\nDTSTART;TZID=Europe/Berlin:20260302T090000\r\nDTEND;TZID=Europe/Berlin:20260302T103000\r\nLOCATION:Room 1\r\nBEGIN:VALARM\r\nDESCRIPTION:Ring\r\nEND:VALARM',
      'UID:b@x\r\nSUMMARY:Summer time\r\nDTSTART;TZID="W. Europe Standard Time":20260702T090000\r\nDURATION:PT1H15M',
      'UID:c@x\r\nSUMMARY:Fair\r\nDTSTART;VALUE=DATE:20260501\r\nDTEND;VALUE=DATE:20260503\r\nSTATUS:CANCELLED',
      'UID:d@x\r\nDTSTART:20990101T000000Z\r\nRRULE:FREQ=WEEKLY',
    )
    const upload = await uploaded(account, file, { entity_type: 'activity' })
    expect(upload).toMatchObject({ format: 'ical', total_rows: 4 })
    expect(JSON.stringify(upload.warnings)).toContain('RRULE')
    expect(await imported(account, file, { entity_type: 'activity' })).toMatchObject({
      created_count: 4,
      error_count: 0,
    })
    const { items } = (await account.get('/api/activities?sort_by=start_at&sort_order=asc')).body
    expect(items).toMatchObject([
      {
        subject: 'Review, part 1',
        description: 'First\nsecond line',
        type: 'meeting',
        status: 'completed',
        location: 'Room 1',
        start_at: '2026-03-02T08:00:00.000Z',
        end_at: '2026-03-02T09:30:00.000Z',
        external_ids: { ical: 'a@x' },
      },
      {
        subject: 'Fair',
        all_day: true,
        status: 'cancelled',
        start_at: '2026-05-01T00:00:00.000Z',
        end_at: '2026-05-03T00:00:00.000Z',
      },
      {
        subject: 'Summer time',
        start_at: '2026-07-02T07:00:00.000Z',
        end_at: '2026-07-02T08:15:00.000Z',
      },
      { subject: 'Untitled', status: 'planned', external_ids: { ical: 'd@x' } },
    ])
    const again = await imported(account, file, { entity_type: 'activity' })
    expect(again).toMatchObject({ created_count: 0, error_count: 0 })
  })

  it.each([
    ['DTSTART;TZID=Mars/Base:20260101T000000', 'the time zone “Mars/Base” is not known'],
    ['DTSTART:tomorrow', 'DTSTART is no time'],
    ['DTSTART:20261399T000000Z', 'DTSTART is no time'],
    ['SUMMARY:x', 'has no DTSTART'],
    ['DTSTART:20260101T000000Z\r\nDURATION:1 hour', 'DURATION is none'],
  ])('with %s is refused', async (event, sentence) => {
    const account = await newAccount()
    const form = formOf(calendar(event), { entity_type: 'activity' })
    const answer = await account.post('/api/imports', form)
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.text).toContain(sentence)
  })
})
