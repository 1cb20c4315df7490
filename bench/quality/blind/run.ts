/**
 * `node bench/quality/blind/run.ts [ninth … fourteenth] [--verbose]`: questions about the data that people wrote without seeing
 * the service or the other sets. Each set is loaded and asked over HTTP. Questions that depend on the day on which they
 * were written are left out on other days.
 */
import { readFileSync } from 'node:fs'
import { type Running, startService } from '../service.ts'

interface Question {
  question: string
  kind: 'number' | 'names' | 'yesno' | 'refuse'
  expected?: number | string | string[]
  depends_on_today?: true
  /** `text`: the answer stands in a note; without it, in fields */
  about?: 'data' | 'text'
}

interface BlindSet {
  /** a day, YYYY-MM-DD */
  written_on: string
  /** a value `$name` in a body is the id of the record that is called so, `$stage:Won` that of a stage */
  records: { as: string; path: string; body: Record<string, unknown> }[]
  questions: Question[]
}

type Verdict = 'right' | 'wrong' | 'refused'

async function load(service: Running, { records }: BlindSet): Promise<void> {
  const ids = new Map<string, string>()
  const stages = await service.call('GET', '/api/deals/stages')
  for (const { id, name } of stages.items) ids.set(`$stage:${name}`, id)
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    return typeof value === 'string' ? (ids.get(value) ?? value) : value
  }
  for (const { as, path, body } of records) {
    const values = Object.entries(body).map(([name, value]) => [name, resolved(value)])
    ids.set(`$${as}`, (await service.post(path, Object.fromEntries(values))).id)
  }
}

const numbersIn = (text: string): number[] =>
  (text.match(/-?\d[\d,]*(?:\.\d+)?/g) ?? []).map(digits => Number(digits.replaceAll(',', '')))

interface Answer {
  answer: string
  grounded: boolean
  confidence?: string
}

function judge({ kind, expected }: Question, answer: Answer): Verdict {
  if (kind === 'refuse') return answer.grounded && answer.confidence !== 'low' ? 'wrong' : 'right'
  if (!answer.grounded) return 'refused'
  return fits(kind, expected, answer) ? 'right' : 'wrong'
}

function fits(kind: Question['kind'], expected: Question['expected'], answer: Answer): boolean {
  if (kind === 'number') return numbersIn(answer.answer).includes(Number(expected))
  if (kind === 'yesno') return answer.answer.toLowerCase().startsWith(String(expected))
  const names = [expected ?? []].flat().map(String)
  const [, announced] = /^(\d+) \w+ \(/.exec(answer.answer) ?? []
  const isComplete = announced === undefined || Number(announced) === names.length
  return isComplete && names.every(name => JSON.stringify(answer).includes(name))
}

const verbose = process.argv.includes('--verbose')
const names = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
for (const name of names.length > 0
  ? names
  : ['ninth', 'tenth', 'eleventh', 'twelfth', 'thirteenth', 'fourteenth']) {
  const set: BlindSet = JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'))
  const isThatDay = new Date().toISOString().startsWith(set.written_on)
  const questions = set.questions.filter(({ depends_on_today }) => isThatDay || !depends_on_today)
  const service = await startService(undefined)
  await load(service, set)
  await service.indexed()
  const zero = (): Record<Verdict, number> => ({ right: 0, wrong: 0, refused: 0 })
  const counts = { data: zero(), text: zero() }
  for (const one of questions) {
    const answer: Answer = await service.post('/api/search/ask', { question: one.question })
    const verdict = judge(one, answer)
    counts[one.about ?? 'data'][verdict]++
    if (verbose && verdict !== 'right') console.log(verdict, one, answer.answer.slice(0, 300))
  }
  console.log(name, JSON.stringify(counts))
  await service.close()
}
