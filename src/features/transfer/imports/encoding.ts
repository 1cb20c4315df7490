/** The encoding of a file, detected from all of its bytes: one bad byte at the end decides. */
import { isUtf8 } from 'node:buffer'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

export interface EncodingSniffer {
  push(bytes: Buffer): void
  /** undefined: these are no words in any encoding that we know */
  result(): Encoding | undefined
}

const SAMPLE = 4096

export function encodingSniffer(): EncodingSniffer {
  let head = Buffer.alloc(0)
  let rest = Buffer.alloc(0)
  let isUnicode = true
  let hasNul = false
  return {
    push(bytes) {
      if (head.length < SAMPLE) head = Buffer.concat([head, bytes.subarray(0, SAMPLE - head.length)])
      hasNul ||= bytes.includes(0)
      if (!isUnicode) return
      const text = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
      const whole = wholeCharacters(text)
      isUnicode = isUtf8(text.subarray(0, whole))
      rest = Buffer.from(text.subarray(whole))
    },
    result() {
      const wide = wideEncoding(head)
      if (wide) return wide
      if (hasNul) return undefined
      return isUnicode && rest.length === 0 ? 'utf-8' : 'windows-1252'
    },
  }
}

/** How much of the bytes does not end in the middle of a character. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.readUInt8(bytes.length - back)
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** By its mark, or else by where the zeros are: half of each character of most writing is one. */
function wideEncoding(head: Buffer): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  let even = 0
  let odd = 0
  for (let i = 0; i < head.length; i++) if (head[i] === 0) i % 2 === 0 ? even++ : odd++
  const half = head.length / 2
  if (odd > half * 0.4 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.4 && odd < half * 0.05) return 'utf-16be'
  return undefined
}

export interface Decoder {
  push(bytes: Uint8Array): string
  end(): string
}

export function decoder(encoding: Encoding): Decoder {
  if (encoding === 'windows-1252') return { push: bytes => fromWindows(bytes), end: () => '' }
  const inner = new TextDecoder(encoding)
  return { push: bytes => inner.decode(bytes, { stream: true }), end: () => inner.decode() }
}

// What 0x80 to 0x9f stand for. Written out, because not every version of Node reads them right.
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const fromWindows = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, character => WINDOWS.charAt(character.charCodeAt(0) - 0x80))
