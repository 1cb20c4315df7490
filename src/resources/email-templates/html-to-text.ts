/**
 * The visible text of HTML. One scan from left to right without backtracking, so it takes linear time, whatever the
 * HTML is.
 */
import { decodeEntities } from './entities.ts'

/** Elements whose content is not shown. */
const HIDDEN = new Set(['script', 'style', 'title'])
/** Elements that begin and end a line. */
const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)

export function htmlToText(html: string): string {
  const lines = linesOfText()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) {
      lines.add(html.slice(at))
      break
    }
    if (open > at) lines.add(html.slice(at, open))
    const tag = tagAt(html, open)
    if (!tag) {
      lines.add('<')
      at = open + 1
      continue
    }
    at = tag.end
    if (HIDDEN.has(tag.name) && !tag.closing) at = endOfHidden(html, tag.end, tag.name)
    else if (tag.name === 'br') lines.endLine()
    else if (BLOCKS.has(tag.name)) lines.block(tag.name === 'li' && !tag.closing ? '- ' : '')
    else if (tag.name === 'td' || tag.name === 'th') lines.add(' ')
  }
  return lines.all()
}

/** Collects text with white space folded, as a browser shows it. */
function linesOfText() {
  const done: string[] = []
  let line: string[] = []
  let prefix = ''

  const endLine = () => {
    const text = line.join('').replace(/ {2,}/g, ' ').trim()
    done.push(text === '' ? '' : prefix + text)
    line = []
    prefix = ''
  }
  /** A block begins or ends: the following text begins a new line. */
  const block = (nextPrefix: string) => {
    if (line.some(part => part !== ' ')) endLine()
    line = []
    prefix = nextPrefix
  }
  return {
    add(raw: string) {
      line.push(decodeEntities(raw).replace(/[ \t\n\r\f\u00a0]+/g, ' '))
    },
    endLine,
    block,
    all(): string {
      block('')
      return done.join('\n').trim()
    },
  }
}

interface Tag {
  /** in lower case; empty for comments and declarations */
  name: string
  closing: boolean
  end: number
}

/** The tag that begins at a `<`, or undefined where it is only a less-than sign. An unended one takes the rest. */
function tagAt(html: string, open: number): Tag | undefined {
  if (html.startsWith('<!--', open)) return { name: '', closing: false, end: after(html, '-->', open + 4) }
  const next = html.charAt(open + 1)
  if (next === '!' || next === '?') return { name: '', closing: false, end: after(html, '>', open + 2) }
  const closing = next === '/'
  let at = open + (closing ? 2 : 1)
  if (!isLetter(html.charCodeAt(at))) return undefined
  const start = at
  while (isNameCharacter(html.charCodeAt(at))) at++
  return { name: html.slice(start, at).toLowerCase(), closing, end: endOfTag(html, at) }
}

const isLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
const isNameCharacter = (code: number) => isLetter(code) || (code >= 48 && code <= 57) || code === 45

/** Just behind the `>` that ends a tag; one inside a quoted attribute value does not. */
function endOfTag(html: string, from: number): number {
  let quote = ''
  for (let at = from; at < html.length; at++) {
    const character = html.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return at + 1
    else if ((character === '"' || character === "'") && html.charAt(at - 1) === '=') quote = character
  }
  return html.length
}

/** Just behind the end tag of an element whose content is dropped. */
function endOfHidden(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    const ends = html.slice(at + 2, at + 2 + name.length).toLowerCase() === name
    if (ends && !isNameCharacter(html.charCodeAt(at + 2 + name.length))) return after(html, '>', at + 2)
  }
  return html.length
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}
