/**
 * Two things that are compared: "Germany vs France: open amount", "compare my pipeline with Owen's". Each of them is
 * asked for by itself, in the words of the question without the other one, so every word must be understood twice.
 */
import type { Kind } from '../fields/index.ts'
import { PEOPLE } from './colleagues.ts'
import type { Mention } from './mentions.ts'
import { NOUNS } from './nouns.ts'
import { says } from './reading.ts'

export interface Side {
  /** how the answer calls it */
  label: string
  question: string
  /** it is a record of this kind by its name: of that there is no number */
  record: Kind | undefined
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
const WORDS = 'in|at|for|by|the|to|from|with|of|on|a|our|that|those|what'
const PREP = `(?:(?:${WORDS}) )*`
/** What stands before the second one. */
const VERSUS = new RegExp(
  ` (?:vs|versus|against|(?:as )?compare[ds]? (?:to|with)|in comparison (?:to|with)) ${PREP}$`,
)
const WITH = new RegExp(` (?:and|with|to|against|vs|versus|or) ${PREP}$`)
const THAN = new RegExp(` (?:a |an |the )?${BIGGER} ((?:(?!than )\\S+ ){0,4})than ${PREP}$`)
const ONLY_THAN = new RegExp(` than ${PREP}$`)
const OR = new RegExp(` or ${PREP}$`)
const AND = new RegExp(` and ${PREP}$`)
const FREE = new RegExp(` (?:the )?${BIGGER}(?= (?!than ))`)
const BETWEEN = / (?:the )?(?:difference|gap) (?:in \S+ )?between ((?:\S+ ){0,4})$/
const SIZED = / (?:bigger|larger|smaller|higher|lower|better|worse|greater|stronger|weaker|difference|gap) /

const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4])$/
const STATES = /^(?:won|lost|open)$/
const ACTIVITIES = /^(?:calls|meetings|tasks|e-?mails)$/

/** Whether it may compare at all: most questions do not, and are not read a second time. */
export const compares = (text: string): boolean =>
  new RegExp(` (?:vs|versus|against|compared?|comparison|difference|gap|${BIGGER}) `).test(text)

/** Whether what is compared is how much, not how many. */
export const comparesSizes = (text: string): boolean => SIZED.test(text)

/** Whether it says what is counted; "is Plus better than Basic" does not. */
export const saysWhat = (text: string): boolean =>
  / (?:won|lost|customers?|prospects?|leads?|partners?) /.test(text) ||
  NOUNS.some(([, pattern]) => says({ text }, pattern))

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

interface Sign {
  before: string
  between: string
  after: string
}

/** What is left of the question when the sign that the two are compared is taken away. */
function signOf(before: string, between: string, after: string): Sign | undefined {
  const cut = (sign: RegExp) => between.replace(sign, ' ')
  const told = before.replace(/^ compare /, ' ')
  // it must say of what they are compared
  const sure = (sign: Sign) => (SAYS.test(`${sign.before}${sign.between}${sign.after}`) ? sign : undefined)
  if (VERSUS.test(between)) return sure({ before: told, between: cut(VERSUS), after })
  if (told !== before && WITH.test(between)) return sure({ before: told, between: cut(WITH), after })
  if (BETWEEN.test(before) && AND.test(between))
    return sure({ before: before.replace(BETWEEN, ' $1'), between: cut(AND), after })
  if (THAN.test(between)) {
    const kept = between.replace(THAN, (_, what: string) => ` ${what.replace(UNITS, '')}`)
    return { before, between: kept, after }
  }
  if (FREE.test(before) && ONLY_THAN.test(between))
    return { before: before.replace(FREE, ' '), between: cut(ONLY_THAN), after }
  if (!OR.test(between)) return undefined
  if (FREE.test(before)) return { before: before.replace(FREE, ' '), between: cut(OR), after }
  return FREE.test(after) ? { before, between: cut(OR), after: after.replace(FREE, ' ') } : undefined
}
const UNITS = /^(?:day|week|month|quarter|year|one) $/
const SAYS = new RegExp(` (?!(?:${WORDS}|is|are|was|were|and|which|me|show) )\\S`)

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
      const after = text(second.end).replace(/^ (?:ones?|s) /, ' ')
      const sign = signOf(text(0, first.at), text(first.end, second.at), after)
      if (!sign) continue
      const shared = first.types.filter(type => second.types.includes(type))
      const record = shared.every(type => type.startsWith('a ')) ? (shared[0]!.slice(2) as Kind) : undefined
      const side = ({ label, words: said }: Item): Side => ({
        label,
        question: spelled(asked(`${sign.before}${said}${sign.between}${sign.after}`, record !== undefined)),
        record,
      })
      return [side(first), side(second)]
    }
  }
  return undefined
}

const COUNTED = / (?:deals|calls|meetings|tasks|contacts|customers|companies|activities|employees) /

/** "who won more" asks how much each has won. */
function asked(text: string, isRecord: boolean): string {
  const how = isRecord || COUNTED.test(text) ? ' how many ' : ' how much '
  return text
    .replace(/^ (?:(?:is|are|was|were|which is|which are|which was|what is|what was) )+/, ' ')
    .replace(/^ how (?:does|do|did) /, ' ')
    .replace(/^ who /, how)
    .replace(isRecord ? /^ (?:which|does|do) / : /(?!)/, how)
    .replace(/ (pipeline|win rate)s /, ' $1 ')
    .replace(/ {2,}/g, ' ')
}
