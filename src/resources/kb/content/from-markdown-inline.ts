/**
 * The words of a markdown block: marks, links, pictures, code. One pass, then the delimiters are paired, so its
 * time grows with the length whatever the text looks like. (The inline parser of markdown-it, which reads the
 * blocks, takes 3 to 10 seconds for a megabyte of `[`.)
 */
import MarkdownIt from 'markdown-it'
import { type Delimiter, delimiterAt, pairDelimiters } from './delimiters.ts'
import { linkAt, type References } from './markdown-links.ts'
import { type Image, image, MARK_ORDER, type Mark, type MarkType, text } from './node.ts'
import type { Piece } from './pieces.ts'
import { imageSource, linkTarget } from './urls.ts'

const { unescapeAll } = new MarkdownIt().utils

type Part =
  | Delimiter
  | { kind: 'text'; text: string }
  | { kind: 'bracket'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'image'; image: Image }
  | { kind: 'mark'; mark: MarkType; on: boolean }
  | { kind: 'link'; link: Mark | undefined }

interface Reader {
  readonly source: string
  readonly references: References
  readonly parts: Part[]
  readonly delimiters: Delimiter[]
  readonly brackets: Bracket[]
  /** a link holds no other: the brackets before this one that would begin a link are text */
  active: number
  /** where backticks stand, by their number; the next ones are at the end */
  readonly backticks: Map<number, number[]>
  at: number
}

interface Bracket {
  /** where it stands among the parts, and in the source behind it */
  part: number
  at: number
  delimiters: number
  isImage: boolean
}

