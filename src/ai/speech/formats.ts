/** Detects the audio format of a file by its first bytes. */

export interface Format {
  name: 'wav' | 'mp3' | 'm4a' | 'ogg' | 'flac' | 'webm'
  mimeType: string
}

/** The number of first bytes that are needed. */
export const HEAD_BYTES = 64

const ascii = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to)

/** Layer III, with a version, bit rate and sampling rate that exist. */
const isMp3Frame = (head: Buffer) =>
  head.length > 3 &&
  head[0] === 0xff &&
  (head.readUInt8(1) & 0xe6) === 0xe2 &&
  (head.readUInt8(1) & 0x18) !== 0x08 &&
  (head.readUInt8(2) & 0xf0) !== 0xf0 &&
  (head.readUInt8(2) & 0x0c) !== 0x0c

export function formatOf(head: Buffer): Format | undefined {
  const first = ascii(head, 0, 4)
  if ((first === 'RIFF' || first === 'RF64') && ascii(head, 8, 12) === 'WAVE')
    return { name: 'wav', mimeType: 'audio/wav' }
  if (first === 'OggS') {
    const isOpus = ascii(head, 28, 36) === 'OpusHead'
    return { name: 'ogg', mimeType: isOpus ? 'audio/ogg; codecs=opus' : 'audio/ogg' }
  }
  if (first === 'fLaC') return { name: 'flac', mimeType: 'audio/flac' }
  if (ascii(head, 4, 8) === 'ftyp') return { name: 'm4a', mimeType: 'audio/mp4' }
  if (first === '\x1aE\xdf\xa3') return { name: 'webm', mimeType: 'audio/webm' }
  if (ascii(head, 0, 3) === 'ID3' || isMp3Frame(head)) return { name: 'mp3', mimeType: 'audio/mpeg' }
  return undefined
}
