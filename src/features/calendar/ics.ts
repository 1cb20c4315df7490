/** Writes iCalendar text (RFC 5545). */
import { foldedLine } from '../../lib/folded-line.ts'

export interface CalendarEvent {
  id: string
  created_at: string
  updated_at: string
  type: string
  subject: string
  description: string | null
  location: string | null
  meeting_url: string | null
  status: string
  start_at: string | null
  end_at: string | null
  due_at: string | null
  due_date: string | null
  all_day: boolean
  duration_minutes: number | null
  reminder_at: string | null
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Of an activity that has a time and no length. */
const DEFAULT_MINUTES = 30

export function calendarText(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kith//Kith//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ]
  return lines.map(line => `${foldedLine(line)}\r\n`).join('')
}

function linesOf(event: CalendarEvent): string[] {
  const texts = [event.description, event.meeting_url].filter(text => text !== null && text !== '')
  return [
    'BEGIN:VEVENT',
    `UID:${event.id}@kith`,
    `DTSTAMP:${utc(event.updated_at)}`,
    `CREATED:${utc(event.created_at)}`,
    `LAST-MODIFIED:${utc(event.updated_at)}`,
    ...times(event),
    `SUMMARY:${escaped(event.status === 'completed' ? `✓ ${event.subject}` : event.subject)}`,
    ...(texts.length === 0 ? [] : [`DESCRIPTION:${escaped(texts.join('\n\n'))}`]),
    ...(event.location === null ? [] : [`LOCATION:${escaped(event.location)}`]),
    `CATEGORIES:${escaped(event.type.toUpperCase())}`,
    // A task does not block the time at which it is due.
    ...(event.start_at === null ? ['TRANSP:TRANSPARENT'] : []),
    'STATUS:CONFIRMED',
    ...alarm(event),
    'END:VEVENT',
  ]
}

/** At the time itself: an offset would be from the begin, which whole days have in the program's own time zone. */
const alarm = ({ reminder_at, status, subject }: CalendarEvent): string[] =>
  reminder_at === null || status === 'completed'
    ? []
    : [
        'BEGIN:VALARM',
        'ACTION:DISPLAY',
        `DESCRIPTION:${escaped(subject)}`,
        `TRIGGER;VALUE=DATE-TIME:${utc(reminder_at)}`,
        'END:VALARM',
      ]

function times({ start_at, end_at, due_at, due_date, all_day, duration_minutes }: CalendarEvent): string[] {
  const begin = start_at ?? due_at ?? end_at
  if (begin === null || (all_day && start_at !== null)) {
    const first = (start_at ?? due_date ?? '').slice(0, 10)
    return [`DTSTART;VALUE=DATE:${day(first)}`, `DTEND;VALUE=DATE:${day(endOfDays(first, end_at))}`]
  }
  const length = (duration_minutes ?? DEFAULT_MINUTES) * MINUTE_MS
  const end =
    start_at !== null && end_at !== null ? end_at : new Date(Date.parse(begin) + length).toISOString()
  return [`DTSTART:${utc(begin)}`, `DTEND:${utc(end)}`]
}

const day = (date: string): string => date.replaceAll('-', '')
/** The day after the last one. An end at midnight is that day already, as calendar programs write the end of whole days. */
function endOfDays(first: string, end: string | null): string {
  const last = (end ?? first).slice(0, 10)
  return end?.endsWith('T00:00:00.000Z') && last > first ? last : dayAfter(last)
}
const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)

/** 2026-01-31T09:30:00.000Z → 20260131T093000Z */
const utc = (time: string): string => new Date(time).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')

/** Text as a value: a line break in it would begin a line of its own. */
const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n|\u2028|\u2029/g, '\\n')
    .replace(/(?!\t)\p{Cc}/gu, '')