/** The tags that markdown has no signs for, and those that stand in where its signs would be misread. */
const TAGS: Record<string, MarkType> = {
  ...{
    u: 'underline',
    ins: 'underline',
    mark: 'highlight',
    strong: 'bold',
    b: 'bold',
    em: 'italic',
    i: 'italic',
  },
  ...{ s: 'strike', del: 'strike' },
}
const TAG = /<(\/?)(u|ins|mark|strong|b|em|i|s|del|br)\s{0,10}\/?>/iy
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/iy
const AUTOMAIL = /<([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9.-]{1,255})>/iy
const ENTITY = /&(?:#x[a-f0-9]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,31});/iy
const ESCAPABLE = /[!-/:-@[-`{-~]/
const SPECIAL = /[\\`*_~[\]!<&\n]/g

export function inlinesOf(source: string, references: References): Piece[] {
  const backticks = new Map<number, number[]>()
  for (const { 0: run, index } of source.matchAll(/`+/g)) {
    const places = backticks.get(run.length)
    if (places) places.push(index)
    else backticks.set(run.length, [index])
  }
  for (const places of backticks.values()) places.reverse()
  return read({ source, references, parts: [], delimiters: [], brackets: [], active: 0, backticks, at: 0 })
}

function read(r: Reader): Piece[] {
  const { source } = r
  while (r.at < source.length) {
    SPECIAL.lastIndex = r.at
    const next = SPECIAL.exec(source)?.index ?? source.length
    if (next > r.at) addText(r, source.slice(r.at, next))
    r.at = next
    if (next < source.length) special(r, source.charAt(next))
  }
  pairDelimiters(r.delimiters, 0)
  return piecesOf(r.parts)
}

function addText(r: Reader, words: string, length = words.length) {
  const last = r.parts.at(-1)
  if (last?.kind === 'text') last.text += words
  else r.parts.push({ kind: 'text', text: words })
  r.at += length
}

function special(r: Reader, character: string) {
  switch (character) {
    case '\\':
      return escapedSign(r)
    case '`':
      return code(r)
    case '*':
    case '_':
    case '~':
      return delimiter(r)
    case '!':
      return r.source.charAt(r.at + 1) === '[' ? openBracket(r, true) : addText(r, '!')
    case '[':
      return openBracket(r, false)
    case ']':
      return closeBracket(r)
    case '<':
      return tag(r)
    case '&':
      return entity(r)
    default:
      return lineEnd(r)
  }
}

function escapedSign(r: Reader) {
  const next = r.source.charAt(r.at + 1)
  if (next === '\n') {
    r.parts.push({ kind: 'break' })
    r.at += 2
    skipSpaces(r)
  } else if (ESCAPABLE.test(next)) addText(r, next, 2)
  else addText(r, '\\')
}

/** A line that ends in two spaces is broken there; otherwise its end is a space. */
function lineEnd(r: Reader) {
  let spaces = 0
  while (/[ \t]/.test(r.source.charAt(r.at - spaces - 1))) spaces++
  const before = r.parts.at(-1)
  if (spaces > 0 && before?.kind === 'text') before.text = before.text.slice(0, -spaces)
  const isBroken = r.source.slice(r.at - 2, r.at) === '  '
  // a part of its own, so that what is cut off the next line's end is not cut off a long text
  r.parts.push(isBroken ? { kind: 'break' } : { kind: 'text', text: ' ' })
  r.at++
  skipSpaces(r)
}

function skipSpaces(r: Reader) {
  while (/[ \t]/.test(r.source.charAt(r.at))) r.at++
}

function code(r: Reader) {
  let end = r.at
  while (r.source.charAt(end) === '`') end++
  const places = r.backticks.get(end - r.at) ?? []
  while ((places.at(-1) ?? end) < end) places.pop()
  const close = places.at(-1)
  if (close === undefined) return addText(r, r.source.slice(r.at, end))
  const inside = r.source.slice(end, close).replaceAll('\n', ' ')
  const padded = /^ .* $/.test(inside) && inside.trim() !== ''
  r.parts.push({ kind: 'code', text: padded ? inside.slice(1, -1) : inside })
  r.at = close + end - r.at
}

function delimiter(r: Reader) {
  const delimiter = delimiterAt(r.source, r.at)
  if (!delimiter.opens && !delimiter.closes) return addText(r, delimiter.character.repeat(delimiter.length))
  r.parts.push(delimiter)
  r.delimiters.push(delimiter)
  r.at += delimiter.length
}

function openBracket(r: Reader, isImage: boolean) {
  const opening = isImage ? '![' : '['
  r.parts.push({ kind: 'bracket', text: opening })
  r.at += opening.length
  const { parts, at, delimiters } = r
  r.brackets.push({ part: parts.length - 1, at, delimiters: delimiters.length, isImage })
}

function closeBracket(r: Reader) {
  const bracket = r.brackets.pop()
  const isLive = bracket && (bracket.isImage || r.brackets.length >= r.active)
  r.active = Math.min(r.active, r.brackets.length)
  if (!isLive) return addText(r, ']')
  const found = linkAt(r.source, r.at + 1, [bracket.at, r.at], r.references)
  const href = found && (bracket.isImage ? imageSource(found.href) : linkTarget(found.href))
  if (!found || href === undefined) return addText(r, ']')
  pairDelimiters(r.delimiters, bracket.delimiters)
  if (bracket.isImage) {
    const inside = piecesOf(r.parts.splice(bracket.part).slice(1))
    const alt = inside
      .map(piece => ('text' in piece ? piece.text : 'attrs' in piece ? piece.attrs.alt : ' '))
      .join('')
    r.parts.push({ kind: 'image', image: image(href, alt, found.title) })
  } else {
    linkFrom(r, bracket, { type: 'link', attrs: { href, ...(found.title ? { title: found.title } : {}) } })
  }
  r.at = found.end
}

function linkFrom(r: Reader, bracket: Bracket, link: Mark) {
  r.parts[bracket.part] = { kind: 'link', link }
  r.parts.push({ kind: 'link', link: undefined })
  r.active = r.brackets.length
}

function matched(r: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = r.at
  return pattern.exec(r.source) ?? undefined
}

function tag(r: Reader) {
  const tag = matched(r, TAG)
  if (tag) {
    const name = tag[2]!.toLowerCase()
    r.parts.push(name === 'br' ? { kind: 'break' } : { kind: 'mark', mark: TAGS[name]!, on: tag[1] === '' })
    r.at += tag[0].length
    return
  }
  const address = matched(r, AUTOLINK) ?? matched(r, AUTOMAIL)
  const [whole = '', words = ''] = address ?? []
  const href = address && linkTarget(whole.includes(':') ? words : `mailto:${words}`)
  if (href === undefined) return addText(r, '<')
  r.parts.push({ kind: 'link', link: { type: 'link', attrs: { href } } })
  addText(r, words, whole.length)
  r.parts.push({ kind: 'link', link: undefined })
}

function entity(r: Reader) {
  const entity = matched(r, ENTITY)?.[0]
  if (entity === undefined) addText(r, '&')
  else addText(r, unescapeAll(entity), entity.length)
}

/** Walks the parts with the marks that are on, and writes each word with those. */
function piecesOf(parts: readonly Part[]): Piece[] {
  const depth = new Map<MarkType, number>()
  let link: Mark | undefined
  let marks: Mark[] = []
  const turn = (mark: MarkType, by: number) => depth.set(mark, Math.max(0, (depth.get(mark) ?? 0) + by))
  const settle = () => {
    marks = MARK_ORDER.flatMap((type): Mark[] =>
      type === 'link' ? (link ? [link] : []) : depth.get(type) ? [{ type }] : [],
    )
  }
  const pieces: Piece[] = []
  for (const part of parts) {
    if (part.kind === 'delimiter') {
      for (const mark of part.off) turn(mark, -1)
      if (part.off.length > 0) settle()
      if (part.count > 0) pieces.push(text(part.character.repeat(part.count), marks))
      for (const mark of part.on) turn(mark, 1)
      if (part.on.length > 0) settle()
    } else if (part.kind === 'mark') {
      turn(part.mark, part.on ? 1 : -1)
      settle()
    } else if (part.kind === 'link') {
      link = part.link
      settle()
    } else if (part.kind === 'break') pieces.push({ type: 'hardBreak' })
    else if (part.kind === 'image') pieces.push(part.image)
    else pieces.push(text(part.text, part.kind === 'code' ? [...marks, { type: 'code' }] : marks))
  }
  return pieces
}
