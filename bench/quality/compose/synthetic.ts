/**
 * `node bench/quality/compose/synthetic.ts --out folder [--rows 5000] [--seed 14] [--composed 0.5]
 * [--without a6,b5]`: random queries over the accounts of the question sets, worded in many ways, each with its own description, those of queries that differ in
 * one thing and, of the share `--composed`, those that the composer proposes. `--parser`: the rows are for training the
 * parser, as those of parser-rows.ts.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { answerTo } from '../../../src/features/ask/answer.ts'
import { readingText } from '../../../src/features/ask/answers/reading-text.ts'
import { shownToJudge } from '../../../src/features/ask/decide.ts'
import { itemsOf } from '../../../src/features/ask/parser/items.ts'
import { readingOf } from '../../../src/features/ask/parser/tokens.ts'
import type { Answer } from '../../../src/features/ask/prose/answer.ts'
import { readingsOf } from '../../../src/features/ask/readings.ts'
import type { Memory } from '../../../src/features/ask/testing/memory.testing.ts'
import { written } from '../../../src/features/ask/testing/written.testing.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { normalised } from '../../../src/features/ask/understand/normal.ts'
import type { Query } from '../../../src/features/records/query/spec.ts'
import { loadSet, setNames } from './sets.ts'
import { shown } from './shown-item.ts'
import { conditionIn, type World } from './synthetic/conditions.ts'
import { headsOf, LIST } from './synthetic/heads.ts'
import { mutated } from './synthetic/mutate.ts'
import { below, pick, random, seed } from './synthetic/random.ts'
import { NOUNS } from './synthetic/words.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    rows: { type: 'string', default: '5000' },
    sets: { type: 'string' },
    seed: { type: 'string', default: '14' },
    composed: { type: 'string', default: '0.5' },
    without: { type: 'string', default: '' },
    parser: { type: 'boolean', default: false },
  },
})
seed(Number(values.seed))

interface Made {
  question: string
  meaning: Meaning
}

function madeIn(world: World): Made | undefined {
  const entity = pick(['deal', 'deal', 'company', 'company', 'contact', 'activity'])
  const own = pick(headsOf(entity))
  const parts = Array.from({ length: random() < 0.25 ? 0 : 1 + below(3) }, () =>
    conditionIn(world, entity, 1),
  ).filter(one => one !== undefined)
  const named = random() < 0.25 ? pick(world.items.filter(({ kind }) => kind === entity)) : undefined
  const name = named && world.names.get(named.id)
  const fields = parts.map(({ where }) => JSON.stringify(where).match(/"field":"([^"]+)/)?.[1])
  if (new Set(fields).size < fields.length) return undefined
  if (named && name && own.show) {
    const label = own.show
    const question = pick([
      '{f} of {r}',
      "what's {r}'s {f}",
      '{r} {f}?',
      'tell me the {f} of {r}',
      '{r}: {f} pls',
      'do you have the {f} of {r}?',
      'i need {r}, the {f}',
    ])
      .replace('{f}', label.field === 'when' ? 'date' : label.field.replaceAll('_', ' '))
      .replace('{r}', random() < 0.3 ? name.toLowerCase() : name)
    return {
      question,
      meaning: {
        kind: 'query',
        query: { entity, where: { field: 'id', op: 'in', value: [named.id] }, measure: LIST },
        show: label,
      },
    }
  }
  if (parts.length === 0 && !own.show && own.measure.kind === 'list') return undefined
  const such = parts.map(({ words }) => words).join(random() < 0.3 ? ' and ' : ' ')
  const all = [...parts.map(part => part.where), ...(own.also ? [own.also] : [])]
  const where = all.length === 0 ? {} : { where: all.length === 1 && all[0] ? all[0] : { and: all } }
  const question = own
    .words(pick(NOUNS[entity] ?? []), such)
    .replace(/\s+/g, ' ')
    .trim()
  const query: Query = { entity, ...where, measure: own.measure, ...own.more }
  return {
    question,
    meaning: normalised({
      kind: 'query',
      query,
      ...(own.show ? { show: own.show, isEach: true } : {}),
      ...(own.isYesNo ? { isYesNo: true } : {}),
      ...(own.isNumber ? { isNumber: true } : {}),
    }),
  }
}

async function answerOf(memory: Memory, question: string, meaning: Meaning): Promise<Answer | undefined> {
  try {
    return await answerTo({ ...(await memory.words(question)), run: memory.run }, meaning)
  } catch {
    // the accounts in memory do not evaluate every query
    return undefined
  }
}

interface Proposed {
  description: string
  isRight: boolean
  cost?: number
}

/** What the composer proposes. A reading with the same answer counts as right, but of nothing found it is not known. */
async function proposedFor(memory: Memory, { question, meaning }: Made, right: string): Promise<Proposed[]> {
  const answer = await answerOf(memory, question, meaning)
  const isNothing = !answer?.grounded || answer.data?.count === 0
  const proposed: Proposed[] = []
  for (const reading of readingsOf(question, await memory.words(question), new Date()).slice(
    0,
    MAX_PROPOSED,
  )) {
    const description = shownToJudge(reading)
    const own = reading.text === right ? answer : await answerOf(memory, question, reading.meaning)
    const isSame = own?.answer === answer?.answer
    if (reading.text !== right && isSame && isNothing) continue
    proposed.push({ description, isRight: reading.text === right || isSame, cost: reading.cost })
  }
  return proposed
}

