/** Whether an answer about the data is what was expected. */
import type { Filled as Whole } from './fill.ts'
import type { Expected, ExpectedAnswer } from './types.ts'

type Filled = Pick<Whole, 'records' | 'keyOf'>

export interface Answer {
  answer: string
  grounded: boolean
  model: string
  citations: readonly { index: number; entity_id: string }[]
  data?: { count?: number; items?: readonly { id?: string }[] } | null
}

const REFERENCE = /\[\d+\]/g

function numbers(answer: string): number[] {
  const found = answer.replace(REFERENCE, ' ').match(/\d[\d,]*(\.\d+)?/g) ?? []
  return found.map(number => Number(number.replace(/,/g, '')))
}

/** As 2026-11-03, 3 Nov or November 3. */
function hasDate(answer: string, day: string): boolean {
  const date = Number(day.slice(8))
  const month = new Date(day).toLocaleString('en', { month: 'short', timeZone: 'UTC' })
  const written = new RegExp(`\\b0?${date}\\.? ${month}|${month}[a-z]* 0?${date}\\b`, 'i')
  return answer.includes(day) || written.test(answer)
}

/** The records that an answer lists, or else those that its text refers to. */
function recordsOf({ answer, citations, data }: Answer): string[] {
  const listed = data?.items?.flatMap(({ id }) => id ?? []) ?? []
  if (listed.length > 0) return [...new Set(listed)]
  const named = new Set((answer.match(REFERENCE) ?? []).map(mark => Number(mark.slice(1, -1))))
  const cited = citations.filter(({ index }) => named.size === 0 || named.has(index))
  return [...new Set(cited.map(({ entity_id }) => entity_id))]
}

function wrongSet(keys: readonly string[], answer: Answer, { records, keyOf }: Filled): string | undefined {
  const wanted = keys.map(key => records.get(key)!.id)
  const given = recordsOf(answer)
  const extra = given.filter(id => !wanted.includes(id))
  const missing = wanted.filter(id => !given.includes(id))
  // a long list may be cut, as long as it says how many there are
  const cut = answer.data?.count === wanted.length && given.length < wanted.length
  if (extra.length === 0 && (missing.length === 0 || cut)) return undefined
  const names = (ids: readonly string[]) =>
    ids.map(id => records.get(keyOf.get(id) ?? '')?.name ?? id).join('; ')
  return `missing {${names(missing)}} extra {${names(extra)}}`
}

function wrongCount(count: number, { answer, data }: Answer): string | undefined {
  const told = data?.count === undefined ? numbers(answer) : [data.count]
  return told.includes(count) ? undefined : `count ${told.join(', ')}`
}

function wrongWords({ nums = [], text = [], date }: ExpectedAnswer, { answer }: Answer): string | undefined {
  const told = numbers(answer)
  // answers may round to whole numbers
  const absent = nums.filter(number => !told.some(one => Math.abs(one - number) < 0.6))
  if (absent.length > 0) return `figures missing: ${absent.join(', ')}`
  const unsaid = text.filter(pattern => !pattern.test(answer))
  if (unsaid.length > 0) return `not in the answer: ${unsaid.join(', ')}`
  return date === undefined || hasDate(answer, date) ? undefined : `date ${date} not in the answer`
}

function wrongTold(told: ExpectedAnswer, answer: Answer, filled: Filled): string | undefined {
  if (told.zero) {
    const none = /\b(no|none|nothing|0)\b/i.test(answer.answer) && (answer.data?.count ?? 0) === 0
    return none ? undefined : 'should say none'
  }
  if (!answer.grounded) return 'not grounded'
  const first = recordsOf(answer)[0] ?? ''
  return (
    (told.set && wrongSet(told.set, answer, filled)) ??
    (told.one === undefined || first === filled.records.get(told.one)!.id
      ? undefined
      : `the first record is ${filled.records.get(filled.keyOf.get(first) ?? '')?.name}`) ??
    (told.count === undefined ? undefined : wrongCount(told.count, answer)) ??
    wrongWords(told, answer)
  )
}

/** What is wrong with it, if anything. */
export function wrong(expected: Expected, answer: Answer, filled: Filled): string | undefined {
  const readings = 'any' in expected ? expected.any : [expected]
  const reasons = readings.map(told => wrongTold(told, answer, filled))
  return reasons.includes(undefined) ? undefined : reasons.join(' / ')
}

export function describe(expected: Expected, filled: Filled): string {
  if ('any' in expected) return expected.any.map(told => describe(told, filled)).join(' or ')
  const { set, one, count, nums, text, date, zero } = expected
  const name = (key: string) => filled.records.get(key)!.name
  const parts = [
    set && `exactly {${set.map(name).join('; ')}} (${set.length})`,
    one && `the record ${name(one)}`,
    count !== undefined && `count ${count}`,
    nums && `figures ${nums.join(', ')}`,
    text && `text ${text.join(' and ')}`,
    date && `date ${date}`,
    zero && 'none',
  ]
  return parts.filter(Boolean).join(' and ')
}
