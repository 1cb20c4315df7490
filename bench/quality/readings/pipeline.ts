/**
 * `node bench/quality/readings/pipeline.ts [--sets folder] [set …] [--verbose]`: the questions of the sets through rules,
 * parser, as `ask` decides, over accounts in memory. Answers from texts are not part of it: a question that
 * is not about the data counts as right unless it gets a sure answer.
 */
import { parseArgs } from 'node:util'
import { localEmbedder } from '../../../src/ai/local-embedder.ts'
import { answerTo } from '../../../src/features/ask/answer.ts'
import { type Decision, decide, type Models } from '../../../src/features/ask/decide.ts'
import { understand } from '../../../src/features/ask/understand/index.ts'
import { type Asked, type LoadedSet, loadSet, setNames } from './sets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sets: { type: 'string' }, verbose: { type: 'boolean' } },
})
const embedder = localEmbedder(undefined)
const models: Models = {
  embed: texts => embedder.embed(texts, true),
  parse: (question, items) => embedder.parse?.(question, items) ?? Promise.resolve([]),
}

async function decided(
  { memory }: LoadedSet,
  { question, isRight }: Asked,
): Promise<{ decision: Decision | undefined; hasRight: boolean }> {
  const words = await memory.words(question)
  // whether a reading that was answered would have been right
  let hasRight = false
  const understood = understand(question, words, new Date())
  const decision = await decide(question, words, understood, models, async ({ meaning }) => {
    try {
      const answer = await answerTo({ ...words, run: memory.run }, meaning)
      hasRight ||= isRight(answer)
      return answer
    } catch {
      // the accounts in memory do not evaluate every query
      return undefined
    }
  })
  return { decision: decision?.answer.grounded ? decision : undefined, hasRight }
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
    const { decision, hasRight } = await decided(set, asked)
    const isData = asked.about === 'data'
    const isRight = decision !== undefined && isData && asked.isRight(decision.answer)
    const verdict = !isData
      ? decision?.isSure
        ? 'others taken'
        : 'others left'
      : !decision
        ? hasRight
          ? 'refused, was proposed'
          : 'refused, not proposed'
        : `${decision.isSure ? '' : 'possibly '}${isRight ? 'right' : 'wrong'}`
    add(verdict)
    if (isData) add('data')
    if (!values.verbose || verdict === 'right' || verdict === 'others left') continue
    console.log(`${verdict}: ${asked.question} → ${JSON.stringify(asked.expected)}`)
    if (!decision) continue
    const { reading, answer } = decision
    console.log(
      `    by ${reading.isByRules ? 'rules' : 'parser'}: ${reading.text} → ${answer.answer.slice(0, 160)}`,
    )
  }
  console.log(set.name, JSON.stringify(counts))
}
console.log('all', JSON.stringify(sum))
process.exit(0)
