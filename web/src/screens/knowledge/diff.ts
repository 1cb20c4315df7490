/** The lines by which two texts differ, by the longest common subsequence. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Above this the table of the comparison would take too much memory; then all lines count as replaced. */
const MAX_CELLS = 4_000_000

export function diffLines(before: string, after: string): DiffLine[] {
  const old = before === '' ? [] : before.split('\n')
  const now = after === '' ? [] : after.split('\n')
  const start = old.findIndex((line, index) => line !== now[index])
  const head = start === -1 ? Math.min(old.length, now.length) : start
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  return [
    ...same(old.slice(0, head)),
    ...changed(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...same(old.slice(old.length - tail)),
  ]
}

const same = (lines: readonly string[]): DiffLine[] => lines.map(text => ({ kind: 'same', text }))
const removed = (text: string): DiffLine => ({ kind: 'removed', text })
const added = (text: string): DiffLine => ({ kind: 'added', text })

function changed(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1
  if ((old.length + 1) * width > MAX_CELLS) return [...old.map(removed), ...now.map(added)]
  // lengths[i * width + j]: how many lines old from i on and now from j on have in common
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    const [before, after] = [old[i], now[j]]
    if (before !== undefined && before === after) {
      lines.push({ kind: 'same', text: before })
      i++
      j++
    } else if (after !== undefined && (before === undefined || at(i, j + 1) > at(i + 1, j))) {
      lines.push(added(after))
      j++
    } else if (before !== undefined) {
      lines.push(removed(before))
      i++
    }
  }
  return lines
}

/** The text of a page's blocks, a line for each block that has text itself. */
export function linesOf(node: unknown): string {
  const { type, text, content } = (node ?? {}) as { type?: string; text?: string; content?: unknown[] }
  if (typeof text === 'string') return text
  if (type === 'hardBreak') return '\n'
  const parts = (Array.isArray(content) ? content : []).map(part => ({ part, text: linesOf(part) }))
  const isInline = parts.some(({ part }) => (part as { type?: string }).type === 'text')
  return parts.map(({ text: line }) => line).join(isInline ? '' : '\n')
}

/** Unchanged lines further than this from a change are left out. */
const CONTEXT = 2

/** The changed lines with those around them; `undefined` is a gap. */
export function excerpt(lines: readonly DiffLine[]): (DiffLine | undefined)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line]
    return index === 0 || isNear[index - 1] ? [undefined] : []
  })
}
