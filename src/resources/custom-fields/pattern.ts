/**
 * Patterns that clients give. A backtracking engine can be kept busy for years by a short pattern and a short
 * text, so these run as a set of states that moves over the text once: at most states × characters steps.
 * What that cannot do, looking around and back references, is refused.
 */

export const MAX_PATTERN = 500
const MAX_STATES = 1000
/** the state in which the pattern has been found */
const MATCH = 0

export class UnsafePattern extends Error {}

type Node =
  | { kind: 'one'; test: (character: string) => boolean }
  | { kind: 'assert'; holds: (before: string | undefined, after: string | undefined) => boolean }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'any'; parts: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number }

type State =
  | { kind: 'one'; test: (character: string) => boolean; next: number }
  | {
      kind: 'assert'
      holds: (before: string | undefined, after: string | undefined) => boolean
      next: number
    }
  | { kind: 'split'; next: number[] }
  | { kind: 'match' }

const isWord = (character: string | undefined) => character !== undefined && /^\w$/.test(character)
const ASSERTIONS: Record<string, Extract<Node, { kind: 'assert' }>['holds']> = {
  '^': before => before === undefined,
  $: (_, after) => after === undefined,
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
}

/** Does the pattern match somewhere in the text? As `new RegExp(pattern, 'u').test` says, in linear time. */
export function compilePattern(pattern: string): (text: string) => boolean {
  try {
    new RegExp(pattern, 'u')
  } catch {
    throw new UnsafePattern('this is not a regular expression')
  }
  const states: State[] = [{ kind: 'match' }]
  const start = add(states, parse(pattern), MATCH)
  return text => run(states, start, [...text])
}

/** One token: an escape, a class, a group's opening, a quantifier or a single character. */
const TOKEN =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<[=!]|<[^>]*>|[\s\S]))?|\{\d+(?:,\d*)?\}|[\s\S]/gu

function parse(pattern: string): Node {
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

/** Adds the states of a node that go on to `next` and returns where they begin. */
function add(states: State[], node: Node, next: number): number {
  const put = (state: State): number => {
    if (states.length >= MAX_STATES) throw new UnsafePattern('this pattern is too large')
    return states.push(state) - 1
  }
  if (node.kind === 'one') return put({ kind: 'one', test: node.test, next })
  if (node.kind === 'assert') return put({ kind: 'assert', holds: node.holds, next })
  if (node.kind === 'any')
    return put({ kind: 'split', next: node.parts.map(part => add(states, part, next)) })
  if (node.kind === 'all') {
    // an empty sequence still needs a state of its own
    const last = put({ kind: 'split', next: [next] })
    return node.parts.reduceRight((follower, part) => add(states, part, follower), last)
  }
  let entry = next
  if (node.max === Number.POSITIVE_INFINITY) {
    const loop: Extract<State, { kind: 'split' }> = { kind: 'split', next: [next] }
    entry = put(loop)
    loop.next.push(add(states, node.part, entry))
  } else {
    for (let i = node.min; i < node.max; i++) {
      entry = put({ kind: 'split', next: [next, add(states, node.part, entry)] })
    }
  }
  for (let i = 0; i < node.min; i++) entry = add(states, node.part, entry)
  return entry
}

function run(states: readonly State[], start: number, text: readonly string[]): boolean {
  // the place in the text at which a state was last entered
  const entered = new Int32Array(states.length).fill(-1)
  let waiting: Extract<State, { kind: 'one' }>[] = []

  for (let place = 0; place <= text.length; place++) {
    const after = text[place]
    const next: typeof waiting = []
    // a match may begin anywhere
    const open = [start]
    for (const state of waiting) if (state.test(text[place - 1]!)) open.push(state.next)
    while (open.length > 0) {
      const index = open.pop()!
      if (entered[index] === place) continue
      entered[index] = place
      const state = states[index]!
      if (state.kind === 'match') return true
      if (state.kind === 'split') open.push(...state.next)
      else if (state.kind === 'one') next.push(state)
      else if (state.holds(text[place - 1], after)) open.push(state.next)
    }
    waiting = next
  }
  return false
}
