/**
 * `node bench/quality/readings/features.ts --out folder [set …]`: what the likelihood of each reading of each question
 * depends on, and whether its answer is right, as JSON lines for fitting the weights of `ask/decide.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { localEmbedder } from '../../../src/ai/local-embedder.ts'
import { answerTo } from '../../../src/features/ask/answer.ts'
import {
  type Answered,
  featuresOf,
  isSame,
  joined,
  type Models,
  parsedFor,
} from '../../../src/features/ask/decide.ts'
import { readingsByRules } from '../../../src/features/ask/readings.ts'
import { askedIn } from '../../../src/features/ask/understand/background.ts'
import { understand } from '../../../src/features/ask/understand/index.ts'
import { type Asked, type LoadedSet, loadSet, setNames } from './sets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sets: { type: 'string' }, out: { type: 'string', default: '.' } },
})
const embedder = localEmbedder(undefined)
const models: Models = {
  embed: texts => embedder.embed(texts, true),
  parse: (question, items) => embedder.parse?.(question, items) ?? Promise.resolve([]),
}
const now = new Date()

async function rowOf({ name, memory }: LoadedSet, asked: Asked) {
  const words = await memory.words(asked.question)
  const question = askedIn(asked.question, words, now)
  const began = performance.now()
  const own = readingsByRules(question, understand(asked.question, words, now), words)
  const { known, added } = joined(own, await parsedFor(question, words, now, models))
  const readings = [...known, ...added]
  const ms = performance.now() - began
  const answered: (Answered & { isRight: boolean })[] = []
  for (const reading of readings) {
    const answer = await answerTo({ ...words, run: memory.run }, reading.meaning).catch(() => undefined)
    const isRight = asked.about === 'data' && answer !== undefined && asked.isRight(answer)
    answered.push({ reading, answer, isRight })
  }
  const candidates = answered.map(one => ({
    text: one.reading.text,
    // the first reading that is answered alike
    group: answered.findIndex(other => isSame(other, one)),
    isRight: one.isRight,
    isDoubtful: one.reading.isDoubtful ?? false,
    features: featuresOf(one),
  }))
  return { set: name, question: asked.question, about: asked.about, expected: asked.expected, ms, candidates }
}

mkdirSync(values.out, { recursive: true })
for (const name of positionals.length > 0 ? positionals : setNames(values.sets)) {
  const set = await loadSet(name)
  const rows = []
  for (const asked of set.questions) rows.push(await rowOf(set, asked))
  writeFileSync(`${values.out}/${set.name}.jsonl`, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  const data = rows.filter(({ about }) => about === 'data')
  const found = data.filter(({ candidates }) => candidates.some(({ isRight }) => isRight))
  console.log(name, { data: data.length, found: found.length })
}
process.exit(0)
