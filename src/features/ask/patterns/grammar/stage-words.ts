/** Stages as verbs and in the plural: "negotiating", "proposals", "qualifying". */
import type { Reading } from './reading.ts'
import type { Known, Vocabulary } from './vocabulary.ts'

const ENDINGS = /(?:ications?|ations?|ating|ated|ying|ied|ing|ed|als?|s)$/
const SHORTEST = 5

const stemOf = (word: string): string => word.replace(ENDINGS, '')

const GIVING =
  '(?:sen[dt]|sending|submit(?:ted|s)?|ma[dk]e|wrote|write|written|issued?|received?|got|get|gave|give|accept(?:ed)?|reject(?:ed)?|sign(?:ed)?)'
const GIVEN = new RegExp(
  ` ${GIVING}(?: (?:us|them|me|you|an?|the|our|out|any|new|to|¤))* ¤ | ¤ (?:(?:that|which|have|has|did|do|was|were|been|we|i|you|they|¤) )*${GIVING} `,
)

/** "who have we sent a proposal to": a paper, which many have got whose deals are elsewhere by now. */
export const speaksOfPapers = ({ text, mentions }: Pick<Reading, 'text' | 'mentions'>): boolean =>
  GIVEN.test(text) &&
  mentions.some(
    ({ before, values }) =>
      values.length > 0 &&
      values.every(({ field }) => field === 'stage_id') &&
      !['in', 'at', 'stage', 'under', 'the'].includes(before),
  )

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
