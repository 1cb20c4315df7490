/**
 * Rules as one line each: `rule('Condition = Not *Condition', 0.4, negated)`. A starred part is passed to the function;
 * `Part?` may be missing, `A|B` is either of two categories. The cost makes the simpler reading win.
 */
import type { Rule } from '../chart.ts'

type Combine = (...meanings: never[]) => unknown
export type Define = (form: string, cost: number, combine: Combine) => void

export function ruleSet(define: (rule: Define) => void): Rule[] {
  const rules: Rule[] = []
  define((form, cost, combine) => {
    const [category = '', parts = ''] = form.split(' = ')
    for (const expanded of expand(parts.split(' '))) rules.push(ruleOf(category, expanded, cost, combine))
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

function ruleOf(category: string, parts: readonly Part[], cost: number, combine: Combine): Rule {
  const present = parts.filter((part): part is Part & { category: string } => part.category !== undefined)
  return {
    category,
    parts: present.map(part => part.category),
    cost,
    combine: (...meanings: never[]) => {
      let at = 0
      const passed: unknown[] = []
      for (const part of parts) {
        const meaning = part.category === undefined ? undefined : meanings[at++]
        if (part.isPassed) passed.push(meaning)
      }
      return combine(...(passed as never[]))
    },
  }
}
