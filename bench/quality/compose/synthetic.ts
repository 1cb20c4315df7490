/**
 * `node bench/quality/compose/synthetic.ts --out folder [--rows 5000] [--sets folder]`: random queries over the accounts of
 * the question sets, worded in many ways, each with its own description and those of queries that differ in one thing.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readingText } from '../../../src/features/ask/answers/reading-text.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import type { Query } from '../../../src/features/records/query/spec.ts'
import { loadSet, setNames } from './sets.ts'
import { conditionIn, type World } from './synthetic/conditions.ts'
import { headsOf, LIST } from './synthetic/heads.ts'
import { mutated } from './synthetic/mutate.ts'
import { below, pick, random } from './synthetic/random.ts'
import { NOUNS } from './synthetic/words.ts'

const { values } = parseArgs({
  options: { out: { type: 'string' }, rows: { type: 'string', default: '5000' }, sets: { type: 'string' } },
})

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
  const where =
    parts.length === 0
      ? {}
      : { where: parts.length === 1 && parts[0] ? parts[0].where : { and: parts.map(part => part.where) } }
  const question = own
    .words(pick(NOUNS[entity] ?? []), such)
    .replace(/\s+/g, ' ')
    .trim()
  const query: Query = { entity, ...where, measure: own.measure, ...own.more }
  return {
    question,
    meaning: {
      kind: 'query',
      query,
      ...(own.show ? { show: own.show, isEach: true } : {}),
      ...(own.isYesNo ? { isYesNo: true } : {}),
    },
  }
}

const worlds: World[] = []
const namings = []
for (const name of setNames(values.sets)) {
  const { memory } = await loadSet(name)
  const words = await memory.words('deals')
  worlds.push({
    items: memory.items,
    labels: new Map(words.fields.map(({ key, label }) => [key, label])),
    names: new Map(memory.items.map(item => [item.id, String(item.full_name ?? item.name ?? item.subject)])),
  })
  namings.push(words)
}
const lines: string[] = []
while (lines.length < Number(values.rows)) {
  const at = below(worlds.length)
  const [world, words] = [worlds[at], namings[at]]
  if (!world || !words) continue
  const made = madeIn(world)
  if (!made) continue
  const naming = { nameOf: (id: string) => world.names.get(id), labelOf: words.labelOf }
  const right = readingText(made.meaning, naming)
  const wrong = new Set<string>()
  for (let i = 0; i < 12 && wrong.size < 5; i++) {
    const other = mutated(world, made.meaning)
    const text = other && readingText(other, naming)
    if (text && text !== right) wrong.add(text)
  }
  const candidates = [
    { description: right, isRight: true },
    ...[...wrong].map(description => ({ description, isRight: false })),
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
