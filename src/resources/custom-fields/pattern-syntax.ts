/** A regular expression's parts, as far as a matcher that never goes back can follow them. */

export class UnsafePattern extends Error {}

export type Node =
  | { kind: 'one'; test: (character: string) => boolean }
  | { kind: 'assert'; holds: (before: string | undefined, after: string | undefined) => boolean }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'any'; parts: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number }

const isWord = (character: string | undefined) => character !== undefined && /^\w$/.test(character)
const ASSERTIONS: Record<string, Extract<Node, { kind: 'assert' }>['holds']> = {
  '^': before => before === undefined,
  $: (_, after) => after === undefined,
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
}

/** One token: an escape, a class, a group's opening, a quantifier or a single character. */
const TOKEN =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<[=!]|<[^>]*>|[\s\S]))?|\{\d+(?:,\d*)?\}|[\s\S]/gu

export function parsePattern(pattern: string): Node {
  const tokens = pattern.match(TOKEN) ?? []
  let at = 0

  function alternatives(): Node {
    const parts = [sequence()]
    while (tokens[at] === '|') {
      at++
      parts.push(sequence())
    }
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts }
  }

  function sequence(): Node {
    const parts: Node[] = []
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') parts.push(repeated(atom()))
    return { kind: 'all', parts }
  }

  function atom(): Node {
    const token = tokens[at++]!
    const holds = Object.hasOwn(ASSERTIONS, token) ? ASSERTIONS[token] : undefined
    if (holds) return { kind: 'assert', holds }
    if (token.startsWith('(')) {
      const isGroup = token === '(' || token === '(?:' || /^\(\?<[^=!]/.test(token)
      if (!isGroup) throw new UnsafePattern('a pattern cannot look ahead or behind')
      const inner = alternatives()
      at++
      return inner
    }
    if (/^\\(?:[1-9]|k)/.test(token)) throw new UnsafePattern('a pattern cannot refer back to a group')
    return { kind: 'one', test: tester(token) }
  }

  function repeated(part: Node): Node {
    const bounds = boundsOf(tokens[at])
    if (!bounds) return part
    at++
    // whether it takes much or little makes no difference to whether there is a match
    if (tokens[at] === '?') at++
    return { kind: 'repeat', part, ...bounds }
  }

  return alternatives()
}

function boundsOf(token: string | undefined): { min: number; max: number } | undefined {
  if (token === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
  if (token === '+') return { min: 1, max: Number.POSITIVE_INFINITY }
  if (token === '?') return { min: 0, max: 1 }
  const counted = /^\{(\d+)(,(\d*))?\}$/.exec(token ?? '')
  if (!counted) return undefined
  const min = Number(counted[1])
  return {
    min,
    max: counted[2] === undefined ? min : counted[3] ? Number(counted[3]) : Number.POSITIVE_INFINITY,
  }
}

/** What one character must be; classes and escapes mean what they mean in JavaScript. */
function tester(token: string): (character: string) => boolean {
  const [first, second] = [...token]
  if (second === undefined && first !== '.') return character => character === token
  const known = new Map<string, boolean>()
  const one = new RegExp(`^${token}$`, 'u')
  return character => {
    let fits = known.get(character)
    if (fits === undefined) {
      fits = one.test(character)
      if (known.size < 10_000) known.set(character, fits)
    }
    return fits
  }
}
