/**
 * `node bench/quality/readings/check-set.ts set.json …`: whether the meanings that the writers of a set wrote down have
 * the expected answers, and whether the parser could write them.
 */
import { answerTo } from '../../../src/features/ask/answer.ts'
import { readingText } from '../../../src/features/ask/answers/reading-text.ts'
import { itemsOf } from '../../../src/features/ask/parser/items.ts'
import { readingOf } from '../../../src/features/ask/parser/tokens.ts'
import { written } from '../../../src/features/ask/testing/written.testing.ts'
import { meantBy } from './meant.ts'
import { loadSet } from './sets.ts'

const counts = { right: 0, wrong: 0, unsaid: 0, null: 0, missing: 0 }
const now = new Date()
for (const name of process.argv.slice(2)) {
  const set = await loadSet(name)
  for (const asked of set.questions) {
    if (asked.about !== 'data') continue
    const { question, expected } = asked
    const told = (what: string, text: string) => console.log(`${what}: ${question}\n    ${text}`)
    try {
      const meaning = meantBy(set, asked)
      if (!meaning) {
        counts[meaning === null ? 'null' : 'missing']++
        told(meaning === null ? 'NULL' : 'MISSING', `expected ${JSON.stringify(expected)}`)
        continue
      }
      const words = await set.memory.words(question)
      const answer = await answerTo({ ...words, run: set.memory.run }, meaning)
      const items = itemsOf(question, words, now)
      const tokens = written(meaning, items, now)
      const text = readingText(meaning, words)
      const isWritten = typeof tokens !== 'string' && readingOf(tokens, items, now) !== undefined
      if (!asked.isRight(answer)) {
        counts.wrong++
        told(
          'WRONG',
          `read as: ${text}\n    expected ${JSON.stringify(expected)}, answered ${answer.answer.slice(0, 300)}`,
        )
      } else if (isWritten) counts.right++
      else {
        counts.unsaid++
        told('RIGHT BUT UNSAID', `read as: ${text}\n    cannot be said: ${String(tokens).slice(0, 200)}`)
      }
    } catch (error) {
      counts.wrong++
      told('ERROR', (error as Error).message.slice(0, 200))
    }
  }
}
console.log(JSON.stringify(counts))
process.exit(0)
