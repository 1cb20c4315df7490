/**
 * `npm run bench:questions [-- third] [-- --verbose]`: reads the data questions of the sets with the chart parser and
 * evaluates the queries in memory, in seconds and without a service. Questions without a reading are refused, so the
 * figure that must stay 0 is `wrong`.
 */
import { type Understood, understand } from '../../src/features/ask/understand/index.ts'
import type { Meaning } from '../../src/features/ask/understand/meaning.ts'
import { meaningText } from '../../src/features/ask/understand/shorthand.testing.ts'
import { figure, type Item, inMemory, type Memory, matching, valuesAt } from './in-memory.ts'
import type { Questions, Told, World } from './strangers/types.ts'

const SETS = ['third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
const chosen = SETS.filter(name => process.argv.includes(name))
const isVerbose = process.argv.includes('--verbose')
const now = new Date()

/** Undefined where the expectation is about the wording of the answer, which is not made here. */
function isRight(memory: Memory, meaning: Meaning, told: Told): boolean | undefined {
  if (meaning.kind === 'win rate') {
    const closed = matching(memory, meaning.query)
    const won = closed.filter(({ status }) => status === 'won').length
    const given = [(100 * won) / closed.length, won, closed.length - won]
    return told.nums?.every(wanted => given.some(one => Math.abs(one - wanted) < 0.6))
  }
  const query = meaning.kind === 'every' ? meaning.exceptions : meaning.query
  const items = matching(memory, query)
  const near = (wanted: number, given: readonly number[]) => given.some(one => Math.abs(one - wanted) < 0.6)
  if (query.group_by) {
    const [key] = query.group_by
    const keyOf = (item: Item) => {
      const value = String(valuesAt(item, key?.field ?? '')[0])
      return key?.bucket === 'month' ? value.slice(0, 7) : value
    }
    const { order: _, limit: __, ...unlimited } = query
    const all = [...Map.groupBy(matching(memory, unlimited), keyOf)].map(([name, group]) => ({
      name,
      count: group.length,
      values: figure(group, query.measure),
    }))
    const sign = query.order?.[0]?.direction === 'asc' ? 1 : -1
    const first = query.limit
      ? all.sort((a, b) => sign * ((a.values[0] ?? 0) - (b.values[0] ?? 0))).slice(0, query.limit)
      : all
    const text = first.map(({ name, count, values }) => `${name}: ${values.join(' ')} (${count})`).join('; ')
    const given = first.flatMap(({ values, count }) => [...values, count])
    const checks = [
      told.nums?.every(wanted => near(wanted, given)),
      told.text?.every(pattern => pattern.test(text)),
      told.set && first.reduce((sum, { count }) => sum + count, 0) === told.set.length,
    ].filter(check => check !== undefined)
    return checks.length === 0 ? undefined : checks.every(Boolean)
  }
  const show = meaning.kind === 'query' ? meaning.show : undefined
  const shown = show ? items.flatMap(item => valuesAt(item, show.field)) : []
  const numbers = [...figure(items, query.measure), items.length, ...shown.map(Number)]
  const date = show ? String(shown[0]) : query.entity === 'activity' ? String(items[0]?.when) : ''
  const checks: (boolean | undefined)[] = [
    told.set && sameIds(items, told.set),
    told.one === undefined ? undefined : items[0]?.id === told.one,
    told.count === undefined ? undefined : items.length === told.count,
    told.nums?.every(wanted => near(wanted, numbers)),
    told.zero && items.length === 0,
    told.date === undefined ? undefined : date.startsWith(told.date),
    show && told.text ? told.text.every(pattern => pattern.test(shown.join())) : undefined,
  ]
  const known = checks.filter(check => check !== undefined)
  return known.length === 0 ? undefined : known.every(Boolean)
}

const sameIds = (items: readonly Item[], keys: readonly string[]): boolean =>
  items.length === keys.length && keys.every(key => items.some(item => item.id === key))

for (const name of chosen.length > 0 ? chosen : SETS) {
  const { world }: { world: World } = await import(`./strangers/${name}.ts`)
  const { questions }: { questions: Questions } = await import(`./strangers/${name}-questions.ts`)
  const memory = inMemory(world)
  const counts = {
    questions: questions.data.length,
    right: 0,
    wrong: 0,
    unread: 0,
    'two readings': 0,
    'not judged': 0,
  }
  const tell = (label: string, question: string, meaning?: Meaning) => {
    if (isVerbose) console.log(`${label}: ${question}${meaning ? `\n    ${meaningText(meaning)}` : ''}`)
  }
  for (const [question, expected] of questions.data) {
    const understood = understand(question, memory.words, now)
    if (!understood || understood.alternatives.length > 0) {
      counts[understood ? 'two readings' : 'unread']++
      tell(understood ? 'two readings' : 'unread', question, understood?.meaning)
      for (const other of understood?.alternatives ?? []) tell('   or', '', other)
      continue
    }
    const verdicts = ('any' in expected ? expected.any : [expected]).map(told =>
      isRight(memory, understood.meaning, told),
    )
    const verdict = verdicts.includes(true) ? 'right' : verdicts.includes(false) ? 'wrong' : 'not judged'
    counts[verdict]++
    if (verdict !== 'right') tell(verdict, question, understood.meaning)
  }
  const others = [...questions.unanswerable, ...questions.facts.map(([question]) => question)]
  // what the records do not say is refused in the end
  const says = ({ meaning }: Understood) =>
    meaning.kind !== 'query' ||
    !(meaning.show || meaning.isUnknown) ||
    matching(memory, meaning.query).some(
      item => !meaning.show || valuesAt(item, meaning.show.field).some(value => value != null),
    )
  const taken = others.filter(question => {
    const understood = understand(question, memory.words, now)
    return understood && says(understood)
  })
  for (const question of taken) tell('read although it is not about the data', question)
  console.log(
    name,
    JSON.stringify({ ...counts, 'read of other questions': `${taken.length} of ${others.length}` }),
  )
}
