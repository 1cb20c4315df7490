/** Whether all records of a set are so, and which are not. */
import { described } from '../../records/query/describe.ts'
import type { Answer } from '../prose/answer.ts'
import type { Meaning } from '../understand/meaning.ts'
import { type Answering, grounded, listed, named } from './format.ts'

export async function everyAnswer(
  answering: Answering,
  { set, exceptions }: Extract<Meaning, { kind: 'every' }>,
): Promise<Answer> {
  const { run, nameOf } = answering
  const all = await run({ ...set, measure: { kind: 'count' } })
  const { result: others, citations } = await listed(answering, exceptions)
  if (all.total === 0)
    return grounded(`There are no such records: ${described(set, 0, nameOf)}.`, [], exceptions, others)
  const text =
    others.total === 0
      ? `Yes, ${all.total === 1 ? '' : 'all '}${described(set, all.total, nameOf)}.`
      : `No: ${others.total} of ${described(set, all.total, nameOf)} are not: ${named(citations)}.`
  return grounded(text, citations, exceptions, others)
}
