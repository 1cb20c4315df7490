/** What stands behind the `]` of a markdown link: `(address "title")`, `[label]` or nothing. */
import MarkdownIt from 'markdown-it'

const { helpers, utils } = new MarkdownIt()

export type References = Readonly<Record<string, { href: string; title: string }>>

export interface FoundLink {
  href: string
  title: string
  /** just behind it */
  end: number
}

export function linkAt(
  source: string,
  at: number,
  label: readonly [from: number, to: number],
  references: References,
): FoundLink | undefined {
  return (
    (source.charAt(at) === '(' ? inlineLink(source, at + 1) : undefined) ??
    reference(source, at, label, references)
  )
}

function inlineLink(source: string, from: number): FoundLink | undefined {
  // longer ones are no addresses, and every `](` would look through the rest of the text
  const max = Math.min(source.length, from + MAX_LENGTH)
  let at = skipSpace(source, from)
  const destination = helpers.parseLinkDestination(source, at, max)
  if (!destination.ok) return source.charAt(at) === ')' ? { href: '', title: '', end: at + 1 } : undefined
  at = skipSpace(source, destination.pos)
  let title = ''
  if (at > destination.pos) {
    const found = helpers.parseLinkTitle(source, at, Math.min(source.length, at + 2000))
    if (found.ok) {
      title = found.str
      at = skipSpace(source, found.pos)
    }
  }
  return source.charAt(at) === ')' ? { href: destination.str, title, end: at + 1 } : undefined
}

/** Room for a picture that carries its bytes along. */
const MAX_LENGTH = 1_000_000
const MAX_LABEL = 200

function reference(
  source: string,
  at: number,
  label: readonly [number, number],
  references: References,
): FoundLink | undefined {
  let end = at
  let [from, to] = label
  if (source.charAt(at) === '[') {
    const close = source.slice(at + 1, at + MAX_LABEL + 2).search(/[[\]]/)
    if (close !== -1 && source.charAt(at + 1 + close) === ']') {
      end = at + close + 2
      if (close > 0) [from, to] = [at + 1, end - 1]
    }
  }
  if (to - from > MAX_LABEL || Object.keys(references).length === 0) return undefined
  const key = utils.normalizeReference(source.slice(from, to))
  const reference = Object.hasOwn(references, key) ? references[key] : undefined
  return reference && { ...reference, end }
}

function skipSpace(source: string, from: number): number {
  let at = from
  while (/[ \t\n]/.test(source.charAt(at))) at++
  return at
}
