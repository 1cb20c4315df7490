/**
 * `node bench/quality/readings/parser-rows.ts --out folder [set …]`: the questions of the sets, their rephrasings and the
 * questions written for further readings, with what each may name and the tokens of its meaning, as JSON lines for training
 * the parser. A question that the records do not answer has no tokens; one whose meaning nobody wrote down, or that cannot
 * be said, has no weight.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { withLikeness } from '../../../src/features/ask/account/likeness.ts'
import { type Item, itemsOf } from '../../../src/features/ask/parser/items.ts'
import { readingOf } from '../../../src/features/ask/parser/tokens.ts'
import { written } from '../../../src/features/ask/testing/written.testing.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { batchedVectors, type Embed } from './batched-vectors.ts'
import { meantBy } from './meant.ts'
import { type LoadedSet, loadSet, setNames } from './sets.ts'
import { shown } from './shown-item.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sets: { type: 'string' }, out: { type: 'string', default: '.' } },
})
const embed = await batchedVectors()
const now = new Date()

function tokensOf(meaning: Meaning, items: Item[]): string[] | undefined {
  const tokens = written(meaning, items, now)
  return typeof tokens !== 'string' && readingOf(tokens, items, now) ? tokens : undefined
}

interface Worded {
  about: string
  meaning: Meaning | null | undefined
  /** the first is that of the set or the first that was written for the reading */
  wordings: string[]
}

/** The questions of a set, those that people wrote for its readings (`to-word.ts`), and some that no query answers. */
function wordedIn(set: LoadedSet): Worded[] {
  const others = stored<Record<string, string[]>>('rephrased', set.name) ?? {}
  const own = set.questions.map(asked => ({
    about: asked.about,
    meaning: asked.about === 'data' ? meantBy(set, asked) : undefined,
    wordings: [asked.question, ...(others[asked.question] ?? [])],
  }))
  const readings = stored<{ meant: Meaning; questions: string[] }[]>('worded', set.name) ?? []
  const more = readings.map(({ meant, questions }) => ({
    about: 'data',
    meaning: meantBy(set, { question: '', meant }),
    wordings: questions,
  }))
  return [...own, ...more, ...unanswerableIn(set)]
}

/** Of the questions that no query answers those of this set: each is asked in two or three of them. */
function unanswerableIn({ name }: LoadedSet): Worded[] {
  const questions = stored<string[]>('worded', 'unanswerable') ?? []
  const part = setNames(undefined).indexOf(name) % PARTS
  return questions
    .filter((_, i) => i % PARTS === part)
    .map(question => ({ about: 'refuse', meaning: undefined, wordings: [question] }))
}
const PARTS = 50

function stored<T>(folder: string, name: string): T | undefined {
  const path = new URL(`../${folder}/${name}.json`, import.meta.url)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** All that is compared for the questions of a set, to be embedded at once. */
async function textsOf({ memory }: LoadedSet, questions: readonly string[]): Promise<string[]> {
  const texts = new Set<string>()
  const collect: Embed = async some => {
    for (const text of some) texts.add(text)
    return some.map(() => new Float32Array())
  }
  for (const question of questions) await withLikeness(await memory.words(question), question, collect)
  return [...texts]
}

mkdirSync(values.out, { recursive: true })
for (const name of positionals.length > 0 ? positionals : setNames(values.sets)) {
  const set = await loadSet(name)
  const worded = wordedIn(set)
  const all = worded.flatMap(({ wordings }) => wordings)
  await embed(await textsOf(set, all))
  const lines: string[] = []
  const counts = { rows: 0, tokens: 0, unsaid: 0, 'not known': 0 }
  for (const { about, meaning, wordings } of worded) {
    const isData = about === 'data'
    for (const question of wordings) {
      const words = await withLikeness(await set.memory.words(question), question, embed)
      const items = itemsOf(question, words, now)
      const tokens = meaning ? tokensOf(meaning, items) : undefined
      counts.rows++
      if (tokens) counts.tokens++
      else if (meaning) counts.unsaid++
      else if (isData) counts['not known']++
      const row = { set: set.name, question, of: wordings[0], about, items: items.map(shown) }
      lines.push(
        JSON.stringify({ ...row, tokens: tokens ?? null, weight: Number(!isData || tokens !== undefined) }),
      )
    }
  }
  writeFileSync(`${values.out}/${set.name}.jsonl`, `${lines.join('\n')}\n`)
  console.log(set.name, JSON.stringify(counts))
}
process.exit(0)
