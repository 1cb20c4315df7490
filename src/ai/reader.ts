/** A model that finds whether a passage answers a question, with which words, and where that is asked, with yes or no. */
import { at } from '../lib/values.ts'

export interface Reading {
  /** the score of "the passage answers it" minus that of "it does not" */
  margin: number
  /** its best answer is yes or no, not words */
  isYesNo: boolean
  /** the score of yes minus that of no */
  yes: number
  /** the best words, verbatim; of a question that is answered with yes or no they mean nothing */
  words: string
  /** their position in the text */
  start: number
}

/** The output of the model for a question and a text. */
export interface Marks {
  /** word pieces of question and text; `##` marks those that continue a word */
  pieces: readonly string[]
  /** the first piece of the text */
  first: number
  /** how well each piece begins and ends the answer; piece 0 means "no answer" */
  starts: readonly number[]
  ends: readonly number[]
  /** how well the passage answers: not at all, with words, with yes, with no */
  kinds: readonly number[]
}

/** Longer answers are rare: nine of ten in the training data have at most 12 pieces. */
const MAX_PIECES = 24
/** Only the ends after the best beginnings are compared. */
const MAX_BEGINNINGS = 12

export function readingOf(text: string, { pieces, first, starts, ends, kinds }: Marks): Reading {
  const last = pieces.length - 1
  const beginnings = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
    .sort((a, b) => at(starts, b) - at(starts, a))
    .slice(0, MAX_BEGINNINGS)
  let best = { sum: -Infinity, from: first, to: first }
  for (const from of beginnings) {
    for (let to = from; to < Math.min(from + MAX_PIECES, last); to++) {
      const sum = at(starts, from) + at(ends, to)
      if (sum > best.sum) best = { sum, from, to }
    }
  }
  const ranges = rangesOf(text, pieces.slice(first, last))
  const start = ranges[best.from - first]?.start ?? 0
  const end = ranges[best.to - first]?.end ?? start
  const [none = 0, inWords = 0, yes = 0, no = 0] = kinds
  const margin = Math.log(Math.exp(inWords) + Math.exp(yes) + Math.exp(no)) - none
  return { margin, isYesNo: Math.max(yes, no) > inWords, yes: yes - no, words: text.slice(start, end), start }
}

interface Range {
  start: number
  end: number
}

/** The range of each piece in the text. Pieces are in lower case and without accents, so the text is folded first. */
function rangesOf(text: string, pieces: readonly string[]): Range[] {
  let folded = ''
  const origins: number[] = []
  let index = 0
  for (const character of text) {
    const plain = character
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
    folded += plain
    for (let i = 0; i < plain.length; i++) origins.push(index)
    index += character.length
  }
  origins.push(text.length)
  let from = 0
  return pieces.map(piece => {
    const plain = piece.startsWith('##') ? piece.slice(2) : piece
    const match = folded.indexOf(plain, from)
    // an unknown word ([UNK]) gets an empty range after the previous piece
    if (match < 0) return { start: origins[from] ?? text.length, end: origins[from] ?? text.length }
    from = match + plain.length
    return { start: at(origins, match), end: at(origins, from) }
  })
}
