/** Reads the XML of a workbook as it arrives. Names lose their prefix: writers differ in it. */
import { Parser } from 'htmlparser2'
import { CsvError, MAX_RECORD_CHARACTERS } from '../csv-parser.ts'

export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Yields after every chunk, so that the caller can take the elements that are complete. */
export async function* parseXml(bytes: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const decode = new TextDecoder()
  /** the length of what the parser has without having reported it: a tag or a comment without an end */
  let unread = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        unread = 0
        handler.open?.(localName(name), attributes)
      },
      ontext(text) {
        unread = 0
        handler.text?.(text)
      },
      onclosetag(name) {
        unread = 0
        handler.close?.(localName(name))
      },
    },
    { xmlMode: true },
  )
  for await (const chunk of bytes) {
    parser.write(decode.decode(chunk, { stream: true }))
    unread += chunk.length
    if (unread > MAX_RECORD_CHARACTERS)
      throw new CsvError(1, 'the workbook has a tag or comment without an end')
    yield
  }
  parser.end(decode.decode())
  yield
}

export async function readXml(bytes: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(bytes, handler));
}
