/**
 * `node bench/quality/blind/run.ts [ninth … fiftysecond, a1 … c12, t1 … t20] [--verbose]`: questions about the data that people wrote without seeing
 * the service or the other sets. Each set is loaded and asked over HTTP. Questions that depend on the day on which they
 * were written are left out on other days.
 */
import { readFileSync } from 'node:fs'
import { type Running, startService } from '../service.ts'
import { type Answer, type BlindSet, judge, type Verdict } from './judge.ts'

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

const verbose = process.argv.includes('--verbose')
const names = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
for (const name of names.length > 0
  ? names
  : [
      'ninth',
      'tenth',
      'eleventh',
      'twelfth',
      'thirteenth',
      'fourteenth',
      'fifteenth',
      'sixteenth',
      'seventeenth',
      'eighteenth',
      'nineteenth',
      'twentieth',
      'twentyfirst',
      'twentysecond',
      'twentythird',
      'twentyfourth',
      'twentyfifth',
      'twentysixth',
      'twentyseventh',
      'twentyeighth',
      'twentyninth',
      'thirtieth',
      'thirtyfirst',
      'thirtysecond',
      'thirtythird',
      'thirtyfourth',
      'thirtyfifth',
      'thirtysixth',
      'thirtyseventh',
      'thirtyeighth',
      'thirtyninth',
      'fortieth',
      'fortyfirst',
      'fortysecond',
      'fortythird',
      'fortyfourth',
      'fortyfifth',
      'fortysixth',
      'fortyseventh',
      'fortyeighth',
      'fortyninth',
      'fiftieth',
      'fiftyfirst',
      'fiftysecond',
    ]) {
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
