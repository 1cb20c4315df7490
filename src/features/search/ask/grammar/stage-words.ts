/** Stages as verbs and in the plural: "negotiating", "proposals", "qualifying". */
import type { Known, Vocabulary } from './vocabulary.ts'

const ENDINGS = /(?:ications?|ations?|ating|ated|ying|ied|ing|ed|als?|s)$/
const SHORTEST = 5

const stemOf = (word: string): string => word.replace(ENDINGS, '')

/** The stages of one word that is said in another form. */
export function stagesFor(word: string, { values }: Vocabulary): Known[] {
  const stem = stemOf(word)
  if (stem.length < SHORTEST || stem === word || word.includes(' ')) return []
  return [...values].flatMap(([name, list]) =>
    !name.includes(' ') && name !== word && stemOf(name) === stem
      ? list.filter(({ field }) => field === 'stage_id')
      : [],
  )
}
