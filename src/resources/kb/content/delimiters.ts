/** `*`, `_` and `~~` around words, as CommonMark pairs them. The time grows with the number of delimiters alone. */
import MarkdownIt from 'markdown-it'
import type { MarkType } from './node.ts'

const { isWhiteSpace, isPunctCharCode, isMdAsciiPunct } = new MarkdownIt().utils

/** A run of delimiters that may turn out to be text, or to begin or end marks. */
export interface Delimiter {
  kind: 'delimiter'
  character: string
  /** what is left of it as text */
  count: number
  length: number
  opens: boolean
  closes: boolean
  /** marks that end in front of what is left, and marks that begin behind it */
  off: MarkType[]
  on: MarkType[]
}

export function delimiterAt(source: string, at: number): Delimiter {
  const character = source.charAt(at)
  let end = at
  while (source.charAt(end) === character) end++
  const before = at === 0 ? 'space' : kindOf(codeBefore(source, at))
  const after = end === source.length ? 'space' : kindOf(source.codePointAt(end)!)
  const left = after !== 'space' && (after !== 'punctuation' || before !== 'word')
  const right = before !== 'space' && (before !== 'punctuation' || after !== 'word')
  const within = character === '_'
  const usable = character !== '~' || end - at === 2
  return {
    kind: 'delimiter',
    character,
    count: end - at,
    length: end - at,
    opens: usable && left && (!within || !right || before === 'punctuation'),
    closes: usable && right && (!within || !left || after === 'punctuation'),
    off: [],
    on: [],
  }
}

function codeBefore(source: string, at: number): number {
  const code = source.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff && at > 1 ? source.codePointAt(at - 2)! : code
}

export function kindOf(code: number): 'space' | 'punctuation' | 'word' {
  if (code < 128) return ASCII[code]!
  if (isWhiteSpace(code)) return 'space'
  return isPunctCharCode(code) ? 'punctuation' : 'word'
}

const ASCII = Array.from({ length: 128 }, (_, code) =>
  isWhiteSpace(code) ? 'space' : isMdAsciiPunct(code) ? 'punctuation' : 'word',
)

/** Pairs the delimiters from `bottom` on, innermost first, and leaves the list ending at `bottom`. */
export function pairDelimiters(delimiters: Delimiter[], bottom: number): void {
  const all = delimiters.splice(bottom)
  // for each kind of closer, the place below which no opener fits it
  const floors = new Map<number, number>()
  const previous = all.map((_, index) => index - 1)
  for (let at = 0; at < all.length; at++) {
    const closer = all[at]!
    while (closer.closes && closer.count > 0) {
      const kind = closer.character.charCodeAt(0) * 6 + (closer.length % 3) * 2 + Number(closer.opens)
      const found = openerFor(all, previous, at, floors.get(kind) ?? -1)
      if (found === -1) {
        floors.set(kind, previous[at]!)
        break
      }
      pair(all[found]!, closer)
      // what lay between the two stays text
      previous[at] = all[found]!.count > 0 ? found : previous[found]!
    }
    if (!closer.opens || closer.count === 0) {
      if (at + 1 < all.length) previous[at + 1] = previous[at]!
    }
  }
}

function openerFor(all: Delimiter[], previous: number[], at: number, floor: number): number {
  const closer = all[at]!
  for (let index = previous[at]!; index > floor; index = previous[index]!) {
    const opener = all[index]!
    if (!opener.opens || opener.count === 0 || opener.character !== closer.character) continue
    if (closer.character !== '~' && oddPair(opener, closer)) continue
    return index
  }
  return -1
}

const oddPair = (opener: Delimiter, closer: Delimiter): boolean =>
  (opener.closes || closer.opens) &&
  (opener.length + closer.length) % 3 === 0 &&
  (opener.length % 3 !== 0 || closer.length % 3 !== 0)

function pair(opener: Delimiter, closer: Delimiter): void {
  const strike = opener.character === '~'
  const used = opener.count > 1 && closer.count > 1 ? 2 : 1
  const mark: MarkType = strike ? 'strike' : used === 2 ? 'bold' : 'italic'
  opener.count -= used
  closer.count -= used
  opener.on.push(mark)
  closer.off.push(mark)
}
