/**
 * Reads the events of iCalendar files (RFC 5545). Each VEVENT is a row, with columns that are named as the fields of
 * activities; properties without a field here have columns of their own, so that an import warns about them.
 */
import { CsvError } from '../csv-parser.ts'
import type { Encoding } from '../encoding.ts'
import { minutesOf, utcOf } from './ical-times.ts'
import type { Keyed } from './table.ts'
import { unescaped } from './vcard.ts'
import { type Property, propertiesOf } from './vcard-lines.ts'

/** The column that distinguishes a table made of iCalendar from those of other products. */
export const ICAL_UID = 'iCalendar UID'

export async function* icalRecords(path: string, encoding: Encoding): AsyncGenerator<Keyed> {
  let number = 1
  let event: Property[] | undefined
  /** components within the event, such as alarms */
  let depth = 0
  for await (const property of propertiesOf(path, encoding, () => number, 'event')) {
    const component = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN' && component === 'VEVENT' && !event) event = []
    else if (!event) continue
    else if (property.name === 'BEGIN') depth++
    else if (property.name === 'END' && depth > 0) depth--
    else if (property.name === 'END') {
      yield rowOf(event, number)
      event = undefined
      number++
    } else if (depth === 0) event.push(property)
  }
  if (event) throw new CsvError(number, `event ${number} has no END:VEVENT`)
}

const TEXTS: Readonly<Record<string, string>> = {
  UID: ICAL_UID,
  SUMMARY: 'Subject',
  DESCRIPTION: 'Description',
  LOCATION: 'Location',
  URL: 'Meeting URL',
}
/** Read together below, or about the file and not about the event. */
const OTHERWISE = /^(?:DTSTART|DTEND|DURATION|STATUS|DTSTAMP|SEQUENCE|TRANSP|CLASS|X-.*)$/

function rowOf(event: readonly Property[], number: number): Keyed {
  const named = (name: string) => event.find(one => one.name === name)
  const cells = new Map<string, string>([[ICAL_UID, '']])
  for (const property of event) {
    if (OTHERWISE.test(property.name)) continue
    const heading = TEXTS[property.name] ?? property.name
    const text = unescaped(property.value)
    const before = cells.get(heading)
    cells.set(heading, before ? `${before}, ${text}` : text)
  }
  cells.set('Type', 'meeting')
  const times = timesOf(named('DTSTART'), named('DTEND'), named('DURATION'), number)
  for (const [heading, text] of Object.entries(times)) cells.set(heading, text)
  cells.set('Status', statusOf(named('STATUS')?.value, times.End ?? times.Start))
  // A subject is needed, and calendars allow events without one.
  if (!cells.get('Subject')?.trim()) cells.set('Subject', 'Untitled')
  return cells
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

interface Times {
  Start: string
  End?: string
  'All day'?: string
}

function timesOf(
  start: Property | undefined,
  end: Property | undefined,
  duration: Property | undefined,
  number: number,
): Times {
  if (!start) throw new CsvError(number, `event ${number} has no DTSTART`)
  const began = utcOf(start, number)
  const minutes = duration && minutesOf(duration.value, number)
  const ended =
    (end && utcOf(end, number)) ??
    (minutes === undefined ? undefined : new Date(Date.parse(began) + minutes * MINUTE_MS).toISOString())
  if (!/^\d{8}$/.test(start.value.trim()))
    return { Start: began, ...(ended === undefined ? {} : { End: ended }) }
  // The end of whole days is the midnight after the last one, here as in the file.
  const next = new Date(Date.parse(began) + DAY_MS).toISOString()
  return { Start: began, End: ended !== undefined && ended > next ? ended : next, 'All day': 'true' }
}

const statusOf = (status: string | undefined, end: string): string => {
  if (status?.trim().toUpperCase() === 'CANCELLED') return 'cancelled'
  return Date.parse(end) < Date.now() ? 'completed' : 'planned'
}
