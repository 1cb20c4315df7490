/**
 * `node bench/quality/run.ts`: how well search and answers do, on a set that the service was made with and on one
 * of another kind. Starts the service on empty embedded databases, fills them over HTTP, asks, prints and records.
 * `--verbose` tells what went wrong; `--data=<folder>` keeps the records for the next run.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillFirst, fillSecond, idsByText } from './fill.ts'
import { measure, type QuestionSet } from './measure.ts'
import { conflicting, data, exact, paraphrase, unanswerable } from './questions.ts'
import { TEXTS, UNANSWERABLE } from './second.ts'
import { DATA, EXACT } from './second-questions.ts'
import { type Running, startService } from './service.ts'

const verbose = process.argv.includes('--verbose')
const given = process.argv.find(argument => argument.startsWith('--data='))?.slice(7)

async function run(name: string, fill: (service: Running) => Promise<void>, set: QuestionSet) {
  const service = await startService(given === undefined ? undefined : join(given, name))
  if ((await service.call('GET', '/api/contacts')).total === 0) await fill(service)
  const index = await service.indexed()
  if (verbose) console.log(name)
  const measured = await measure(service, set, await idsByText(service), verbose)
  await service.close()
  return { index, ...measured }
}

const results = {
  at: new Date().toISOString().slice(0, 10),
  first: await run('first', fillFirst, { exact, paraphrase, data, unanswerable, conflicting }),
  second: await run('second', fillSecond, {
    exact: EXACT,
    paraphrase: TEXTS.flatMap(([, , text, query]) => (query === undefined ? [] : [{ query, text }])),
    data: DATA,
    unanswerable: UNANSWERABLE,
    conflicting: [],
  }),
}
console.log(JSON.stringify(results, null, 2))
writeFileSync(new URL('./results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
process.exit(0)
