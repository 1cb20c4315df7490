/**
 * `node bench/quality/compose/parser-rows.ts --out folder [set …]`: the questions of the sets and their rephrasings with what
 * each may name and the tokens of the reading that is meant, as JSON lines for training the parser. The reading is one
 * whose answer is right for the question and for its rephrasings: others have the right answer by chance. What people
 * wrote down as the meaning of a question (`meant.json`) counts instead; null is what cannot be said or is not clear.
 * `--by-hand`: these questions only.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { localEmbedder } from '../../../src/ai/local-embedder.ts'
import { withLikeness } from '../../../src/features/ask/account/likeness.ts'
import type { Words } from '../../../src/features/ask/account/words.ts'
import { answerTo } from '../../../src/features/ask/answer.ts'
import { type Item, itemsOf } from '../../../src/features/ask/parser/items.ts'
import { readingOf } from '../../../src/features/ask/parser/tokens.ts'
import { readingsByRules, readingsOf } from '../../../src/features/ask/readings.ts'
import { written } from '../../../src/features/ask/testing/written.testing.ts'
import { understand } from '../../../src/features/ask/understand/index.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { meantBy } from './meant.ts'
import { type Asked, type LoadedSet, loadSet, setNames } from './sets.ts'
import { shown } from './shown-item.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: 'string' },
    out: { type: 'string', default: '.' },
    'by-hand': { type: 'boolean', default: false },
  },
})
const embedder = localEmbedder(undefined)
const now = new Date()

interface Wording {
  question: string
  words: Words
  items: Item[]
  /** the readings with the right answer, by what they say */
  right: Map<string, { meaning: Meaning; cost: number }>
}

async function wordingOf(
  { memory }: LoadedSet,
  asked: Asked,
  question: string,
  isKnown: boolean,
): Promise<Wording> {
  const plain = await memory.words(question)
  const words = await withLikeness(plain, question, texts => embedder.embed(texts, true))
  const right: Wording['right'] = new Map()
  if (asked.about === 'data' && !isKnown) {
    const own = readingsByRules(question, understand(question, plain, now), words)
    for (const { text, meaning, cost } of [...own, ...readingsOf(question, words, now)]) {
      if (right.has(text)) continue
      try {
        const answer = await answerTo({ ...words, run: memory.run }, meaning)
        if (asked.isRight(answer)) right.set(text, { meaning, cost })
      } catch {
        // the accounts in memory do not evaluate every query
      }
    }
  }
  return { question, words, items: itemsOf(question, words, now), right }
}

/** What most wordings have in common. */
function commonIn(wordings: readonly Wording[]): { meaning: Meaning; support: number }[] {
  const found = new Map<string, { meaning: Meaning; support: number; cost: number }>()
  for (const { right } of wordings) {
    for (const [text, { meaning, cost }] of right) {
      const known = found.get(text) ?? { meaning, support: 0, cost: 0 }
      found.set(text, { ...known, support: known.support + 1, cost: known.cost + cost })
    }
  }
  return [...found.values()].sort((a, b) => b.support - a.support || a.cost / a.support - b.cost / b.support)
}

function tokensFor(meanings: readonly { meaning: Meaning }[], items: Item[]): string[] | undefined {
  for (const { meaning } of meanings.slice(0, 3)) {
    const tokens = written(meaning, items, now)
    if (typeof tokens === 'string') continue
    if (readingOf(tokens, items, now)) return tokens
  }
  return undefined
}

mkdirSync(values.out, { recursive: true })
for (const name of positionals.length > 0 ? positionals : setNames(values.sets)) {
  const set = await loadSet(name)
  const path = new URL(`../rephrased/${name}.json`, import.meta.url)
  const others: Record<string, string[]> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const lines: string[] = []
  const counts = { data: 0, meant: 0, rows: 0, unsaid: 0 }
  for (const asked of set.questions) {
    const known = meantBy(set, asked.question)
    if (values['by-hand'] && known === undefined) continue
    const wordings = []
    for (const question of [asked.question, ...(others[asked.question] ?? [])])
      wordings.push(await wordingOf(set, asked, question, known !== undefined))
    const meant = known ? [{ meaning: known, support: wordings.length }] : commonIn(wordings)
    if (asked.about === 'data') counts.data++
    if (meant.length > 0) counts.meant++
    const [best] = meant
    const isClear = best !== undefined && (wordings.length === 1 || best.support > 1)
    const alike = isClear ? meant.filter(({ support }) => support === best?.support) : meant.slice(0, 1)
    for (const { question, items } of wordings) {
      const tokens = asked.about === 'data' ? tokensFor(alike, items) : undefined
      if (meant.length > 0 && !tokens) counts.unsaid++
      if (asked.about === 'data' && !tokens) {
        lines.push(
          JSON.stringify({
            set: name,
            question,
            about: 'data',
            items: items.map(shown),
            tokens: null,
            weight: 0,
          }),
        )
        continue
      }
      counts.rows++
      const weight = isClear || asked.about !== 'data' ? 1 : 0.5
      lines.push(
        JSON.stringify({
          set: name,
          question,
          of: asked.question,
          about: asked.about,
          items: items.map(shown),
          tokens: tokens ?? null,
          weight,
        }),
      )
    }
  }
  writeFileSync(`${values.out}/${set.name}.jsonl`, `${lines.join('\n')}\n`)
  console.log(name, JSON.stringify(counts))
}
process.exit(0)
