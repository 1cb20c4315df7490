/** The lines of a file of any size, in batches that fit one statement. */

const MAX_LINES = 500
const MAX_CHARACTERS = 8_000_000
/** PostgreSQL stores no value over 1 GB; a row of ours is far below this. */
const MAX_LINE = 128_000_000

export async function* batchesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let batch: string[] = []
  let size = 0
  for await (const line of linesOf(stream)) {
    if (line === '') continue
    batch.push(line)
    size += line.length
    if (batch.length < MAX_LINES && size < MAX_CHARACTERS) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** Not node:readline, which also splits at U+2028 and keeps a line of any length. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  // the pieces of an incomplete line: joined once, because joining at every piece is quadratic
  let pieces: string[] = []
  let size = 0
  for await (const chunk of stream) {
    const [start = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(start)
    for (const next of others) {
      yield pieces.join('')
      pieces = [next]
      size = 0
    }
    size += pieces.at(-1)?.length ?? 0
    if (size > MAX_LINE) throw new Error(`The archive has a line of more than ${MAX_LINE} characters.`)
  }
  yield pieces.join('') + decoder.decode()
}
