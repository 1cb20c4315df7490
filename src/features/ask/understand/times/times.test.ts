import { expect, it } from 'vitest'
import { timeOf } from './index.ts'

it.each([
  ['in march', '2026-03-01', '2026-04-01'],
  ['last quarter', '2026-01-01', '2026-04-01'],
  ['this week', '2026-05-11', '2026-05-18'],
  ['in the next 30 days', '2026-05-13', '2026-06-13'],
  ['since 2026-02-01', '2026-02-01', null],
  ['since the 1st of february', '2026-02-01', null],
  ['since the start of february 2026', '2026-02-01', null],
  ['from the beginning of february', '2026-02-01', null],
  ['in the 2nd half of 2026', '2026-07-01', '2027-01-01'],
  ['between january and march 2026', '2026-01-01', '2026-04-01'],
  ['before may 5', null, '2026-05-05'],
  ['on the 21st of november', '2026-11-21', '2026-11-22'],
  ['over the weekend', '2026-05-16', '2026-05-18'],
  ['this month or next', '2026-05-01', '2026-07-01'],
  ['today or tomorrow', '2026-05-13', '2026-05-15'],
  ['from 2025', '2025-01-01', '2026-01-01'],
  ['on friday', '2026-05-15', '2026-05-16'],
  ['last friday', '2026-05-08', '2026-05-09'],
  ['next friday', '2026-05-22', '2026-05-23'],
  ['this coming friday', '2026-05-15', '2026-05-16'],
  ['since monday', '2026-05-11', null],
  ['by friday', null, '2026-05-16'],
  ['by the end of next month', null, '2026-07-01'],
  ['before the end of march', null, '2026-04-01'],
  ['before year end', null, '2027-01-01'],
  ['at the end of the year', '2026-12-01', '2027-01-01'],
  ['month to date', '2026-05-01', '2026-05-14'],
  ['this quarter so far', '2026-04-01', '2026-05-14'],
  ['the rest of the month', '2026-05-13', '2026-06-01'],
  ['later this year', '2026-05-13', '2027-01-01'],
  ['in the past month', '2026-04-13', '2026-05-14'],
  ['in the first half of 2026', '2026-01-01', '2026-07-01'],
  ['in q1', '2027-01-01', '2027-04-01'],
  ['after this month', '2026-06-01', null],
  ['before next week', null, '2026-05-18'],
  ['until next quarter', null, '2026-10-01'],
  ['starting next month', '2026-06-01', null],
  ['in the next couple of weeks', '2026-05-13', '2026-05-28'],
])('understands %s in May', (text, from, to) => {
  expect(timeOf(text, new Date('2026-05-13T12:00:00Z'), false)).toEqual({ from, to })
})

it.each([
  ['before christmas', null, '2026-12-25'],
  ['by new year', null, '2027-01-01'],
  ['between now and new year', '2026-11-16', '2027-01-01'],
  ['between now and 15 december', '2026-11-16', '2026-12-16'],
  ['the week of 23 november', '2026-11-23', '2026-11-30'],
  ['between 23 and 29 november', '2026-11-23', '2026-11-30'],
  ['from november 23 to 29', '2026-11-23', '2026-11-30'],
  ['in january or later', '2027-01-01', null],
  ['past year end', '2027-01-01', null],
  ['after christmas', '2026-12-26', null],
  ['in the new year', '2027-01-01', '2028-01-01'],
  ['in the first quarter of next year', '2027-01-01', '2027-04-01'],
  ['q2 next year', '2027-04-01', '2027-07-01'],
  ['in the second half of next year', '2027-07-01', '2028-01-01'],
  ['in summer', '2027-06-01', '2027-09-01'],
  ['last summer', '2026-06-01', '2026-09-01'],
  ['this winter', '2026-12-01', '2027-03-01'],
  ['on the 18th', '2026-11-18', '2026-11-19'],
  ['on the 12th', '2026-12-12', '2026-12-13'],
  ['by the 20th', null, '2026-11-21'],
  ['in the last month', '2026-10-16', '2026-11-17'],
  ['for 30 days or more', null, '2026-10-17'],
])('understands %s in November', (text, from, to) => {
  expect(timeOf(text, new Date('2026-11-16T12:00:00Z'), false)).toEqual({ from, to })
})

it('looks back for what has been', () => {
  const found = timeOf('in the summer june to august', new Date('2026-11-16T12:00:00Z'), true)
  expect(found).toEqual({ from: '2026-06-01', to: '2026-09-01' })
})
