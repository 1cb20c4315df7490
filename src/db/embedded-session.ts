import { Duplex } from 'node:stream'

/** What a session needs from the engine. */
export interface SessionHost {
  begin(session: Session): Promise<void>
  end(session: Session): void
  send(session: Session, request: Uint8Array<ArrayBuffer>): void
}

const STARTUP = 0
const TERMINATE = 'X'.charCodeAt(0)
/** The messages after which a client waits: Query, Sync, Flush, FunctionCall, CopyDone, CopyFail. */
const AWAITED = new Set([STARTUP, ...Buffer.from('QSHFcf')])

/** One connection as pg sees it: a socket whose other end is the worker. */
export class Session extends Duplex {
  #host: SessionHost
  #rest: Uint8Array = new Uint8Array(0)
  #started = false

  constructor(host: SessionHost) {
    super()
    this.#host = host
  }

  connect(): this {
    this.#host.begin(this).then(
      () => this.destroyed || this.emit('connect'),
      error => this.destroy(error),
    )
    return this
  }

  // pg calls these on its socket; they have no effect here.
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}

  override _read() {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void) {
    this.#feed([chunk])
    done()
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: () => void) {
    this.#feed(chunks.map(({ chunk }) => chunk))
    done()
  }

  override _final(done: () => void) {
    this.#host.end(this)
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#host.end(this)
    done(error)
  }

  /** Forwards complete messages up to the last one that awaits a response, and buffers the rest. */
  #feed(chunks: Uint8Array[]): void {
    const bytes = joined([this.#rest, ...chunks])
    let at = 0
    let complete = 0
    while (true) {
      // Every message has a type byte before its length, except the first one, the startup message.
      const lengthAt = at + (this.#started ? 1 : 0)
      if (bytes.length < lengthAt + 4) break
      const next = lengthAt + bytes.readUInt32BE(lengthAt)
      if (bytes.length < next) break
      const type = this.#started ? bytes.readUInt8(at) : STARTUP
      // Terminate ends the session, not the backend, which the next session needs.
      if (type === TERMINATE) {
        this.#host.end(this)
        break
      }
      at = next
      if (AWAITED.has(type)) complete = at
      this.#started = true
    }
    if (complete === 0) this.#rest = bytes
    else if (complete === bytes.length) {
      this.#rest = new Uint8Array(0)
      this.#host.send(this, bytes)
    } else {
      this.#rest = bytes.subarray(complete)
      this.#host.send(this, new Uint8Array(bytes.subarray(0, complete)))
    }
  }
}

/** Joined in its own memory (pg's small buffers share a pool), so that it can be transferred without a copy. */
function joined(parts: Uint8Array[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
