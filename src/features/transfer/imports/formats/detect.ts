/** Which format an uploaded file has, found from its first bytes. */
import { errors } from '../../../../kernel/errors.ts'
import { decoder, type Encoding } from '../encoding.ts'

export const FORMATS = ['csv', 'xlsx', 'json', 'vcard', 'ical'] as const
export type Format = (typeof FORMATS)[number]

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
/** Workbooks of Excel 97 to 2003; also XLSX files with a password. */
const COMPOUND_FILE = Buffer.from('d0cf11e0', 'hex')

const startsWith = (head: Buffer, bytes: Buffer): boolean => head.subarray(0, bytes.length).equals(bytes)

/** `encoding`: of the text, or undefined where the bytes are no text. */
export function detectFormat(head: Buffer, encoding: Encoding | undefined, fileName: string): Format {
  if (startsWith(head, ZIP)) return 'xlsx'
  if (startsWith(head, COMPOUND_FILE))
    throw errors.unsupportedMedia(
      'This is a workbook of Excel 97 to 2003 or one with a password: save it as XLSX without a password, or as CSV',
    )
  if (encoding === undefined)
    throw errors.unsupportedMedia('This is not a text file: save the table as CSV or XLSX')
  const text = decoder(encoding).push(head).trimStart()
  if (/^BEGIN:VCARD/i.test(text)) return 'vcard'
  if (/^BEGIN:VCALENDAR/i.test(text)) return 'ical'
  if (/^(?:\[\s*[{\]]|\{\s*["}])/.test(text) || /\.(?:json|jsonl|ndjson)$/i.test(fileName)) return 'json'
  return 'csv'
}
