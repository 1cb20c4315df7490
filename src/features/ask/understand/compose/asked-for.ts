/** Whether a reading returns what the question word asks for: "who" is not answered with yes, "how many" not with a list. */
import type { Meaning } from '../meaning.ts'

/** What a reading returns. */
type Returned = 'yes or no' | 'number' | 'figure' | 'groups' | 'field' | 'date' | `list of ${string}`

function returnedBy(meaning: Meaning): Returned {
  if (meaning.kind === 'every') return 'yes or no'
  if (meaning.kind === 'win rate' || meaning.kind === 'share') return 'figure'
  if (meaning.kind === 'compare') return meaning.isYesNo ? 'yes or no' : 'figure'
  const { query, show, last, isYesNo, isNumber } = meaning
  if (isYesNo) return 'yes or no'
  if (isNumber) return 'number'
  if (last) return 'date'
  if (show) return 'field'
  if (query.group_by) return 'groups'
  if (query.measure && query.measure.kind !== 'list')
    return query.measure.kind === 'count' ? 'number' : 'figure'
  return `list of ${query.entity}`
}

const WORDS: readonly [word: RegExp, isExcluded: RegExp][] = [
  [/^whose$/, /^yes/],
  [/^whom?$/, /^(?:yes|number|figure|date|list of (?:deal|activity|product|note))/],
  [/^(?:which|what)$/, /^yes/],
  [/^how (?:many|often)$/, /^(?:yes|date|list)/],
  [/^how much$/, /^(?:yes|date|list of (?:contact|company|activity|note))/],
  [/^when$/, /^(?:yes|number|figure|list of (?:contact|company|product))/],
  [/^where$/, /^(?:yes|number|figure|list of (?:contact|deal))/],
  [/^why$/, /^(?:yes|number|figure|date|list of (?:contact|company|activity|product))/],
  [/^(?:is|are|was|were|do|does|did|has|have)$/, /^(?:number|figure|groups)/],
]
const ASKING = /\b(?:whose|whom?|which|what|how (?:many|often|much)|when|where|why)\b/g
/** Words before the question word: "with whom", "in how many". */
const FIRST =
  /^(?:(?:and|so|at|in|on|of|for|from|by|with|to|about|since|until) )*(how (?:many|often|much)|\S+)/

/** `parts`: its sentences and clauses. A question that asks for several things is answered with any of them. */
export function isAskedFor(parts: readonly string[], meaning: Meaning): boolean {
  const firsts = parts.map(part => FIRST.exec(part)?.[1] ?? '')
  const asking =
    firsts.find(first => WORDS.some(([word]) => word.test(first))) ??
    parts.join(' ').match(/\bhow (?:many|often|much)\b/)?.[0]
  const others = new Set(parts.flatMap(part => part.match(ASKING) ?? []))
  if (asking !== undefined) others.delete(asking)
  if (asking === undefined || others.size > 0) return true
  const returned = returnedBy(meaning)
  return !WORDS.some(([word, isExcluded]) => word.test(asking) && isExcluded.test(returned))
}
