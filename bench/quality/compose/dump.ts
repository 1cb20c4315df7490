/**
 * `node bench/quality/compose/dump.ts [--sets folder] [--out folder] [--mutated 4] [set …] [--verbose]`: the readings that
 * are composed of each question of each set, with what each answers and whether that is right, as JSON lines for
 * training the judge; and for how many questions the right one is among the first 8 and 24. `--mutated`: with so many
 * wrong readings that differ from a right one in one thing.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { localEmbedder } from '../../../src/ai/local-embedder.ts'
import { withLikeness } from '../../../src/features/ask/account/likeness.ts'
import type { Words } from '../../../src/features/ask/account/words.ts'
import { answerTo } from '../../../src/features/ask/answer.ts'
import { readingText } from '../../../src/features/ask/answers/reading-text.ts'
import { shownToJudge } from '../../../src/features/ask/decide.ts'
import type { Answer } from '../../../src/features/ask/prose/answer.ts'
import { type Reading, readingsByRules, readingsOf } from '../../../src/features/ask/readings.ts'
import { understand } from '../../../src/features/ask/understand/index.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { meantBy } from './meant.ts'
import { type Asked, type LoadedSet, loadSet, setNames } from './sets.ts'
import { mutated } from './synthetic/mutate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: 'string' },
    out: { type: 'string' },
    verbose: { type: 'boolean' },
    mutated: { type: 'string', default: '0' },
  },
})

const embedder = localEmbedder(undefined)
/** Marks what the rules read. */
const READ_COST = -9

async function candidatesOf({ memory }: LoadedSet, { question }: Asked) {
  const plain = await memory.words(question)
  const now = new Date()
  const read = understand(question, plain, now)
  const words = await withLikeness(plain, question, texts => embedder.embed(texts, true))
  const own = readingsByRules(question, read, words).map(
    (reading): Reading => ({ ...reading, cost: READ_COST }),
  )
  const began = performance.now()
  const composed = readingsOf(question, words, now)
  const ms = performance.now() - began
  return { words, own, composed: composed.filter(({ text }) => !own.some(one => one.text === text)), ms }
}

/** Readings of a question that the chart reads are there as wrong ones only: a few are enough. */
const MAX_OTHERS = 8

async function rowOf(set: LoadedSet, asked: Asked) {
  const { words, own, composed, ms } = await candidatesOf(set, asked)
  const others = own.length > 0 || asked.about !== 'data' ? composed.slice(0, MAX_OTHERS) : composed
  const rowFor = async (reading: Reading) => {
    const result = await answerOf(set, words, reading.meaning)
    return {
      description: shownToJudge(reading),
      meaning: reading.meaning,
      left: reading.left,
      cost: Math.round(reading.cost * 100) / 100,
      result: result?.answer.slice(0, 300),
      isRight: asked.about === 'data' && result !== undefined && asked.isRight(result),
    }
  }
  const rows = []
  for (const reading of [...own, ...others]) rows.push(await rowFor(reading))
  const known = meantBy(set, asked.question)
  const meant = known && { meaning: known, text: readingText(known, words), left: [], cost: 0 }
  if (meant && rows.every(({ description }) => description !== meant.text)) rows.push(await rowFor(meant))
  const right = known ?? rows.find(({ isRight }) => isRight)?.meaning
  const world = { items: set.memory.items, labels: new Map(), names: new Map() }
  for (let i = 0; right && i < Number(values.mutated); i++) {
    const meaning = mutated(world, right)
    if (!meaning) continue
    const text = readingText(meaning, words)
    if (rows.some(({ description }) => description === text)) continue
    const row = await rowFor({ meaning, text, left: [], cost: 0 })
    if (!row.isRight) rows.push(row)
  }
  const { question, expected, about } = asked
  const left = composed[0]?.left ?? []
  const read = {
    isRead: own.length,
    left,
    ms,
    ...(known === undefined ? {} : { meant: meant?.text ?? null }),
  }
  return { set: set.name, question, expected, about, ...read, candidates: rows }
}

async function answerOf({ memory }: LoadedSet, words: Words, meaning: Meaning): Promise<Answer | undefined> {
  try {
    return await answerTo({ ...words, run: memory.run }, meaning)
  } catch {
    // the accounts in memory do not evaluate every query
    return undefined
  }
}

const names = positionals.length > 0 ? positionals : setNames(values.sets)
const lines: string[] = []
for (const name of names) {
  const set = await loadSet(name)
  const counts = {
    data: 0,
    read: 0,
    'read right': 0,
    'read wrong': 0,
    first: 0,
    'in 8': 0,
    'in 24': 0,
    none: 0,
    ms: 0,
  }
  for (const asked of set.questions) {
    const row = await rowOf(set, asked)
    lines.push(JSON.stringify(row))
    if (asked.about !== 'data') continue
    const place = row.candidates.findIndex(({ isRight }) => isRight)
    counts.data++
    counts.ms = Math.max(counts.ms, Math.round(row.ms))
    if (row.isRead) {
      counts.read++
      counts[row.candidates[0]?.isRight ? 'read right' : 'read wrong']++
    }
    if (place === 0) counts.first++
    if (place >= 0 && place < 8) counts['in 8']++
    if (place >= 0 && place < 24) counts['in 24']++
    else counts.none++
    if (values.verbose && (place < 0 || place >= 8)) {
      console.log(`${place} ${asked.question} → ${JSON.stringify(asked.expected)}`)
      for (const { description, cost, left } of row.candidates.slice(0, 4))
        console.log(`      ${cost} ${description}   [${left.join(' ')}]`)
    }
  }
  if (values.out) {
    mkdirSync(values.out, { recursive: true })
    writeFileSync(`${values.out}/${set.name}.jsonl`, `${lines.splice(0).join('\n')}\n`)
  }
  const share = (count: number) => Math.round((100 * count) / counts.data)
  console.log(
    set.name,
    JSON.stringify(counts),
    `recall@8 ${share(counts['in 8'])} recall@24 ${share(counts['in 24'])}`,
  )
}
process.exit(0)
