/**
 * `node bench/quality/strangers/run.ts [third|fourth|fifth|sixth|seventh|eighth] [--verbose]`: search and answers
 * on the sets that were written by testers who had not seen the service. Each has a service of its own on an empty
 * embedded database, is written and asked over HTTP. The figures go into results.json; `--verbose` tells what went
 * wrong.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { startService } from '../service.ts'
import { fill } from './fill.ts'
import { type Failure, measure } from './measure.ts'
import { SETS, setOf } from './sets.ts'

const RESULTS = new URL('./results.json', import.meta.url)

async function run(name: string) {
  const { world, questions } = await setOf(name)
  const service = await startService(undefined)
  const filled = await fill(service, world)
  await filled.service.indexed()
  const measured = await measure(filled, questions)
  await service.close()
  return measured
}

const tell = ({ kind, question, expected, got }: Failure) =>
  console.log(`  ${kind}: ${question}\n    expected ${expected}\n    got ${got}`)

type Figures = { at: string } & Awaited<ReturnType<typeof run>>['figures']
const row = (figures: Figures) => ({
  records: figures.records,
  'exact @1': figures.exact['recall@1'],
  'paraphrase @1': figures.paraphrase['recall@1'],
  '@5': figures.paraphrase['recall@5'],
  MRR: figures.paraphrase.mrr,
  answered: figures['paraphrase answered and cited'],
  data: figures['data right'],
  facts: figures['facts right'],
  refused: figures['unanswerable refused'],
})

const [given, ...more] = process.argv.slice(2).filter(argument => argument !== '--verbose')
if (more.length > 0 || (given !== undefined && !SETS.some(name => name === given))) {
  console.error(`Give one of ${SETS.join(', ')}, or nothing for all of them.`)
  process.exit(2)
}

const measured: Record<string, Figures> = {}
for (const name of SETS) {
  if (given !== undefined && name !== given) continue
  const { figures, failures } = await run(name)
  measured[name] = { at: new Date().toISOString().slice(0, 10), ...figures }
  if (!process.argv.includes('--verbose')) continue
  console.log(`${name}: ${failures.length} went wrong`)
  failures.forEach(tell)
}
console.table(Object.fromEntries(Object.entries(measured).map(([name, figures]) => [name, row(figures)])))
// those of a set that was left out stay
const before: Record<string, Figures> = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {}
writeFileSync(RESULTS, `${JSON.stringify({ ...before, ...measured }, null, 2)}\n`)
process.exit(0)
