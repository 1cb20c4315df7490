import ICAL from 'ical.js'
import { expect, it } from 'vitest'
import { type CalendarEvent, calendarText } from './ics.ts'

const at = (day: string, time = '00:00:00.000') => `2026-05-${day}T${time}Z`

/** An event as another program reads it. */
function read(values: Partial<CalendarEvent>) {
  const event: CalendarEvent = {
    ...{ id: '1', created_at: at('01'), updated_at: at('01'), type: 'meeting', subject: 'Fair; or not' },
    ...{ description: null, location: null, meeting_url: null, status: 'planned' },
    ...{ start_at: null, end_at: null, due_at: null, due_date: null, all_day: false },
    ...{ duration_minutes: null, reminder_at: null },
    ...values,
  }
  const calendar = new ICAL.Component(ICAL.parse(calendarText('Kith', [event])))
  return new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
}

it.each<[start: string, end: string | null, days: string]>([
  [at('01'), at('02'), '2026-05-01 to 2026-05-02'],
  [at('01'), at('03'), '2026-05-01 to 2026-05-03'],
  [at('01'), at('01', '23:59:59.000'), '2026-05-01 to 2026-05-02'],
  [at('01'), at('02', '12:00:00.000'), '2026-05-01 to 2026-05-03'],
  [at('01', '09:00:00.000'), at('02'), '2026-05-01 to 2026-05-02'],
  [at('01'), at('01'), '2026-05-01 to 2026-05-02'],
  [at('01'), null, '2026-05-01 to 2026-05-02'],
])('shows whole days from %s to %s as %s, where the last is the day after', (start_at, end_at, days) => {
  const { startDate, endDate } = read({ start_at, end_at, all_day: true })
  expect([startDate.isDate, endDate.isDate]).toEqual([true, true])
  expect(`${startDate} to ${endDate}`).toBe(days)
})

it('has an alarm at the time of the reminder, until the activity is completed', () => {
  const alarmsOf = (values: Partial<CalendarEvent>) =>
    read({ start_at: at('01'), all_day: true, ...values }).component.getAllSubcomponents('valarm')
  const [alarm, ...others] = alarmsOf({ reminder_at: at('01', '07:30:00.000') })
  expect(others).toEqual([])
  expect(String(alarm?.getFirstPropertyValue('trigger'))).toBe('2026-05-01T07:30:00Z')
  expect(alarm?.getFirstPropertyValue('description')).toBe('Fair; or not')
  expect(alarm?.getFirstPropertyValue('action')).toBe('DISPLAY')
  expect(alarmsOf({})).toEqual([])
  expect(alarmsOf({ reminder_at: at('01'), status: 'completed' })).toEqual([])
})
