/**
 * `npm run bench:questions [-- third] [-- --verbose]`: answers the data questions of the sets over an account in memory,
 * in seconds and without a service, and judges the answers as `bench:strangers` does. Questions without a reading
 * are refused, so the figure that must stay 0 is `wrong`.
 */
import { meaningText } from '../../src/features/ask/understand/shorthand.testing.ts'
import { inMemory } from './in-memory.ts'
import { wrong as wrongIn } from './strangers/judge.ts'
import { SETS, setOf } from './strangers/sets.ts'

const chosen = SETS.filter(name => process.argv.includes(name))
const isVerbose = process.argv.includes('--verbose')

for (const name of chosen.length > 0 ? chosen : SETS) {
  const { world, questions } = await setOf(name)
  const memory = await inMemory(world)
  const records = new Map(
    memory.items.map(item => [
      item.id,
      { id: item.id, name: String(item.name ?? item.full_name ?? item.subject), text: '' },
    ]),
  )
  const filled = { records, keyOf: new Map([...records.keys()].map(key => [key, key])) }
  const counts = { questions: questions.data.length, right: 0, wrong: 0, unread: 0, 'two readings': 0 }
  const tell = async (label: string, question: string, more = '') => {
    if (!isVerbose) return
    const understood = await memory.understand(question)
    const readings = understood ? [understood.meaning, ...understood.alternatives] : []
    console.log(`${label}: ${question} ${more}${readings.map(one => `\n    ${meaningText(one)}`).join('')}`)
  }
  for (const [question, expected] of questions.data) {
    const answer = await memory.answer(question)
    if (!answer?.grounded) {
      const isRead = (await memory.understand(question)) !== undefined
      counts[isRead ? 'two readings' : 'unread']++
      await tell(isRead ? 'two readings' : 'unread', question)
      continue
    }
    const wrong = wrongIn(expected, answer, filled)
    counts[wrong === undefined ? 'right' : 'wrong']++
    if (wrong !== undefined) await tell('wrong', question, `(${wrong}) ${answer.answer.slice(0, 300)}`)
  }
  // what the records do not say is refused in the end
  const others = [...questions.unanswerable, ...questions.facts.map(([question]) => question)]
  let taken = 0
  for (const question of others) {
    if (!(await memory.answer(question))?.grounded) continue
    taken++
    await tell('read although it is not about the data', question)
  }
  console.log(name, JSON.stringify({ ...counts, 'read of other questions': `${taken} of ${others.length}` }))
}
