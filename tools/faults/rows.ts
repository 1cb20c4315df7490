/** The sum of two rows of the table in docs/trust.md. */

const CRASHES =
  /^(?<fault>\|.*\|.*\|) (?<count>\d+) (?<unit>kills|failures)(?: in (?<runs>\d+) runs)? \| (?<acknowledged>\d+) acknowledged, 0 lost, 0 doubled; no 5xx \| yes \| (?<day>\S+) \|$/

/** Undefined where a row has a problem, which no sum may hide, or is of another fault. */
export function sumOf(before: string, next: string): string | undefined {
  const [a, b] = [CRASHES.exec(before)?.groups, CRASHES.exec(next)?.groups]
  if (!a || !b || a.fault !== b.fault) return undefined
  const total = (name: string) => Number(a[name]) + Number(b[name])
  const runs = Number(a.runs ?? 1) + Number(b.runs ?? 1)
  return `${b.fault} ${total('count')} ${b.unit} in ${runs} runs | ${total('acknowledged')} acknowledged, 0 lost, 0 doubled; no 5xx | yes | ${b.day} |`
}
