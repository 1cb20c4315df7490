/** Whether all records of a set are so, and which are not. */
import { described } from '../../records/query/describe.ts'
import type { Answer } from '../prose/answer.ts'
import type { Meaning } from '../understand/meaning.ts'
import { type Answering, grounded, listed, named } from './format.ts'

export async function everyAnswer(
  answering: Answering,
  { set, exceptions }: Extract<Meaning, { kind: 'every' }>,
): Promise<Answer> {
  const { run, say } = answering
  const all = await run({ ...set, measure: { kind: 'count' } })
  const { result: others, citations } = await listed(answering, exceptions)
  if (all.total === 0)
    return grounded(
      `${say('There are no such records')}: ${described(set, 0, answering)}.`,
      [],
      exceptions,
      others,
    )
  const text =
    others.total === 0
      ? `${say('Yes')}, ${all.total === 1 ? '' : `${say('all')} `}${described(set, all.total, answering)}.`
      : `${say('No')}: ${others.total} ${say('of')} ${described(set, all.total, answering)} ${say('are not')}: ${named(citations)}.`
  return grounded(text, citations, exceptions, others)
}
