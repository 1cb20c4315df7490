/** A buffer for JSON text, and texts that are often copied into one. */
const PADDING = 7

/** Text that is copied eight bytes at a time, which takes a quarter of the time of a loop over bytes or of `copy`. */
export class Template {
  readonly bytes: Buffer
  /** readable up to `PADDING` bytes beyond the end */
  readonly view: DataView

  constructor(text: string) {
    const size = Buffer.byteLength(text)
    const padded = Buffer.alloc(size + PADDING)
    padded.write(text)
    this.bytes = padded.subarray(0, size)
    this.view = viewOf(padded)
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length)

/** Text that grows at its end. `start` bytes in front of it stay free. */
export class Output {
  bytes: Buffer
  length: number
  #view: DataView

  constructor(size: number, start = 0) {
    this.bytes = Buffer.allocUnsafe(start + size)
    this.length = start
    this.#view = viewOf(this.bytes)
  }

  reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + size))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
    this.#view = viewOf(larger)
  }

  /** Copying few bytes in a loop is faster than calling `copy`. */
  add(source: Buffer, from: number, to: number): void {
    this.reserve(to - from)
    const target = this.bytes
    let at = this.length
    for (let i = from; i < to; i++) target[at++] = source[i]!
    this.length = at
  }

  addTemplate({ view: source }: Template, from: number, to: number): void {
    this.reserve(to - from + PADDING)
    const target = this.#view
    const shift = this.length - from
    for (let i = from; i < to; i += 8) target.setBigUint64(shift + i, source.getBigUint64(i, true), true)
    this.length = shift + to
  }

  addText(text: string): void {
    this.reserve(3 * text.length)
    this.length += this.bytes.write(text, this.length)
  }
}
