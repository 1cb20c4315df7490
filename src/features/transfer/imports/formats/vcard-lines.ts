/** The lines of vCards as they arrive: folded lines joined, and each split into name, parameters and value. */
import { createReadStream } from 'node:fs'
import { CsvError, MAX_RECORD_CHARACTERS } from '../csv-parser.ts'
import { decoder, type Encoding } from '../encoding.ts'

export interface Property {
  /** of lines that belong together, such as item1 of item1.EMAIL and item1.X-ABLabel */
  group: string
  /** in upper case */
  name: string
  /** names in upper case; those of 2.1 without a name are types */
  params: ReadonlyMap<string, readonly string[]>
  /** as written, with its escapes */
  value: string
  /** of a photo or another value in Base64, of which `value` has only the beginning */
  binaryLength: number | undefined
}

const SHOWN_OF_BINARY = 40

/** `card`: the number of the card that is being read. */
export async function* propertiesOf(
  path: string,
  encoding: Encoding,
  card: () => number,
  noun: 'card' | 'event' = 'card',
): AsyncGenerator<Property> {
  /** the property that the next lines may continue */
  let open: Property | undefined
  const tooLong = () =>
    new CsvError(card(), `a line of ${noun} ${card()} is longer than ${MAX_RECORD_CHARACTERS} characters`)

  function goOn(property: Property, text: string): void {
    if (property.binaryLength === undefined) property.value += text
    else property.binaryLength += text.length
    if (property.value.length > MAX_RECORD_CHARACTERS) throw tooLong()
  }

  for await (const line of physicalLines(path, encoding, tooLong)) {
    const isFolded = /^[ \t]/.test(line)
    if (open && isFolded) goOn(open, line.slice(1))
    else if (open && isSoftBreak(open)) {
      open.value = open.value.slice(0, -1)
      goOn(open, line)
    } else if (open && isBase64(open) && !line.includes(':')) goOn(open, line.trim())
    else {
      if (open) yield open
      open = line.trim() === '' ? undefined : propertyOf(line, card(), noun)
    }
  }
  if (open) yield open
}

async function* physicalLines(
  path: string,
  encoding: Encoding,
  tooLong: () => Error,
): AsyncGenerator<string> {
  const decode = decoder(encoding)
  let rest = ''
  const stream: AsyncIterable<Buffer> = createReadStream(path)
  for await (const bytes of stream) {
    const lines = (rest + decode.push(bytes)).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > MAX_RECORD_CHARACTERS) throw tooLong()
    yield* lines
  }
  yield* (rest + decode.end()).split(/\r\n?|\n/)
}

/** Quoted-printable continues in the next line after a `=` at the end. */
const isSoftBreak = (property: Property): boolean =>
  isQuotedPrintable(property) && property.value.endsWith('=')

const encodingOf = ({ params }: Property): string => (params.get('ENCODING')?.[0] ?? '').toUpperCase()
const isQuotedPrintable = (property: Property): boolean => encodingOf(property) === 'QUOTED-PRINTABLE'
const isBase64 = (property: Property): boolean => property.binaryLength !== undefined

const NAME = /^(?:([A-Za-z0-9-]+)\.)?([A-Za-z0-9-]+)((?:;(?:[^":;]|"[^"]*")*)*):/

function propertyOf(line: string, card: number, noun: string): Property {
  const [whole, group = '', name, rest = ''] = NAME.exec(line) ?? []
  if (whole === undefined || name === undefined)
    throw new CsvError(card, `${noun} ${card} has a line that is no property: “${line.slice(0, 60)}”`)
  const value = line.slice(whole.length)
  const params = paramsOf(rest)
  const property: Property = {
    group: group.toLowerCase(),
    name: name.toUpperCase(),
    params,
    value,
    binaryLength: undefined,
  }
  const isBinary = /^B(?:ASE64)?$/.test(encodingOf(property)) || /^data:[^,]*;base64,/i.test(value)
  return isBinary
    ? { ...property, value: value.slice(0, SHOWN_OF_BINARY), binaryLength: value.length }
    : property
}

function paramsOf(text: string): Map<string, string[]> {
  const params = new Map<string, string[]>()
  for (const part of text.match(/(?:[^";]|"[^"]*")+/g) ?? []) {
    const [, written, list] = /^(?:([A-Za-z0-9-]+)=)?(.*)$/s.exec(part) ?? []
    const bare = (list ?? '').toUpperCase()
    // 2.1 writes TEL;CELL and NOTE;QUOTED-PRINTABLE
    const name = written?.toUpperCase() ?? (/^(?:QUOTED-PRINTABLE|BASE64)$/.test(bare) ? 'ENCODING' : 'TYPE')
    const values = (list ?? '').match(/"[^"]*"|[^,]+/g) ?? []
    const before = params.get(name) ?? []
    params.set(name, [...before, ...values.flatMap(value => value.replace(/^"(.*)"$/s, '$1').split(','))])
  }
  return params
}

/** The text of a property with the quoted-printable of 2.1 decoded; escapes stay. */
export function textOf(property: Property, card: number): string {
  if (!isQuotedPrintable(property)) return property.value
  const bytes = Buffer.from(
    property.value.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )
  const charset = property.params.get('CHARSET')?.[0] ?? 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    throw new CsvError(
      card,
      `card ${card}: ${property.name} is not text in ${charset.slice(0, 40)}: export the cards as vCard 3.0 or 4.0`,
    )
  }
}
