/** How what was found by words and what was found by meaning become one order. */
import { embeddedText } from './embed.ts'
import type { Hit } from './keyword.ts'
import type { FoundPassage } from './load.ts'
import { holdsNames, type Named, withoutNames } from './names.ts'
import type { Meaning } from './semantic.ts'
import type { Term } from './terms.ts'
import { wordsOf } from './words.ts'

export type MatchedBy = 'exact' | 'keyword' | 'semantic' | 'hybrid'

export interface Found {
  passage: FoundPassage
  score: number
  /** it holds the names beside which something is asked */
  held?: boolean
  /** the question is the record's whole name, address, domain or number */
  exact: boolean
  /** of the question's words, as far as they were found */
  share: number
  cosine: number
  matchedBy: MatchedBy
  /** 2: the question is made of the words of its name, in another order or misspelt; 1: of a person's and their company's */
  named: 0 | 1 | 2
}

/** Farther than this is not about the same thing by any reading. */
const MIN_COSINE = 0.08

/**
 * The cosine, raised by the share of the question's words that were found. A passage that holds all of them is what
 * was meant; one that holds a few of many is no better for it. Ranks are not fused: that gives the half that found
 * nothing as much say as the other.
 */
const WORDS_WORTH = 0.35
const FEW = 0.4
const bonus = (share: number) => WORDS_WORTH * (Math.max(0, share - FEW) / (1 - FEW)) ** 2

/** Lists of fields score high for every short question: written text ranks before them unless they match by keyword. */
const UNWRITTEN = 0.2

/** What is asked of somebody or something that the question names. */
export interface About extends Named {
  /** of the question without the names */
  cosines: ReadonlyMap<number, number>
}

/**
 * People rarely write the customer's name into a note linked to the customer: a passage that has the names, in its text
 * or in its links, is compared with the rest of the question.
 */
const NAMED = 0.3
/** A question about the strike at Dunmore must not rank strikes at other companies first. */
const HELD = 0.25

export function rank(
  hits: readonly Hit[],
  cosines: ReadonlyMap<number, number>,
  passages: ReadonlyMap<number, FoundPassage>,
  terms: readonly Term[],
  about?: About,
): Found[] {
  const byId = new Map(hits.map(hit => [hit.passageId, hit]))
  return [...passages.values()]
    .map(passage => {
      const hit = byId.get(passage.id)
      const near = cosines.get(passage.id)
      const asked =
        about && holdsNames(passage, about.names) ? (about.cosines.get(passage.id) ?? 0) : undefined
      const share = hit?.share ?? 0
      const exact = hit?.exact ?? false
      // not embedded yet: as far as its words carry
      const score =
        Math.max((near ?? 0.5 * share) + bonus(share), asked === undefined ? 0 : NAMED + asked) -
        (passage.written ? 0 : UNWRITTEN * (1 - Math.min(1, share)))
      const named = share > 0 ? namedBy(passage, terms) : 0
      const matchedBy = reason(exact, share, near)
      return { passage, score, exact, named, share, cosine: near ?? 0, matchedBy, held: asked !== undefined }
    })
    .filter(({ exact, share, cosine }) => exact || share > 0.3 || cosine >= MIN_COSINE)
    .sort(inOrder)
}

const inOrder = (a: Found, b: Found): number =>
  Number(b.exact) - Number(a.exact) ||
  b.named - a.named ||
  Math.round((b.score - a.score) * 1e6) ||
  // of two passages with the same words, the one whose title has the fewest other words
  a.passage.name.length - b.passage.name.length ||
  b.passage.id - a.passage.id

function namedBy({ entity_type, name, context }: FoundPassage, terms: readonly Term[]): Found['named'] {
  const words = wordsOf(name)
  if (terms.length === 0 || words.length > 8) return 0
  const holds = (term: Term, word: string) => term.word === word || (term.matches.get(word) ?? 0) >= 0.55
  const isOneOf = (some: readonly string[]) => (term: Term) => some.some(word => holds(term, word))
  if (terms.every(isOneOf(words)) && words.every(word => terms.some(term => holds(term, word)))) return 2
  const isPerson = entity_type === 'contact' && terms.length > 1 && terms.some(isOneOf(words))
  return isPerson && terms.every(isOneOf([...words, ...wordsOf(context)])) ? 1 : 0
}

function reason(exact: boolean, share: number, near: number | undefined): MatchedBy {
  if (exact) return 'exact'
  if (share === 0) return 'semantic'
  return (near ?? 0) >= MIN_COSINE ? 'hybrid' : 'keyword'
}

export const byWords = (
  hits: readonly Hit[],
  passages: ReadonlyMap<number, FoundPassage>,
  terms: readonly Term[],
): Found[] =>
  hits
    .flatMap(({ passageId, score, exact, share }) => {
      const passage = passages.get(passageId)
      if (!passage) return []
      const matchedBy = exact ? ('exact' as const) : ('keyword' as const)
      return [{ passage, score, exact, share, cosine: 0, matchedBy, named: namedBy(passage, terms) }]
    })
    .sort(inOrder)

const NO_WORDS: ReadonlySet<string> = new Set()

/** How many of the best are compared with the question word by word, and what that counts. */
const REFINED = 25
const MATCH_WORTH = 2

/** Two vectors tell what a text is about, not whether it says what was asked: among the best this makes the difference. */
export async function refine(
  question: string,
  meaning: Meaning,
  found: readonly Found[],
  about?: About,
): Promise<Found[]> {
  // the very record is there: nobody needs the rest in a finer order
  const [top] = found
  if (!top || top.exact || top.named) return [...found]
  const best = found.slice(0, REFINED)
  const matches = await meaning.embedder
    .match?.(
      about?.rest ?? question,
      best.map(({ passage }) => withoutNames(embeddedText(passage), about?.words ?? NO_WORDS)),
    )
    .catch(() => undefined)
  if (!matches) return [...found]
  const likenesses = matches.map(match => match.likeness)
  const lowest = Math.min(...likenesses)
  // those that were not compared stay behind the last that was
  return found
    .map((one, i) => ({
      ...one,
      score:
        (one.score + MATCH_WORTH * (likenesses[i] ?? lowest)) / (1 + MATCH_WORTH) + (one.held ? HELD : 0),
    }))
    .sort((a, b) => b.score - a.score)
}
