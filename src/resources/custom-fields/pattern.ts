/**
 * Patterns that clients give. A backtracking engine can be kept busy for years by a short pattern and a short
 * text, so these run as a set of states that moves over the text once: at most states × characters steps.
 * What that cannot do, looking around and back references, is refused.
 */

import { type Node, parsePattern, UnsafePattern } from './pattern-syntax.ts'

export { UnsafePattern }

export const MAX_PATTERN = 500
const MAX_STATES = 1000
/** the state in which the pattern has been found */
const MATCH = 0

type State =
  | { kind: 'one'; test: (character: string) => boolean; next: number }
  | {
      kind: 'assert'
      holds: (before: string | undefined, after: string | undefined) => boolean
      next: number
    }
  | { kind: 'split'; next: number[] }
  | { kind: 'match' }

/** Does the pattern match somewhere in the text? As `new RegExp(pattern, 'u').test` says, in linear time. */
export function compilePattern(pattern: string): (text: string) => boolean {
  try {
    new RegExp(pattern, 'u')
  } catch {
    throw new UnsafePattern('this is not a regular expression')
  }
  const states: State[] = [{ kind: 'match' }]
  const start = add(states, parsePattern(pattern), MATCH)
  return text => run(states, start, [...text])
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