const MAX_PROPOSED = 12

const now = new Date()
const worlds: World[] = []
const namings = []
const memories: Memory[] = []
const without = values.without.split(',')
for (const name of setNames(values.sets).filter(one => !without.includes(one))) {
  const { memory } = await loadSet(name)
  const words = await memory.words('deals')
  worlds.push({
    items: memory.items,
    labels: new Map(words.fields.map(({ key, label }) => [key, label])),
    names: new Map(memory.items.map(item => [item.id, String(item.full_name ?? item.name ?? item.subject)])),
  })
  namings.push(words)
  memories.push(memory)
}
const lines: string[] = []
while (lines.length < Number(values.rows)) {
  const at = below(worlds.length)
  const [world, words, memory] = [worlds[at], namings[at], memories[at]]
  if (!world || !words || !memory) continue
  const made = madeIn(world)
  if (!made) continue
  if (values.parser) {
    const items = itemsOf(made.question, await memory.words(made.question), now)
    const tokens = written(made.meaning, items, now)
    if (typeof tokens === 'string' || !readingOf(tokens, items, now)) continue
    const { question } = made
    lines.push(
      JSON.stringify({
        set: 'synthetic',
        question,
        about: 'data',
        items: items.map(shown),
        tokens,
        weight: 1,
      }),
    )
    continue
  }
  const naming = { nameOf: (id: string) => world.names.get(id), labelOf: words.labelOf }
  const right = readingText(made.meaning, naming)
  const wrong = new Set<string>()
  for (let i = 0; i < 12 && wrong.size < 5; i++) {
    const other = mutated(world, made.meaning)
    const text = other && readingText(other, naming)
    if (text && text !== right) wrong.add(text)
  }
  const isComposed = random() < Number(values.composed)
  const proposed = isComposed ? await proposedFor(memory, made, right) : []
  // where the composer lacks the right reading, it mostly stays so
  const isThere = proposed.length === 0 || random() < 0.6 || proposed.some(({ isRight }) => isRight)
  const candidates = [
    ...(isThere && !proposed.some(({ description }) => description === right)
      ? [{ description: right, isRight: true }]
      : []),
    ...[...wrong].map(description => ({ description, isRight: false })),
    ...proposed.filter(({ description }) => !wrong.has(description)),
  ]
  lines.push(
    JSON.stringify({
      set: 'synthetic',
      question: made.question,
      expected: null,
      about: 'data',
      left: [],
      candidates,
    }),
  )
}
const folder = values.out ?? '.'
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}/synthetic.jsonl`, `${lines.join('\n')}\n`)
