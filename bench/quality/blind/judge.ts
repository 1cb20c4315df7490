/** A set of questions that people wrote without seeing the service, and whether an answer is right. */

import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'

export interface Question {
  question: string
  kind: 'number' | 'names' | 'yesno' | 'refuse'
  expected?: number | string | string[]
  depends_on_today?: true
  /** `text`: the answer stands in a note; without it, in fields */
  about?: 'data' | 'text'
  /** what it asks (`compose/meant.ts`); null where the query language has no words for it */
  meant?: Meaning | null
}

export interface BlindSet {
  /** a day, YYYY-MM-DD */
  written_on: string
  /** a value `$name` in a body is the id of the record that is called so, `$stage:Won` that of a stage */
  records: { as: string; path: string; body: Record<string, unknown> }[]
  questions: Question[]
}

export type Verdict = 'right' | 'wrong' | 'refused'

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Also those in words: a text that says "three cuts a year" says 3. */
const numbersIn = (text: string): number[] => [
  ...(text.match(/-?\d[\d,]*(?:\.\d+)?/g) ?? []).map(digits => Number(digits.replaceAll(',', ''))),
  ...(text.toLowerCase().match(/\b[a-z]+\b/g) ?? []).flatMap(word => {
    const number = WORDS.indexOf(word)
    return number >= 0 ? [number] : []
  }),
]

export interface Answer {
  answer: string
  grounded: boolean
  confidence?: string
}

export function judge({ kind, expected }: Question, answer: Answer): Verdict {
  if (kind === 'refuse') return answer.grounded && answer.confidence !== 'low' ? 'wrong' : 'right'
  if (!answer.grounded) return 'refused'
  return fits(kind, expected, answer) ? 'right' : 'wrong'
}

export function fits(kind: Question['kind'], expected: Question['expected'], answer: Answer): boolean {
  if (kind === 'number') return numbersIn(answer.answer).includes(Number(expected))
  if (kind === 'yesno') return answer.answer.toLowerCase().startsWith(String(expected))
  const names = [expected ?? []].flat().map(String)
  const [, announced] = /^(\d+) \w+ \(/.exec(answer.answer) ?? []
  const isComplete = announced === undefined || Number(announced) === names.length
  const said = JSON.stringify(answer)
  return isComplete && names.every(name => said.includes(name) || said.includes(inWords(name)))
}

/** 2027-04-24 → 24 April 2027, as a text may say it. */
function inWords(date: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return date
  return new Date(date).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
