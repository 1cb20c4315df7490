/**
 * A row as PostgreSQL writes a composite value: `(a,"b c",,t)`. One text for forty columns is half the work of forty
 * fields, on both ends of the wire: 10 µs a contact instead of 15 to 17.
 */
const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44

/** Puts the columns' texts into `values`, which is used again for the next row; null for NULL. */
export function parseRowText(text: string, values: (string | null)[]): void {
  const end = text.length - 1
  for (let at = 1, index = 0; ; at++, index++) {
    const first = at === end ? COMMA : text.charCodeAt(at)
    if (first === COMMA) values[index] = null
    else if (first === QUOTE) {
      const close = closingQuote(text, at + 1)
      values[index] = unescaped(text.slice(at + 1, close))
      at = close + 1
    } else {
      const comma = text.indexOf(',', at)
      const stop = comma === -1 ? end : comma
      values[index] = text.slice(at, stop)
      at = stop
    }
    if (at >= end) return
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) {
      if (text.charCodeAt(at + 1) !== QUOTE) return at
      at++
    }
  }
}

const unescaped = (text: string): string =>
  text.includes('"') || text.includes('\\') ? text.replace(/(["\\])\1/g, '$1') : text
