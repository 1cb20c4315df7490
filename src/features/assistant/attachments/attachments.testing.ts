/** Generates PDFs, valid and malicious ones. */
import { deflateSync } from 'node:zlib'

const escaped = (text: string) => text.replace(/[\\()]/g, character => `\\${character}`)

interface Options {
  /** entries of the trailer beside the usual ones */
  trailer?: string
  /** the raw content of the pages, instead of lines of text */
  contents?: (Buffer | string)[]
  filter?: string
}

/** A PDF with a line of words on each page. */
export function pdfOf(
  pages: readonly string[],
  { trailer = '', contents, filter = '' }: Options = {},
): Buffer {
  const streams = contents ?? pages.map(words => `BT /F1 12 Tf 72 720 Td (${escaped(words)}) Tj ET`)
  const kids = streams.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    ...streams.flatMap((stream, i) => {
      const bytes = Buffer.from(stream as string)
      return [
        Buffer.from(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R >>`,
        ),
        Buffer.concat([
          Buffer.from(`<< /Length ${bytes.length} ${filter} >>\nstream\n`),
          bytes,
          Buffer.from('\nendstream'),
        ]),
      ]
    }),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let at = parts[0]!.length
  for (const [i, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    offsets.push(at)
    at += whole.length
    parts.push(whole)
  }
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

/** A few hundred kilobytes that unpack to hundreds of megabytes. */
export const bomb = (megabytes: number): Buffer =>
  pdfOf([], {
    contents: [deflateSync(Buffer.alloc(megabytes * 1024 ** 2, 32))],
    filter: '/Filter /FlateDecode',
  })

/** Compressed twice: about a millionth of its size. */
export const nestedBomb = (megabytes: number): Buffer =>
  pdfOf([], {
    contents: [deflateSync(deflateSync(Buffer.alloc(megabytes * 1024 ** 2, 32)))],
    filter: '/Filter [/FlateDecode /FlateDecode]',
  })

const junk = `<${'5a'.repeat(32)}>`
export const locked = (): Buffer =>
  pdfOf(['Secret'], {
    trailer: `/ID [${junk} ${junk}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${junk} /U ${junk} /P -4 >>`,
  })

/** A form that includes itself endlessly. */
export const endless = (): Buffer =>
  pdfOf([], { contents: [`${'q '.repeat(200_000)}${'BT /F1 12 Tf (x) Tj ET '.repeat(200_000)}`] })
