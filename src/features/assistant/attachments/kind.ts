/** The type of a file, by its content; the name only decides between kinds of text. */
import { formatOf } from '../../../ai/speech/formats.ts'
import { errors } from '../../../kernel/errors.ts'
import { type Encoding, type EncodingSniffer, encodingSniffer } from '../../transfer/imports/encoding.ts'

/** The number of first bytes that are checked. */
export const HEAD_BYTES = 4096

export type FileKind =
  | { reads: 'pdf' | 'audio'; mimeType: string }
  | { reads: 'text' | 'csv'; mimeType: string; encoding: Encoding }

const refuse = () =>
  errors.unsupportedMedia(
    'This is no text, markdown, CSV, PDF or wav, mp3, m4a, ogg, opus, flac or webm audio',
  )

export interface KindSniffer {
  push(bytes: Buffer): void
  result(): FileKind
}

/** Throws as soon as it is clear that the file cannot be read. */
export function kindSniffer(fileName: string, declaredType: string | undefined): KindSniffer {
  const encodings: EncodingSniffer = encodingSniffer()
  let head = Buffer.alloc(0)
  let detected: FileKind | undefined
  let isChecked = false

  const check = () => {
    isChecked = true
    const audio = formatOf(head)
    if (audio) detected = { reads: 'audio', mimeType: audio.mimeType }
    else if (head.subarray(0, 1024).includes('%PDF-'))
      detected = { reads: 'pdf', mimeType: 'application/pdf' }
    else {
      const encoding = encodings.result()
      if (encoding === undefined || hasControls(head, encoding)) throw refuse()
    }
  }

  return {
    push(bytes) {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)])
      if (!detected) encodings.push(bytes)
      if (head.length >= HEAD_BYTES && !isChecked) check()
    },
    result() {
      if (!isChecked) check()
      if (detected) return detected
      const encoding = encodings.result()
      if (encoding === undefined) throw refuse()
      return { ...textKind(fileName, declaredType), encoding }
    },
  }
}

/** More than 1 % control characters: the file is not a text. */
function hasControls(head: Buffer, encoding: Encoding): boolean {
  if (encoding.startsWith('utf-16')) return false
  let controls = 0
  for (const byte of head)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) controls++
  return controls > head.length / 100
}

function textKind(fileName: string, declaredType = ''): { reads: 'text' | 'csv'; mimeType: string } {
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase()
  if (ending === 'csv' || ending === 'tsv' || /^text\/(csv|tab-separated-values)\b/i.test(declaredType))
    return { reads: 'csv', mimeType: 'text/csv' }
  if (ending === 'md' || ending === 'markdown' || /^text\/markdown\b/i.test(declaredType))
    return { reads: 'text', mimeType: 'text/markdown' }
  return { reads: 'text', mimeType: 'text/plain' }
}
