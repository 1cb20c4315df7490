/**
 * `node bench/quality/readings/absent.ts [--verbose] set …`: the questions of the sets about names and values that the
 * account does not have. A value that a question names is exchanged for one of another set, so no reading is right: an
 * answer that is sure is wrong.
 */
import { parseArgs } from 'node:util'
import { localEmbedder } from '../../../src/ai/local-embedder.ts'
import { answerTo } from '../../../src/features/ask/answer.ts'
import { decide, type Models } from '../../../src/features/ask/decide.ts'
import { type Item, itemsOf } from '../../../src/features/ask/parser/items.ts'
import { written } from '../../../src/features/ask/testing/written.testing.ts'
import { understand } from '../../../src/features/ask/understand/index.ts'
import { fold } from '../../../src/features/search/words.ts'
import { meantBy } from './meant.ts'
import { type LoadedSet, loadSet } from './sets.ts'
import { shown } from './shown-item.ts'
import { pick, seed } from './synthetic/random.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: 'boolean' } },
})
seed(1)
const embedder = localEmbedder(undefined)
const models: Models = {
  embed: texts => embedder.embed(texts, true),
  parse: (question, items) => embedder.parse?.(question, items) ?? Promise.resolve([]),
}
const now = new Date()

interface Named {
  set: LoadedSet
  question: string
  /** as it is written in the question */
  said: string
  type: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The values that a question names and its meaning has. */
async function namedIn(set: LoadedSet): Promise<Named[]> {
  const all: Named[] = []
  for (const asked of set.questions) {
    const meaning = asked.about === 'data' ? meantBy(set, asked) : undefined
    if (!meaning) continue
    const { question } = asked
    const items: Item[] = itemsOf(question, await set.memory.words(question), now)
    const tokens = written(meaning, items, now)
    if (typeof tokens === 'string') continue
    for (const token of tokens) {
      const item = token.startsWith('@') ? items[Number(token.slice(1))] : undefined
      const type = item && shown(item).type
      const [said, ...again] = item?.said
        ? (question.match(new RegExp(`(?<!\\p{L})${escaped(item.said)}(?!\\p{L})`, 'giu')) ?? [])
        : []
      if (type && said && again.length === 0) all.push({ set, question, said, type })
    }
  }
  return all
}

const sets = await Promise.all(positionals.map(loadSet))
const named = (await Promise.all(sets.map(namedIn))).flat()
const counts: Record<string, number> = {}
for (const { set, question, said, type } of named) {
  const text = fold(JSON.stringify(set.memory.items))
  const others = named.filter(one => one.set !== set && one.type === type && !text.includes(fold(one.said)))
  if (others.length === 0) continue
  const asked = question.replace(said, pick(others).said)
  const words = await set.memory.words(asked)
  const decision = await decide(asked, words, understand(asked, words, now), models, ({ meaning }) =>
    answerTo({ ...words, run: set.memory.run }, meaning).catch(() => undefined),
  )
  const isEmpty = decision?.answer.data?.count === 0
  const how = !decision?.answer.grounded ? 'refused' : decision.isSure ? 'sure' : 'possibly'
  const verdict = isEmpty ? `${how}, none` : how
  counts[verdict] = (counts[verdict] ?? 0) + 1
  if (values.verbose && verdict === 'sure' && decision)
    console.log(
      `${asked}\n    ${decision.reading.isByRules ? 'rules' : 'parser'}: ${decision.reading.text} → ${decision.answer.answer.slice(0, 120)}`,
    )
}
console.log(JSON.stringify(counts))
process.exit(0)
