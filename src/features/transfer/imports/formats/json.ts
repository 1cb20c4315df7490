/**
 * Reads JSON: an array of objects, {"records": [...]}, or an object per line (NDJSON), as exports write it. The text is
 * cut into records as it arrives, so that only one of them is in memory.
 */
import { createReadStream } from 'node:fs'
import { isRecord } from '../../../../lib/values.ts'
import { CsvError, MAX_RECORD_CHARACTERS } from '../csv-parser.ts'
import { decoder, type Encoding } from '../encoding.ts'
import type { Keyed } from './table.ts'

/** Objects within objects become columns such as `address.city`, down to this depth. */
const MAX_DEPTH = 5
/** Fields that are objects here: they keep their JSON. */
const OBJECT_FIELDS = /^(?:metadata|external_ids|cf\..*)$/

export async function* jsonRecords(path: string, encoding: Encoding): AsyncGenerator<Keyed> {
  const cutter = recordCutter()
  const decode = decoder(encoding)
  let count = 0
  const read = (text: string): Keyed => keyed(text, ++count)
  const stream: AsyncIterable<Buffer> = createReadStream(path)
  for await (const bytes of stream) {
    for (const text of cutter.push(decode.push(bytes))) yield read(text)
  }
  for (const text of cutter.end(decode.end())) yield read(text)
}

type State = 'start' | 'records' | 'object' | 'after'

/** Splits the text into those of its records. */
function recordCutter() {
  let state: State = 'start'
  /** in an array, so that a bracket ends the records */
  let isArray = false
  let count = 0
  let record = ''
  let depth = 0
  let inString = false
  let isEscaped = false
  /** the text until its first records are found */
  let opening = ''

  function take(text: string): void {
    record += text
    if (record.length > MAX_RECORD_CHARACTERS)
      throw new CsvError(count, `record ${count} is longer than ${MAX_RECORD_CHARACTERS} characters`)
  }

  /** The end of the object that `text` continues with at `from`; the length of the text if it ends later. */
  function endOfObject(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (code === 92) isEscaped = true
        else if (code === 34) inString = false
      } else if (code === 34) inString = true
      else if (code === 123 || code === 91) depth++
      else if ((code === 125 || code === 93) && --depth === 0) return at + 1
    }
    return text.length
  }

  function* cut(text: string): Generator<string> {
    let at = 0
    while (at < text.length) {
      if (state === 'after') return
      if (state === 'object') {
        const end = endOfObject(text, at)
        take(text.slice(at, end))
        at = end
        if (depth > 0) return
        yield record
        record = ''
        state = 'records'
        continue
      }
      const sign = text.charAt(at)
      if (sign === '{') {
        state = 'object'
        count++
      } else if (sign === ']' && isArray) {
        state = 'after'
      } else if (/[\s,]/.test(sign)) at++
      else
        throw new CsvError(
          count + 1,
          `record ${count + 1} is not an object: an array of objects is read here`,
        )
    }
  }

  /** Finds the start of the records. A text that may be the beginning of {"records": waits for more. */
  function* open(text: string, isWhole: boolean): Generator<string> {
    opening += text
    const wrapped = /^\s*(?:\[|\{\s*"records"\s*:\s*\[)/.exec(opening)
    if (!wrapped && !isWhole && opening.trimStart().length < 20) return
    isArray = wrapped !== null
    state = 'records'
    yield* cut(opening.slice(wrapped?.[0].length ?? 0))
  }

  const push = (text: string, isWhole = false): Generator<string> =>
    state === 'start' ? open(text, isWhole) : cut(text)

  return {
    push,
    *end(text: string): Generator<string> {
      yield* push(text, true)
      if (state === 'object' || (isArray && state !== 'after'))
        throw new CsvError(count, `the JSON ends before record ${count} and its array are closed`)
    },
  }
}

function keyed(text: string, number: number): Keyed {
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch (error) {
    throw new CsvError(
      number,
      `record ${number} is not valid JSON: ${error instanceof Error ? error.message : ''}`,
    )
  }
  if (!isRecord(record)) throw new CsvError(number, `record ${number} is not an object`)
  if (Array.isArray(record.records) && record.records.some(isRecord))
    throw new CsvError(number, 'write {"records": [...]} with "records" as the first key')
  const cells = new Map<string, string>()
  flatten(record, '', cells, number, 1)
  return cells
}

function flatten(
  object: Record<string, unknown>,
  prefix: string,
  cells: Map<string, string>,
  number: number,
  depth: number,
): void {
  for (const [key, value] of Object.entries(object)) {
    const heading = `${prefix}${key}`
    if (isRecord(value) && !OBJECT_FIELDS.test(heading)) {
      if (depth === MAX_DEPTH)
        throw new CsvError(
          number,
          `record ${number} is nested deeper than ${MAX_DEPTH} levels at “${heading}”`,
        )
      flatten(value, `${heading}.`, cells, number, depth + 1)
    } else if (cells.has(heading))
      throw new CsvError(number, `record ${number} has “${heading}” twice: as a key and as nested objects`)
    else cells.set(heading, cellOf(value, heading, number))
  }
}

function cellOf(value: unknown, heading: string, number: number): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new CsvError(
      number,
      `record ${number}: “${heading}” has too many digits for a number: write it as text`,
    )
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return ''
    return JSON.stringify(value.every(isReference) ? value.map(({ id }) => id) : value)
  }
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}

/** A linked record as the API returns it: its id and its name. */
const isReference = (value: unknown): value is { id: string } =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  Object.keys(value).every(key => key === 'id' || key === 'name')
