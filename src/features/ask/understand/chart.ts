/**
 * A bottom-up chart parser. Leaves and rules carry meanings and costs; every way to combine them is tried once, and
 * a phrase keeps its cheapest derivation for each meaning. The work is bounded, so hostile input ends in no parse.
 */

export interface Edge<Meaning = unknown> {
  category: string
  from: number
  to: number
  meaning: Meaning
  cost: number
}

export interface Rule {
  category: string
  parts: readonly string[]
  /** undefined: the parts do not fit each other */
  combine(...meanings: never[]): unknown
  cost: number
}

/** A meaning that costs more than its rule says, such as one that reaches into related records. */
export class Costly {
  readonly meaning: unknown
  readonly extra: number
  constructor(meaning: unknown, extra: number) {
    this.meaning = meaning
    this.extra = extra
  }
}

/** Rules that begin with the same parts share them: a question of 13 words takes 2,400 steps instead of 15,000. */
interface Node {
  next: Map<string, Node>
  /** the rules that are complete here */
  rules: Rule[]
}

interface Pending {
  node: Node
  edges: Edge[]
  cost: number
}

const trees = new WeakMap<readonly Rule[], Node>()

function treeOf(rules: readonly Rule[]): Node {
  const root: Node = trees.get(rules) ?? { next: new Map(), rules: [] }
  if (trees.has(rules)) return root
  for (const rule of rules) {
    const last = rule.parts.reduce<Node>((node, part) => {
      const child = node.next.get(part) ?? { next: new Map(), rules: [] }
      node.next.set(part, child)
      return child
    }, root)
    last.rules.push(rule)
  }
  trees.set(rules, root)
  return root
}

/** A phrase keeps at most so many meanings, and none that costs so much more than its cheapest. */
const MAX_MEANINGS = 6
const MAX_EXTRA = 1.6
/**
 * Rule applications, and one more for each 100 characters of a meaning, since long meanings are slow to compare. A
 * question of 22 words takes about 5,000; 9,000 take 15 ms.
 */
export const MAX_STEPS = 9000

export interface Chart {
  /** every phrase that has a meaning */
  edges: Edge[]
  steps: number
}

/** All meanings of the whole input as `goal`, the cheapest first. */
export function meaningsIn({ edges, steps }: Chart, length: number, goal: string): Edge[] {
  if (steps > MAX_STEPS) return []
  return edges
    .filter(({ category, from, to }) => category === goal && from === 0 && to === length)
    .sort((a, b) => a.cost - b.cost)
}

const texts = new WeakMap<object, string>()

/** A meaning as text, by which equal ones are found. A leaf that filler extends is the same object, so it is written once. */
export function textOf(meaning: unknown): string {
  if (typeof meaning !== 'object' || meaning === null) return JSON.stringify(meaning)
  const text = texts.get(meaning) ?? JSON.stringify(meaning)
  texts.set(meaning, text)
  return text
}

export const parse = (
  length: number,
  leaves: readonly Edge[],
  rules: readonly Rule[],
  goal: string,
): Edge[] => meaningsIn(chartOf(length, leaves, rules), length, goal)

export function chartOf(
  length: number,
  leaves: readonly Edge[],
  rules: readonly Rule[],
  maxSteps = MAX_STEPS,
): Chart {
  const root = treeOf(rules)
  const cells = new Map<string, Map<string, Edge>>()
  const startingAt = Array.from({ length: length + 1 }, () => new Map<string, Edge[]>())
  const waitingAt = Array.from({ length: length + 1 }, () => new Map<string, Pending[]>())
  // by length, so that a phrase is complete before longer ones are built on it
  const agenda = Array.from({ length: length + 1 }, (): Edge[] => [])
  let steps = 0

  function cellOf({ category, from, to }: Edge): Map<string, Edge> {
    const key = `${category}:${from}:${to}`
    const cell = cells.get(key) ?? new Map<string, Edge>()
    cells.set(key, cell)
    return cell
  }

  function add(edge: Edge): void {
    const cell = cellOf(edge)
    const meaning = textOf(edge.meaning)
    steps += Math.floor(meaning.length / 100)
    const same = cell.get(meaning)
    if (same ? same.cost <= edge.cost : !isWorthKeeping(cell, edge)) return
    cell.set(meaning, edge)
    agenda[edge.to - edge.from]?.push(edge)
  }

  function complete({ category, cost, combine }: Rule, parts: readonly Edge[], sum: number): void {
    steps++
    const combined = combine(...(parts.map(part => part.meaning) as never[]))
    const [meaning, extra] = combined instanceof Costly ? [combined.meaning, combined.extra] : [combined, 0]
    if (meaning === undefined) return
    const [from = 0, to = 0] = [parts[0]?.from, parts.at(-1)?.to]
    add({ category, from, to, meaning, cost: sum + cost + extra })
  }

  function extend({ node, edges, cost }: Pending, edge: Edge): void {
    const child = node.next.get(edge.category)
    if (!child || steps++ > maxSteps) return
    const pending = { node: child, edges: [...edges, edge], cost: cost + edge.cost }
    for (const rule of child.rules) complete(rule, pending.edges, pending.cost)
    for (const category of child.next.keys()) {
      push(waitingAt[edge.to], category, pending)
      for (const following of [...(startingAt[edge.to]?.get(category) ?? [])]) extend(pending, following)
    }
  }

  for (const leaf of leaves) add(leaf)
  for (const edges of agenda) {
    for (let edge = edges.shift(); edge && steps <= maxSteps; edge = edges.shift()) {
      if (!isWorthKeeping(cellOf(edge), edge)) continue
      push(startingAt[edge.from], edge.category, edge)
      extend({ node: root, edges: [], cost: 0 }, edge)
      for (const pending of [...(waitingAt[edge.from]?.get(edge.category) ?? [])]) extend(pending, edge)
    }
  }
  return { edges: [...cells.values()].flatMap(cell => [...cell.values()]), steps }
}

function isWorthKeeping(cell: ReadonlyMap<string, Edge>, edge: Edge): boolean {
  let cheaper = 0
  for (const other of cell.values()) {
    if (other === edge || other.cost > edge.cost) continue
    cheaper++
    if (cheaper === MAX_MEANINGS || edge.cost > other.cost + MAX_EXTRA) return false
  }
  return true
}

function push<T>(map: Map<string, T[]> | undefined, key: string, value: T): void {
  const list = map?.get(key)
  if (list) list.push(value)
  else map?.set(key, [value])
}
