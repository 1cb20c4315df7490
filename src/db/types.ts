/** Parses PostgreSQL values into the form that the API returns, so that rows need no second conversion. */
import pg from 'pg'

export const OID = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  textArray: 1009,
  varchar: 1043,
  date: 1082,
  timestamptz: 1184,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
} as const

/** `2026-01-31 09:30:00.5+00` → `2026-01-31T09:30:00.500Z`; the session's time zone is UTC. */
function isoTimestamp(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/** Most JSON values of a record are empty, and calling JSON.parse costs more than comparing. */
function json(text: string): unknown {
  if (text === '[]') return []
  return text === '{}' ? {} : JSON.parse(text)
}

const parsers: Record<number, (text: string) => unknown> = {
  [OID.int8]: Number,
  [OID.numeric]: Number,
  [OID.date]: text => text,
  [OID.json]: json,
  [OID.jsonb]: json,
  [OID.timestamptz]: isoTimestamp,
}

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}
