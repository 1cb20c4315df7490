/** A word of the grammar that is a choice of a declared field: "the Total contract" is no sum of contracts. */
import { wordsOf } from './figures.ts'
import { valueKey } from './value-key.ts'
import type { Vocabulary } from './vocabulary.ts'

/** They make a figure of it: "total contract value". */
const FIGURES = /^(?:values?|amounts?|worth|volume|size|revenue|sum|price|number|count|length|duration)$/
const LINKS = /^(?:or|and|vs|versus)$/

/**
 * Whether the word at `at` is such a value: it stands beside the field's name or a word of it, or before another
 * value that does. `capitals`: words that are written like names, which tells it in the plural too.
 */
export function isChoice(
  words: readonly string[],
  at: number,
  { values, fields }: Vocabulary,
  capitals: ReadonlySet<string>,
): boolean {
  const known = (values.get(words[at]!) ?? []).filter(({ field }) => field.startsWith('cf.'))
  return known.some(({ kind, field }) => {
    const named = wordsOf(fields[kind].find(({ key }) => key === field)?.label ?? '').filter(
      word => word.length > 2,
    )
    const isNamed = (i: number): boolean => {
      const word = words[i] ?? ''
      const isMany = !named.includes(word)
      return named.includes(valueKey(word)) && (!isMany || capitals.has(words[at]!))
    }
    const isOther = (i: number): boolean =>
      (values.get(words[i] ?? '') ?? []).some(one => one.field === field && one.kind === kind)
    let next = at + 1
    while (LINKS.test(words[next] ?? '') && isOther(next + 1)) next += 2
    if (isNamed(next)) {
      let end = next
      while (isNamed(end)) end++
      return !FIGURES.test(words[end] ?? '')
    }
    let before = words[at - 1] === 'is' ? at - 2 : at - 1
    while (LINKS.test(words[before] ?? '') && isOther(before - 1)) before -= 2
    return isNamed(before) && (next === words.length || !isNamed(next)) && isAfterName(words, before)
  })
}

/** "with service contract Total", but not "the contract total". */
const isAfterName = (words: readonly string[], at: number): boolean => {
  const before = words.slice(Math.max(0, at - 3), at).join(' ')
  return (
    /(?:^| )(?:with|has|have|having|on|by|whose|where|of)(?: (?:an?|their))?(?: \S+)?$/.test(before) &&
    !/ the$/.test(` ${before}`)
  )
}
