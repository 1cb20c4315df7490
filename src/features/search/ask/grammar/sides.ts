/**
 * Two things that are compared: "Germany vs France: open amount", "compare my pipeline with Owen's". Each of them is
 * asked for by itself, in the words of the question without the other one, so every word must be understood twice.
 */
import { PEOPLE } from './colleagues.ts'
import type { Mention } from './mentions.ts'

export interface Side {
  /** how the answer calls it */
  label: string
  question: string
}

interface Item {
  at: number
  end: number
  /** what it may be: two of the same can be compared */
  types: string[]
  label: string
  words: string
}

const BIGGER =
  '(?:more|fewer|less|bigger|larger|smaller|higher|lower|better|worse|greater|stronger|weaker|longer)'
const PREP = '(?:(?:in|at|for|by|the|to|from|with|of|on|a|our|that|those|what) )*'
/** What stands before the second one. */
const VERSUS = new RegExp(
  ` (?:vs|versus|against|(?:as )?compared (?:to|with)|in comparison (?:to|with)) ${PREP}$`,
)
const WITH = new RegExp(` (?:and|with|to|against|vs|versus|or) ${PREP}$`)
const THAN = new RegExp(` (?:a |an |the )?${BIGGER} (?:(?!than )\\S+ ){0,2}than ${PREP}$`)
const OR = new RegExp(`^ or ${PREP}$| or ${PREP}$`)
const AND = new RegExp(` and ${PREP}$`)
const FREE = new RegExp(` (?:the )?${BIGGER}(?= (?!than ))`)
const BETWEEN = new RegExp(` (?:the )?(?:difference|gap) (?:in \\S+ )?between ${PREP}$`)
const SIZED = / (?:bigger|larger|smaller|higher|lower|better|worse|greater|stronger|weaker|difference|gap) /

const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4])$/
const STATES = /^(?:won|lost|open)$/
const ACTIVITIES = /^(?:calls|meetings|tasks|e-?mails)$/

/** Whether it may compare at all: most questions do not, and are not read a second time. */
export const compares = (text: string): boolean =>
  new RegExp(` (?:vs|versus|against|compared?|comparison|difference|gap|${BIGGER.slice(3, -1)}) `).test(text)

/** Whether what is compared is how much, not how many. */
export const comparesSizes = (text: string): boolean => SIZED.test(text)

function itemsIn(words: readonly string[], mentions: readonly Mention[]): Item[] {
  const named = mentions.map(({ at, said, values, records, negated }): Item => {
    const types = values.map(({ kind, field }) => (PEOPLE.includes(field) ? 'person' : `${kind} ${field}`))
    const label = values[0]?.value ?? [...new Set(records?.names)].join(', ')
    const all = negated ? [] : records ? [...types, `a ${records.kind}`] : types
    return { at, end: at + said.split(' ').length, types: [...new Set(all)], label, words: said }
  })
  const others = words.flatMap((word, at): Item[] => {
    if (named.some(item => item.at <= at && at < item.end)) return []
    const one = (type: string, label = word, said = word) => [
      { at, end: at + 1, types: [type], label, words: said },
    ]
    if (/^(?:my|mine|me|i)$/.test(word)) return one('person', 'mine', 'my')
    if (STATES.test(word)) return one('state')
    if (ACTIVITIES.test(word)) return one('activity')
    if (MONTH.test(word)) return one('time', word[0]!.toUpperCase() + word.slice(1), `in ${word}`)
    const unit = words[at + 1] ?? ''
    return /^(?:this|last|next)$/.test(word) && /^(?:week|month|quarter|year)$/.test(unit)
      ? [{ at, end: at + 2, types: ['time'], label: `${word} ${unit}`, words: `${word} ${unit}` }]
      : []
  })
  return [...named, ...others].sort((a, b) => a.at - b.at)
}

/** The sign that the two are compared: what is left of the words before the first and between them. */
function signOf(before: string, between: string): { before: string; between: string } | undefined {
  const cut = (sign: RegExp) => between.replace(sign, ' ')
  if (VERSUS.test(between)) return { before: before.replace(/^ compare /, ' '), between: cut(VERSUS) }
  if (/^ compare /.test(before) && WITH.test(between))
    return { before: before.replace(/^ compare /, ' '), between: cut(WITH) }
  if (BETWEEN.test(before) && AND.test(between))
    return { before: before.replace(BETWEEN, ' '), between: cut(AND) }
  if (THAN.test(between)) return { before, between: cut(THAN) }
  if (OR.test(between) && FREE.test(before)) return { before: before.replace(FREE, ' '), between: cut(OR) }
  return undefined
}

/** `words`: of the whole question; `spelled`: as a question has to write them. */
export function sidesOf(
  words: readonly string[],
  mentions: readonly Mention[],
  spelled: (text: string) => string,
): [Side, Side] | undefined {
  const text = (from: number, to?: number) => ` ${words.slice(from, to).join(' ')} `.replace(/ {2,}/g, ' ')
  const items = itemsIn(words, mentions)
  for (const [i, first] of items.entries()) {
    for (const second of items.slice(i + 1)) {
      if (first.label === second.label || !first.types.some(type => second.types.includes(type))) continue
      const sign = signOf(text(0, first.at), text(first.end, second.at))
      if (!sign) continue
      const after = text(second.end).replace(/^ (?:ones?|s) /, ' ')
      const side = ({ label, words: said }: Item): Side => ({
        label,
        question: spelled(asked(`${sign.before}${said}${sign.between}${after}`)),
      })
      return [side(first), side(second)]
    }
  }
  return undefined
}

/** "who won more" asks how much each has won. */
const asked = (text: string): string =>
  text
    .replace(/^ (?:which|what|who) (?:is|are|was|were) (?=¤|the |my )/, ' ')
    .replace(/^ (?:(?:is|are|was|were|which is|which are|which was|what is|what was) )+/, ' ')
    .replace(
      /^ who /,
      / (?:deals|calls|meetings|tasks|contacts|customers|activities) /.test(text)
        ? ' how many '
        : ' how much ',
    )
    .replace(/ {2,}/g, ' ')
