/**
 * `node bench/quality/readings/synthetic.ts --out folder [--rows 5000] [--seed 14] [--without a6,b5]`: random queries over
 * the accounts of the question sets, worded in many ways, as rows for training the parser (`parser-rows.ts`).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { itemsOf } from '../../../src/features/ask/parser/items.ts'
import { readingOf } from '../../../src/features/ask/parser/tokens.ts'
import type { Memory } from '../../../src/features/ask/testing/memory.testing.ts'
import { written } from '../../../src/features/ask/testing/written.testing.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { normalised } from '../../../src/features/ask/understand/normal.ts'
import type { Query } from '../../../src/features/records/query/spec.ts'
import { loadSet, setNames } from './sets.ts'
import { shown } from './shown-item.ts'
import { conditionIn, type World } from './synthetic/conditions.ts'
import { headsOf, LIST } from './synthetic/heads.ts'
import { below, pick, random, seed } from './synthetic/random.ts'
import { NOUNS } from './synthetic/words.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.' },
    rows: { type: 'string', default: '5000' },
    sets: { type: 'string' },
    seed: { type: 'string', default: '14' },
    without: { type: 'string', default: '' },
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

const now = new Date()
const worlds: { world: World; memory: Memory }[] = []
const without = values.without.split(',')
for (const name of setNames(values.sets).filter(one => !without.includes(one))) {
  const { memory } = await loadSet(name)
  const { fields } = await memory.words('deals')
  const world = {
    items: memory.items,
    labels: new Map(fields.map(({ key, label }) => [key, label])),
    choices: fields.flatMap(({ kind, key, label, choices }) =>
      choices ? [{ kind, field: key, label, choices }] : [],
    ),
    names: new Map(memory.items.map(item => [item.id, String(item.full_name ?? item.name ?? item.subject)])),
  }
  worlds.push({ world, memory })
}
const lines: string[] = []
while (lines.length < Number(values.rows)) {
  const { world, memory } = pick(worlds)
  const made = madeIn(world)
  if (!made) continue
  const { question, meaning } = made
  const items = itemsOf(question, await memory.words(question), now)
  const tokens = written(meaning, items, now)
  if (typeof tokens === 'string' || !readingOf(tokens, items, now)) continue
  lines.push(
    JSON.stringify({ set: 'synthetic', question, about: 'data', items: items.map(shown), tokens, weight: 1 }),
  )
}
mkdirSync(values.out, { recursive: true })
writeFileSync(`${values.out}/synthetic.jsonl`, `${lines.join('\n')}\n`)
