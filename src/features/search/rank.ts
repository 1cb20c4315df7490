/** How what was found by words and what was found by meaning become one order. */
import { embeddedText } from './embed.ts'
import type { Hit } from './keyword.ts'
import type { FoundPassage } from './load.ts'
import type { Meaning } from './semantic.ts'
import type { Term } from './terms.ts'
import { wordsOf } from './words.ts'

export type MatchedBy = 'exact' | 'keyword' | 'semantic' | 'hybrid'

export interface Found {
  passage: FoundPassage
  score: number
  /** the question is the record's whole name, address, domain or number */
  exact: boolean
  /** of the question's words, as far as they were found */
  share: number
  cosine: number
  matchedBy: MatchedBy
  /** the question is made of the words of its name, in another order or misspelt */
  named: boolean
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

/** Lists of fields lie near to every short question; what people wrote goes before them, unless the words are theirs. */
const UNWRITTEN = 0.15

export function rank(
  hits: readonly Hit[],
  cosines: ReadonlyMap<number, number>,
  passages: ReadonlyMap<number, FoundPassage>,
  terms: readonly Term[],
): Found[] {
  const byId = new Map(hits.map(hit => [hit.passageId, hit]))
  return [...passages.values()]
    .map(passage => {
      const hit = byId.get(passage.id)
      const near = cosines.get(passage.id)
      const share = hit?.share ?? 0
      const exact = hit?.exact ?? false
      // not embedded yet: as far as its words carry
      const score =
        (near ?? 0.5 * share) + bonus(share) - (passage.written ? 0 : UNWRITTEN * (1 - Math.min(1, share)))
      const named = share > 0 && isNamed(passage, terms)
      return { passage, score, exact, named, share, cosine: near ?? 0, matchedBy: reason(exact, share, near) }
    })
    .filter(({ exact, share, cosine }) => exact || share > 0.3 || cosine >= MIN_COSINE)
    .sort(inOrder)
}

const inOrder = (a: Found, b: Found): number =>
  Number(b.exact) - Number(a.exact) ||
  Number(b.named) - Number(a.named) ||
  Math.round((b.score - a.score) * 1e6) ||
  // of two that hold the words alike, the one that is called so and little else
  a.passage.name.length - b.passage.name.length ||
  b.passage.id - a.passage.id

/** Every word of the question is one of the name, and every word of the name one of the question. */
function isNamed({ name }: FoundPassage, terms: readonly Term[]): boolean {
  if (terms.length === 0) return false
  const words = wordsOf(name)
  const holds = (term: Term, word: string) => term.word === word || (term.matches.get(word) ?? 0) >= 0.55
  return (
    words.length <= 8 &&
    terms.every(term => words.some(word => holds(term, word))) &&
    words.every(word => terms.some(term => holds(term, word)))
  )
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
      return [{ passage, score, exact, share, cosine: 0, matchedBy, named: isNamed(passage, terms) }]
    })
    .sort(inOrder)

/** How many of the best are compared with the question word by word, and what that counts. */
const REFINED = 25
const MATCH_WORTH = 2

/** Two vectors tell what a text is about, not whether it says what was asked: among the best this makes the difference. */
export async function refine(question: string, meaning: Meaning, found: readonly Found[]): Promise<Found[]> {
  // the very record is there: nobody needs the rest in a finer order
  if (found.length === 0 || found[0]!.exact || found[0]!.named) return [...found]
  const best = found.slice(0, REFINED)
  const matches = await meaning.embedder
    .match?.(
      question,
      best.map(one => embeddedText(one.passage)),
    )
    .catch(() => undefined)
  if (!matches) return [...found]
  const likenesses = matches.map(match => match.likeness)
  const lowest = Math.min(...likenesses)
  // those that were not compared stay behind the last that was
  return found
    .map((one, i) => ({
      ...one,
      score: (one.score + MATCH_WORTH * (likenesses[i] ?? lowest)) / (1 + MATCH_WORTH),
    }))
    .sort((a, b) => b.score - a.score)
}
