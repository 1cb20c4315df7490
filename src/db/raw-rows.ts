/**
 * Rows as the bytes that PostgreSQL sent. node-postgres makes a string of every value as soon as a row arrives, which a
 * row that is sent on as JSON does not need.
 */
import { EventEmitter } from 'node:events'
import pg from 'pg'

declare module 'pg' {
  /** An undocumented member of node-postgres. */
  interface Connection {
    /** parses the messages of a stream and emits each */
    attachListeners(stream: EventEmitter): void
  }
}

/** The type of a message and its length, which includes itself. */
const HEADER = 5
const DATA_ROW = 'D'.charCodeAt(0)

/** A row. Its bytes are a part of what arrived with it; nothing overwrites them. */
export class RawRow {
  readonly name = 'dataRow'
  readonly bytes: Buffer
  /** where the number of values is */
  readonly start: number
  readonly length: number

  constructor(bytes: Buffer, start: number, length: number) {
    this.bytes = bytes
    this.start = start
    this.length = length
  }

  /** The values as text. */
  get fields(): (string | null)[] {
    const { bytes } = this
    const fields: (string | null)[] = []
    let at = this.start + 2
    for (let left = bytes.readInt16BE(this.start); left > 0; left--) {
      const length = bytes.readInt32BE(at)
      at += 4
      fields.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
      if (length > 0) at += length
    }
    return fields
  }
}

/** A client that gets rows as `RawRow`. All other messages are parsed by node-postgres. */
export class RawRowClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this
    const attach = connection.attachListeners.bind(connection)
    connection.attachListeners = stream => {
      const others = new EventEmitter()
      attach(others)
      stream.on('data', messageReader(connection, others))
    }
  }
}

function messageReader(connection: pg.Connection, others: EventEmitter): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0
  let needed = HEADER
  return chunk => {
    parts.push(chunk)
    size += chunk.length
    if (size < needed) return
    const bytes = parts.length === 1 ? chunk : Buffer.concat(parts, size)
    const rest = readMessages(connection, others, bytes)
    parts = rest.length > 0 ? [rest] : []
    size = rest.length
    needed = size < HEADER ? HEADER : 1 + rest.readUInt32BE(1)
  }
}

/** Returns the bytes of a message that is not complete. */
function readMessages(connection: pg.Connection, others: EventEmitter, bytes: Buffer): Buffer {
  let passed = 0
  let at = 0
  const passOthers = () => {
    if (passed < at) others.emit('data', bytes.subarray(passed, at))
  }
  while (at + HEADER <= bytes.length) {
    const length = bytes.readUInt32BE(at + 1)
    const next = at + 1 + length
    if (next > bytes.length) break
    if (bytes[at] === DATA_ROW) {
      passOthers()
      connection.emit('dataRow', new RawRow(bytes, at + HEADER, length))
      passed = next
    }
    at = next
  }
  passOthers()
  return bytes.subarray(at)
}
