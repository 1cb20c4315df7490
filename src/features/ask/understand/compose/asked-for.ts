/** Whether a reading returns what the question word asks for: "who" is not answered with yes, "how many" not with a list. */
import type { FieldMeaning, Meaning } from '../meaning.ts'

/** What a reading returns. */
type Returned =
  | 'yes or no'
  | 'number'
  | 'figure'
  | 'groups'
  | 'date'
  | `field of ${FieldMeaning['type'] | 'place'}`
  | `list of ${string}`

const PLACE = /(?:^|\.)(?:city|country|location)$/

function returnedBy(meaning: Meaning): Returned {
  if (meaning.kind === 'every') return 'yes or no'
  if (meaning.kind === 'win rate' || meaning.kind === 'share') return 'figure'
  if (meaning.kind === 'compare') return meaning.isYesNo ? 'yes or no' : 'figure'
  const { query, show, last, isYesNo, isNumber } = meaning
  if (isYesNo) return 'yes or no'
  if (isNumber) return 'number'
  if (last) return 'date'
  if (show) return PLACE.test(show.field) ? 'field of place' : `field of ${show.type}`
  if (query.group_by) return 'groups'
  if (query.measure && query.measure.kind !== 'list')
    return query.measure.kind === 'count' ? 'number' : 'figure'
  return `list of ${query.entity}`
}

const WORDS: readonly [word: RegExp, isExcluded: RegExp][] = [
  [/^whose$/, /^yes/],
  [/^whom?$/, /^(?:yes|number|figure|date|field of (?!text)|list of (?:deal|activity|product|note))/],
  [/^(?:which|what)$/, /^yes/],
  [/^how (?:many|often)$/, /^(?:yes|date|field of (?:date|flag)|list)/],
  [/^how much$/, /^(?:yes|date|field of (?:date|flag)|list of (?:contact|company|activity|note))/],
  [/^when$/, /^(?:yes|number|figure|field of (?!date)|list of (?:contact|company|product))/],
  [/^where$/, /^(?:yes|number|figure|field of (?:date|number|money|flag)|list of (?:contact|deal))/],
  [/^why$/, /^(?:yes|number|figure|date|field of (?!text)|list of (?:contact|company|activity|product))/],
  [/^(?:is|are|was|were|do|does|did|has|have)$/, /^(?:number|figure|groups)/],
]
const ASKING = /\b(?:whose|whom?|which|what|how (?:many|often|much)|when|where|why)\b/g
/** Words before the question word: "with whom", "in how many". */
const FIRST =
  /^(?:(?:and|so|at|in|on|of|for|from|by|with|to|about|since|until) )*(how (?:many|often|much)|\S+)/

const OF_ALL = /^(?:is|are|was|were|do|does|did|has|have)\b.*(?<!\bat )\b(?:all|every|each)\b/
const OF_EACH = /"kind":"every"|"every":/
/** "how much has each of us won": one figure for each, not one of all. */
const EACH = /\bhow (?:much|many)\b.*\beach\b/

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
  // "is it approved on every open deal" is not whether there is one
  const asksOfAll = parts.some(part => OF_ALL.test(part))
  if (asksOfAll && returned === 'yes or no' && !OF_EACH.test(JSON.stringify(meaning))) return false
  const isOne = returned === 'number' || returned === 'figure'
  if (isOne && parts.some(part => EACH.test(part)) && !JSON.stringify(meaning).includes('"kind":"avg"'))
    return false
  return !WORDS.some(([word, isExcluded]) => word.test(asking) && isExcluded.test(returned))
}
