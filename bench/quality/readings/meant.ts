/** What people wrote down as the meaning of questions: beside the question in its set, or in `meant.json`. */
import { readFileSync } from 'node:fs'
import { type Meaning, whole } from '../../../src/features/ask/understand/meaning.ts'
import { normalised } from '../../../src/features/ask/understand/normal.ts'
import { rateOf } from '../../../src/features/ask/understand/rules/questions.ts'
import type { Condition } from '../../../src/features/records/query/spec.ts'
import type { Asked, LoadedSet } from './sets.ts'

/** By set and question; "$Acme" is the id of the record that is called so. */
const MEANT: Record<string, Record<string, Meaning | null>> = JSON.parse(
  readFileSync(new URL('./meant.json', import.meta.url), 'utf8'),
)

/** Null is what cannot be said or is not clear; undefined what nobody wrote down. */
export function meantBy(
  { name, memory }: LoadedSet,
  { question, meant }: Pick<Asked, 'question' | 'meant'>,
): Meaning | null | undefined {
  const meaning = meant === undefined ? MEANT[name]?.[question] : meant
  if (!meaning) return meaning
  const ids = new Map(memory.items.map(item => [`$${item.full_name ?? item.name ?? item.subject}`, item.id]))
  const resolved = JSON.stringify(meaning).replace(/"(\$[^"]+)"/g, (_, called) => {
    const id = ids.get(called)
    if (id === undefined) throw new Error(`no record is called ${called.slice(1)}`)
    return `"${id}"`
  })
  return normalised(completed(JSON.parse(resolved)))
}

/** Of a comparison people write what its sides have in common, and what each of them is; of a win rate only which deals. */
function completed(meaning: Meaning): Meaning {
  if (meaning.kind === 'win rate' && !meaning.query.group_by)
    return rateOf({ entity: 'deal', where: meaning.query.where ? [meaning.query.where] : [] })
  if (meaning.kind !== 'compare') return meaning
  const { query } = meaning
  const narrowed = (is: Condition) => whole([...(query.where ? [query.where] : []), is]) ?? is
  const sides = meaning.sides.map(side => ({
    ...side,
    query: side.query ?? { ...query, where: narrowed(side.is) },
  }))
  const isWhole = meaning.sides.every(side => side.query)
  const either = { or: sides.map(({ is }) => is) }
  return { ...meaning, query: isWhole ? query : { ...query, where: narrowed(either) }, sides }
}
