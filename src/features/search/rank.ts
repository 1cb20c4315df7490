/** Merges the hits by words and by meaning into one ranking. */
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
  /** it contains the names in the question */
  hasNames?: boolean
  /** the question is the record's whole name, address, domain or number */
  exact: boolean
  /** the idf-weighted share of the question's words that it contains */
  share: number
  cosine: number
  matchedBy: MatchedBy
  /** 2: the question consists of the words of its name, in any order or misspelt; 1: of a person's and company's name */
  named: 0 | 1 | 2
}

/** A passage with a lower cosine is unrelated to the question. */
const MIN_COSINE = 0.08

/**
 * The bonus on the cosine of a passage that contains all words of the question; it falls with their share, to none
 * at `FEW`. Rank fusion is not used: it would weight both lists equally even if one of them found nothing.
 */
const MAX_WORD_BONUS = 0.35
const FEW = 0.4
const bonus = (share: number) => MAX_WORD_BONUS * (Math.max(0, share - FEW) / (1 - FEW)) ** 2

/** Lists of fields score high for every short question: written text ranks before them unless they match by keyword. */
const UNWRITTEN = 0.2

/** A question without its names, compared with passages. */
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
const NAMES_BONUS = 0.25

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
      const restCosine =
        about && holdsNames(passage, about.names) ? (about.cosines.get(passage.id) ?? 0) : undefined
      const share = hit?.share ?? 0
      const exact = hit?.exact ?? false
      // without a vector yet, half of the share counts as its cosine
      const score =
        Math.max((near ?? 0.5 * share) + bonus(share), restCosine === undefined ? 0 : NAMED + restCosine) -
        (passage.written ? 0 : UNWRITTEN * (1 - Math.min(1, share)))
      const named = share > 0 ? namedBy(passage, terms) : 0
      const matchedBy = reason(exact, share, near)
      return {
        passage,
        score,
        exact,
        named,
        share,
        cosine: near ?? 0,
        matchedBy,
        hasNames: restCosine !== undefined,
      }
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

/** How many of the best are compared with the question word by word, and the weight of that comparison. */
const REFINED = 25
const MATCH_WEIGHT = 2

/** Compares the best word by word: two vectors show that the subject is the same, not that the text has the answer. */
export async function refine(
  question: string,
  meaning: Meaning,
  ranked: readonly Found[],
  about?: About,
): Promise<Found[]> {
  // the question is the name of a record, which is first already
  const [top] = ranked
  if (!top || top.exact || top.named) return [...ranked]
  const best = ranked.slice(0, REFINED)
  const matches = await meaning.embedder
    .match?.(
      about?.rest ?? question,
      best.map(({ passage }) => withoutNames(embeddedText(passage), about?.words ?? NO_WORDS)),
    )
    .catch(() => undefined)
  if (!matches) return [...ranked]
  const likenesses = matches.map(match => match.likeness)
  const lowest = Math.min(...likenesses)
  // those that were not compared count as the least similar
  return ranked
    .map((one, i) => ({
      ...one,
      score:
        (one.score + MATCH_WEIGHT * (likenesses[i] ?? lowest)) / (1 + MATCH_WEIGHT) +
        (one.hasNames ? NAMES_BONUS : 0),
    }))
    .sort((a, b) => b.score - a.score)
}
