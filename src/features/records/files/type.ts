/**
 * Detects the media type of a file from its first bytes. The name decides only between formats with the same container.
 */
import { formatOf } from '../../../ai/speech/formats.ts'
import { lookup } from '../../../kernel/lookup.ts'

/** Includes the names of the first entries of a zip file. */
export const HEAD_BYTES = 4096

const UNKNOWN = 'application/octet-stream'

type Test = (bytes: string) => boolean
const begins =
  (start: string, then = '', at = 0): Test =>
  bytes =>
    bytes.startsWith(start) && bytes.startsWith(then, at)
const hasBrand =
  (...brands: string[]): Test =>
  bytes =>
    bytes.startsWith('ftyp', 4) && brands.some(brand => bytes.startsWith(brand, 8))

/** The first bytes as Latin-1 text. */
const MAGIC: [test: Test, type: string][] = [
  [begins('\x89PNG\r\n\x1a\n'), 'image/png'],
  [begins('\xff\xd8\xff'), 'image/jpeg'],
  [begins('GIF87a'), 'image/gif'],
  [begins('GIF89a'), 'image/gif'],
  [begins('RIFF', 'WEBP', 8), 'image/webp'],
  [begins('BM', '\0\0\0\0', 6), 'image/bmp'],
  [begins('II*\0'), 'image/tiff'],
  [begins('MM\0*'), 'image/tiff'],
  [hasBrand('heic', 'heix', 'mif1'), 'image/heic'],
  [hasBrand('M4A', 'M4B'), 'audio/mp4'],
  [begins('', 'ftyp', 4), 'video/mp4'],
  // PDF readers accept other bytes before the header
  [bytes => bytes.slice(0, 1024).includes('%PDF-'), 'application/pdf'],
  [begins('{\\rtf'), 'application/rtf'],
  [begins('\x1f\x8b'), 'application/gzip'],
  [begins('7z\xbc\xaf\x27\x1c'), 'application/x-7z-compressed'],
  [begins('Rar!\x1a\x07'), 'application/vnd.rar'],
  [begins('MZ'), 'application/vnd.microsoft.portable-executable'],
  [begins('\x7fELF'), 'application/x-executable'],
]

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** The type of a zip file by the name of a folder in it. */
const IN_ZIP: [folder: string, type: string][] = [
  ['word/', `${OFFICE}.wordprocessingml.document`],
  ['xl/', `${OFFICE}.spreadsheetml.sheet`],
  ['ppt/', `${OFFICE}.presentationml.presentation`],
]

/** The formats of Office before 2007, which share a container. */
const COMPOUND = lookup<string>({
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
})

const TEXTS = lookup<string>({
  csv: 'text/csv',
  md: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  vcf: 'text/vcard',
  ics: 'text/calendar',
  eml: 'message/rfc822',
})

export function mediaType(head: Buffer, name: string): string {
  const bytes = head.toString('latin1')
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (bytes.startsWith('PK\x03\x04')) return zipType(bytes)
  if (bytes.startsWith('\xd0\xcf\x11\xe0')) return COMPOUND[ending] ?? 'application/x-ole-storage'
  const type = MAGIC.find(([test]) => test(bytes))?.[1]
  if (type !== undefined) return type
  if (isText(head)) return TEXTS[ending] ?? 'text/plain'
  return formatOf(head)?.mimeType ?? UNKNOWN
}

function zipType(bytes: string): string {
  // OpenDocument and EPUB begin with an entry of this name, whose content is their type.
  const declared = /^.{30}mimetype([a-z]+\/[a-z0-9.+-]{1,100})PK/s.exec(bytes)?.[1]
  if (declared !== undefined) return declared
  if (!bytes.includes('[Content_Types].xml') && !bytes.includes('_rels/')) return 'application/zip'
  return IN_ZIP.find(([folder]) => bytes.includes(folder))?.[1] ?? 'application/zip'
}

/** Whether the bytes are text in UTF-8, or in UTF-16 with a byte order mark. The last character may be incomplete. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return true
  const mark = head.toString('latin1', 0, 2)
  if (mark === '\xff\xfe' || mark === '\xfe\xff') return true
  if (head.some(byte => byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32))) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
