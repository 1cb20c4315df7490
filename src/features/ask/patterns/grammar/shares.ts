/** "what share of our open deals is mine": how many there are, and how many of them are so. */

export interface Share {
  whole: string
  part: string
}

const OF = '(?:percent(?:age)?|%|share|proportion|fraction|portion|part)'
const OUR = '(?:(?:all|the|our|total|of) )*'
/** Where what is said of a part begins: at the verb, else at what follows the noun. */
const VERBS =
  '(?:is|are|was|were|belongs?|comes?|came|has|have|do|does|did|closes?|falls?|sits?|stems?|lies?)'
const ELSE = '(?:that|which|who|with|without|we|i|in|at|from|over|above|under|below|closing|owned|by)'

/** `text`: a question in plain words, a space at each end. */
export function shareIn(text: string): Share | undefined {
  const of = new RegExp(
    `^ (?:(?:what|which|how (?:many|much|big|large|high)|is|are|was|a|the|show|give|me|tell|in) )*${OF} of ${OUR}(.*)$`,
  ).exec(text)?.[1]
  if (of !== undefined) {
    const at = (words: string) => new RegExp(`^(.+?) (${words} .*)$`).exec(of.trim())
    const split = at(VERBS) ?? at(ELSE)
    return split ? { whole: `list ${split[1]}`, part: `list ${split[1]} ${split[2]}` } : undefined
  }
  // "what is Dana's share of the pipeline"
  const whose = new RegExp(
    `^ (?:(?:what|how (?:big|large|high)|is|was|the) )+(\\S+(?: \\S+)?) ${OF} of ${OUR}(.+) $`,
  ).exec(text)
  return whose ? { whole: `list ${whose[2]}`, part: `list ${whose[1]} ${whose[2]}` } : undefined
}

/** Whether it may ask for a share at all. */
export const asksForShare = (text: string): boolean => new RegExp(` ${OF} of `).test(text)
