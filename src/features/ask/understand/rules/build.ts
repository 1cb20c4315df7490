/**
 * Rules as one line each: `rule('Condition = Not *Condition', 0.4, negated)`. A starred part is passed to the function;
 * `Part?` may be missing, `A|B` is either of two categories. The cost makes the simpler reading win. What a function takes
 * and returns follows from the categories.
 */
import type { Bucket } from '../../../records/query/spec.ts'
import type { Costly, Rule } from '../chart.ts'
import type { About, Clause, FieldMeaning, Meaning, Records } from '../meaning.ts'
import type { Quantity } from '../numbers.ts'
import type { Comparator, Direction, Edit, Superlative, Time, Touch, Wanted } from './shared.ts'

type Named<Categories> = Categories extends `${infer First} ${infer Others}`
  ? First | Named<Others>
  : Categories extends string
    ? Categories
    : never
type Abouts =
  'Adjective Because Condition Dated Ending For Happened Happening LostFor One Reason RecordPhrase State Subject These'

/** What phrases of each category mean. That of a closed class of words is the phrase itself. */
type Meanings = Record<Named<Abouts> | Named<'Value Values Verb Won'>, About> &
  Record<Named<'Deal Money Noun OpenDeals Rate Records Talks'>, Records> &
  Record<Named<'Clause EndingClause'>, Clause> &
  Record<Named<'Contacting Touched Untouched'>, Touch> &
  Record<Named<'Field FieldPhrase'>, FieldMeaning> &
  Record<Named<'Figure Wanted'>, Wanted> &
  Record<Named<'Month Time'>, Time> &
  Record<Named<'Each Except OnlyHave'>, true> &
  Record<Named<'Direction End Extreme ExtremeMany'>, Direction> & {
    Bucket: Bucket
    Comparison: readonly Comparator[]
    Edit: Edit
    Meaning: Meaning
    Number: Quantity
    Pick: 'best' | 'worst'
    Skipped: number
    Statistic: 'sum' | 'avg' | 'median'
    Superlative: Superlative
    Touch: readonly string[]
  }

type MeaningOf<Names> = Names extends `${infer First}|${infer Others}`
  ? MeaningOf<First> | MeaningOf<Others>
  : Names extends keyof Meanings
    ? Meanings[Names]
    : string
type Passed<Part> = Part extends `*${infer Names}?`
  ? [MeaningOf<Names> | undefined]
  : Part extends `*${infer Names}`
    ? [MeaningOf<Names>]
    : []
type PassedOf<Parts> = Parts extends `${infer First} ${infer Others}`
  ? [...Passed<First>, ...PassedOf<Others>]
  : Passed<Parts>
/** Without a function the meaning is that of the part that is passed. */
type Combine<Form> = Form extends `${infer Category} = ${infer Parts}`
  ?
      | [(...meanings: PassedOf<Parts>) => MeaningOf<Category> | Costly | undefined]
      | (PassedOf<Parts> extends [MeaningOf<Category>] ? [] : never)
  : never

export type Define = <Form extends string>(form: Form, cost: number, ...combine: Combine<Form>) => void

export function ruleSet(define: (rule: Define) => void): Rule[] {
  const rules: Rule[] = []
  define((form, cost, ...[combine = (meaning: unknown) => meaning]) => {
    const [category = '', parts = ''] = form.split(' = ')
    const passOn = combine as (...meanings: unknown[]) => unknown
    for (const expanded of expand(parts.split(' '))) rules.push(ruleOf(category, expanded, cost, passOn))
  })
  return rules
}

interface Part {
  category: string | undefined
  isPassed: boolean
}

/** Every combination of alternatives and of parts that may be missing. */
function expand(parts: readonly string[]): Part[][] {
  return parts.reduce<Part[][]>(
    (all, part) => {
      const isPassed = part.startsWith('*')
      const names = part.replace(/^\*|\?$/g, '').split('|')
      const choices: (string | undefined)[] = part.endsWith('?') ? [undefined, ...names] : names
      return all.flatMap(before => choices.map(category => [...before, { category, isPassed }]))
    },
    [[]],
  )
}

function ruleOf(
  category: string,
  parts: readonly Part[],
  cost: number,
  combine: (...meanings: unknown[]) => unknown,
): Rule {
  const present = parts.filter(part => part.category !== undefined)
  // where each passed part is among those that are present
  const places = parts.filter(({ isPassed }) => isPassed).map(part => present.indexOf(part))
  return {
    category,
    parts: present.flatMap(part => part.category ?? []),
    cost,
    combine: (...meanings) => combine(...places.map(place => meanings[place])),
  }
}
