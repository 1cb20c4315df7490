/**
 * `node bench/quality/readings/to-word.ts --out file [--each 40] [--seed 1] [set …]`: readings for people to put into
 * words. Each mixes what two questions of a set ask, with other values of the account, so that the parser learns
 * combinations that nobody asked for. What they write is in `bench/quality/worded`.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { answerTo } from '../../../src/features/ask/answer.ts'
import { readingText } from '../../../src/features/ask/answers/reading-text.ts'
import { isEntity } from '../../../src/features/ask/lexicon/types.ts'
import { isField, type Meaning, on, whole } from '../../../src/features/ask/understand/meaning.ts'
import { isContradiction, normalised } from '../../../src/features/ask/understand/normal.ts'
import type { Condition } from '../../../src/features/records/query/spec.ts'
import { meantBy } from './meant.ts'
import { type LoadedSet, loadSet, setNames } from './sets.ts'
import { below, pick, random, seed } from './synthetic/random.ts'

type Asked = Extract<Meaning, { kind: 'query' }>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'to-word.json' },
    each: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
})
seed(Number(values.seed))

const parts = (where: Condition | undefined): Condition[] =>
  where === undefined ? [] : 'and' in where ? where.and.flatMap(parts) : [where]

/** The set's own questions about data, as far as they are single queries. */
function queriesIn(set: LoadedSet): Asked[] {
  return set.questions.flatMap(asked => {
    const meaning = asked.about === 'data' ? meantBy(set, asked) : undefined
    return meaning?.kind === 'query' && isEntity(meaning.query.entity) ? [meaning] : []
  })
}

function mixed(base: Asked, other: Asked, set: LoadedSet): Asked | undefined {
  const { entity } = base.query
  const own = parts(base.query.where).filter(() => random() < 0.6)
  const added = parts(other.query.where)
    .filter(() => random() < 0.6)
    .slice(0, 2)
    .map(where =>
      isEntity(entity) && isEntity(other.query.entity)
        ? on(entity, { entity: other.query.entity, where })
        : undefined,
    )
  if (added.some(where => where === undefined)) return undefined
  const all = [...own, ...added.flatMap(where => where ?? [])].map(where =>
    withOtherValues(where, entity, set),
  )
  const fields = all.flatMap(where => (isField(where) ? [where.field] : []))
  if (all.length > 3 || new Set(fields).size < fields.length) return undefined
  const where = whole(all)
  const { where: _, ...asks } = base.query
  if (!where && asks.measure?.kind === 'list' && !asks.order && !base.show) return undefined
  const made = normalised({ ...base, query: { ...asks, ...(where ? { where } : {}) } })
  return made.kind === 'query' && !isContradiction(made) ? made : undefined
}

/** The same condition about other values of the account: another country, another record, another amount. */
function withOtherValues(where: Condition, entity: string, set: LoadedSet): Condition {
  if (!isField(where) || random() < 0.4) return where
  const { field, value } = where
  const items = set.memory.items.filter(({ kind }) => kind === entity)
  if (field === 'id' && Array.isArray(value) && value.length === 1) {
    const item = pick(items)
    return item ? { ...where, value: [item.id] } : where
  }
  if (typeof value === 'number') return { ...where, value: scaled(value) }
  if (typeof value !== 'string' || /^\d{4}-/.test(value)) return where
  const others = new Set(items.flatMap(item => own(item, field)).filter(one => typeof one === 'string'))
  return others.size > 0 ? { ...where, value: pick([...others]) as string } : where
}

const own = (item: object, field: string): unknown[] =>
  [
    field.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown> | undefined)?.[name], {
      ...item,
      cf: (item as { metadata?: unknown }).metadata,
    }),
  ].flat()

/** A round number near by. */
function scaled(value: number): number {
  const other = value * pick([0.5, 0.8, 1, 1.5, 2])
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(other) || 1)) - 1)
  return Math.round(other / digits) * digits
}

const made: object[] = []
for (const name of positionals.length > 0 ? positionals : setNames(undefined)) {
  const set = await loadSet(name)
  const asked = queriesIn(set)
  if (asked.length < 10) continue
  const { memory } = set
  const names = new Map(
    memory.items.map(item => [item.id, `$${item.full_name ?? item.name ?? item.subject}`]),
  )
  const words = await memory.words('everything')
  const texts = new Set<string>()
  for (let tries = 0; tries < 2000 && texts.size < Number(values.each); tries++) {
    const meaning = mixed(pick(asked), pick(asked), set)
    if (!meaning) continue
    const reading = readingText(meaning, { ...words, nameOf: id => names.get(id)?.slice(1) })
    if (texts.has(reading)) continue
    const answer = await answerTo({ ...words, run: memory.run }, meaning).catch(() => undefined)
    const isEmpty = !answer?.grounded || answer.citations.length === 0
    if (!answer || (isEmpty && below(10) > 0)) continue
    texts.add(reading)
    const named = JSON.parse(
      JSON.stringify(meaning, (_, value) =>
        typeof value === 'string' ? (names.get(value) ?? value) : value,
      ),
    )
    made.push({ set: set.name, reading, meant: named })
  }
  console.log(name, texts.size)
}
writeFileSync(values.out, JSON.stringify(made, null, 1))
process.exit(0)
