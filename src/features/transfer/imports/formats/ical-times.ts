/** Times and durations of iCalendar. */
import { CsvError } from '../csv-parser.ts'
import type { Property } from './vcard-lines.ts'

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

/** A time in UTC; one without a zone is taken as UTC. */
export function utcOf(property: Property, number: number): string {
  const [whole, year, month, day, hour = '00', minute = '00', second = '00', isUtc] =
    TIME.exec(property.value.trim()) ?? []
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  if (whole === undefined || Number.isNaN(Date.parse(text)))
    throw new CsvError(
      number,
      `event ${number}: ${property.name} is no time: “${property.value.slice(0, 40)}”`,
    )
  const zone = property.params.get('TZID')?.[0]
  if (isUtc === 'Z' || zone === undefined || whole.length === 8) return text
  return new Date(inZone(Date.parse(text), zoneNamed(zone, number))).toISOString()
}

/** The moment at which clocks of the zone show this time. */
function inZone(shown: number, zone: Intl.DateTimeFormat): number {
  const offset = (at: number) => {
    const parts = Object.fromEntries(zone.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - at
  }
  // The offset of the first guess may be that of the other side of a change of the clocks.
  const guess = shown - offset(shown)
  return shown - offset(guess)
}

/** Names that Outlook writes instead of those of the IANA. */
const WINDOWS: Readonly<Record<string, string>> = {
  'W. Europe Standard Time': 'Europe/Berlin',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Romance Standard Time': 'Europe/Paris',
  'GMT Standard Time': 'Europe/London',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'E. Europe Standard Time': 'Europe/Chisinau',
  'FLE Standard Time': 'Europe/Kyiv',
  'GTB Standard Time': 'Europe/Bucharest',
  'Eastern Standard Time': 'America/New_York',
  'Central Standard Time': 'America/Chicago',
  'Mountain Standard Time': 'America/Denver',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'China Standard Time': 'Asia/Shanghai',
  'India Standard Time': 'Asia/Kolkata',
  'AUS Eastern Standard Time': 'Australia/Sydney',
}

function zoneNamed(name: string, number: number): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: WINDOWS[name] ?? name.replace(/^\//, ''),
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch {
    const shown = name.slice(0, 60)
    const advice = 'export the calendar in UTC or with names such as Europe/Berlin'
    throw new CsvError(number, `event ${number}: the time zone “${shown}” is not known: ${advice}`)
  }
}

const DURATION = /^\+?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/

export function minutesOf(text: string, number: number): number {
  const [whole, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(text.trim()) ?? []
  if (whole === undefined)
    throw new CsvError(number, `event ${number}: DURATION is none: “${text.slice(0, 40)}”`)
  const inDays = Number(weeks) * 7 + Number(days)
  return (inDays * 24 + Number(hours)) * 60 + Number(minutes) + Math.floor(Number(seconds) / 60)
}
