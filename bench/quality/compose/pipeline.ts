/**
 * `node bench/quality/compose/pipeline.ts [--sets folder] [set …] [--verbose]`: the questions of the sets through rules,
 * composer and judge, as `ask` decides, over accounts in memory. Answers from texts are not part of it: a question that
 * is not about the data counts as right unless it gets a sure answer.
 */
import { parseArgs } from 'node:util'
import { localEmbedder } from '../../../src/ai/local-embedder.ts'
import type { Words } from '../../../src/features/ask/account/words.ts'
import { agreedBy } from '../../../src/features/ask/answer.ts'
import { readingText } from '../../../src/features/ask/answers/reading-text.ts'
import { agreedAnswer, isDoubted, judgedReadings, type Models } from '../../../src/features/ask/judge.ts'
import { isNone, mayReplace } from '../../../src/features/ask/likelihood.ts'
import type { Answer } from '../../../src/features/ask/prose/answer.ts'
import { understand } from '../../../src/features/ask/understand/index.ts'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { type Asked, type LoadedSet, loadSet, setNames } from './sets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sets: { type: 'string' }, verbose: { type: 'boolean' } },
})
const embedder = localEmbedder(undefined)
const models: Models = {
  judge: (question, texts) => embedder.judge?.(question, texts) ?? Promise.resolve([]),
  embed: texts => embedder.embed(texts, true),
}

/** `by`: the rules or the composer. */
interface Told {
  answer: Answer
  isSure: boolean
  by: 'rules' | 'composer'
  text: string
}
interface Tried extends Partial<Told> {
  /** whether a reading that was proposed would have been right */
  hasRight: boolean
  likeliest?: string
}

async function answerOf(
  { memory }: LoadedSet,
  words: Words,
  ...readings: readonly Meaning[]
): Promise<Answer | undefined> {
  try {
    return await agreedBy({ ...words, run: memory.run }, readings)
  } catch {
    // the accounts in memory do not evaluate every query
    return undefined
  }
}

/** The same decisions as in `ask/index.ts`. */
async function tried(set: LoadedSet, { question, isRight }: Asked): Promise<Tried> {
  const words = await set.memory.words(question)
  const now = new Date()
  const read = understand(question, words, now)
  const computed = read && (await answerOf(set, words, read.meaning, ...read.alternatives))
  const own = read && (computed || read.alternatives.length === 0) ? read.meaning : undefined
  const isDoubtful = own !== undefined && (await isDoubted(question, words, own, computed, models))
  const byRules = (isSure: boolean): Partial<Told> =>
    computed?.grounded && own ? { answer: computed, isSure, by: 'rules', text: readingText(own, words) } : {}
  if (read && !isDoubtful) return { ...byRules(true), hasRight: computed ? isRight(computed) : false }
  const ranked = await judgedReadings(question, words, now, models)
  const answers = await Promise.all(ranked.map(({ reading }) => answerOf(set, words, reading.meaning)))
  const hasRight = answers.some(answer => answer !== undefined && isRight(answer))
  const likeliest = await agreedAnswer(ranked, meaning => answerOf(set, words, meaning))
  const agreed = likeliest && mayReplace(likeliest.answer, computed) ? likeliest : undefined
  const isSure = agreed?.isSure ?? false
  if (agreed && isSure) return { ...agreed, by: 'composer', text: agreed.reading.text, hasRight }
  const isMeant = own !== undefined && !(isDoubtful && (agreed || (computed && isNone(computed))))
  if (isMeant && computed?.grounded) return { ...byRules(true), hasRight }
  if (agreed) return { ...agreed, isSure: false, by: 'composer', text: agreed.reading.text, hasRight }
  return { ...byRules(false), hasRight }
}

const sum: Record<string, number> = {}
for (const name of positionals.length > 0 ? positionals : setNames(values.sets)) {
  const set = await loadSet(name)
  const counts: Record<string, number> = {}
  const add = (key: string) => {
    counts[key] = (counts[key] ?? 0) + 1
    sum[key] = (sum[key] ?? 0) + 1
  }
  for (const asked of set.questions) {
    const { answer, isSure, by, text, hasRight } = await tried(set, asked)
    const isData = asked.about === 'data'
    const isRight = answer !== undefined && isData && asked.isRight(answer)
    const verdict = !isData
      ? answer && isSure
        ? 'others taken'
        : 'others left'
      : !answer
        ? hasRight
          ? 'refused, was proposed'
          : 'refused, not proposed'
        : `${isSure ? '' : 'possibly '}${isRight ? 'right' : 'wrong'}`
    add(verdict)
    if (isData) add('data')
    if (!values.verbose || verdict === 'right' || verdict === 'others left') continue
    console.log(`${verdict}: ${asked.question} → ${JSON.stringify(asked.expected)}`)
    if (answer) console.log(`    by ${by}: ${text} → ${answer.answer.slice(0, 160)}`)
  }
  console.log(set.name, JSON.stringify(counts))
}
console.log('all', JSON.stringify(sum))
process.exit(0)
