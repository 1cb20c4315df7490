/** Words of a question without which it is another question, and those of them that a reading leaves out. */
import { fold } from '../../search/words.ts'
import { capitalsIn } from '../account/common-words.ts'
import { isOpposite } from '../account/likeness.ts'
import type { Words } from '../account/words.ts'
import { isLight } from '../understand/light.ts'
import { tokensOf } from '../understand/tokens.ts'
import type { Item } from './items.ts'

/** "the main contact", "our former CFO", "the youngest", "two of them": without such a word others are meant. */
const TELLING =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|youngest|oldest|eldest|newest|latest|earliest|biggest|largest|smallest|highest|lowest|longest|shortest|cheapest|priciest|fewest|average|median|mean|many|often|percentage|day|week|month|quarter|main|primary|key|chief|head|lead|former|ex|deputy|assistant|acting|decision|vice|vs|versus|compared|abroad|overseas|domestic|foreign|colleagues?|coworkers|workmates)$/

/** "this year" is a time, "a year" often is not. */
const YEAR = /\b(?:this|last|next|current|previous|coming) year\b/

/** Names, values and figures among them. */
export function neededIn(question: string, words: Words): string[] {
  const capitals = capitalsIn(question, fold)
  const isNeeded = (word: string) =>
    capitals.has(word) ||
    /^\d/.test(word) ||
    TELLING.test(word) ||
    (word === 'year' && YEAR.test(fold(question))) ||
    words.fields.some(({ label }) => isOpposite(word, label)) ||
    words.values(word).length > 0
  return [...new Set(tokensOf(question).filter(word => !isLight(word) && isNeeded(word)))]
}

/** What a reading neither points to nor says. */
export function leftOut(
  words: readonly string[],
  tokens: readonly string[],
  items: readonly Item[],
  text: string,
): string[] {
  const pointed = tokens.map(token => items[Number(/^@(\d+)$/.exec(token)?.[1] ?? -1)]?.said ?? '')
  const covered = new Set([...tokensOf(text), ...pointed.flatMap(said => said.split(' '))])
  return words.filter(word => !covered.has(word))
}
