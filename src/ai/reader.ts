/** A model that reads a passage and marks the words that answer a question, or says that they are not there. */
import { at } from '../lib/values.ts'

export interface Reading {
  /** by how much the best words beat "not here"; below 0 the passage hardly answers */
  margin: number
  /** the best words, as they stand in the text */
  words: string
  /** where they begin in the text */
  start: number
}

/** What the model returns of a question and a text. */
export interface Marks {
  /** word pieces of question and text; `##` marks those that continue a word */
  pieces: readonly string[]
  /** the first piece of the text */
  first: number
  /** how well each piece begins and ends the answer; piece 0 stands for "not here" */
  starts: readonly number[]
  ends: readonly number[]
}

/** Longer answers are rarely one: nine of ten in the training data have at most 12 pieces. */
const MAX_PIECES = 24
/** Beginnings that are tried; the best pair is among them. */
const TRIED = 12

export function readingOf(text: string, { pieces, first, starts, ends }: Marks): Reading {
  const last = pieces.length - 1
  const begins = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
    .sort((a, b) => at(starts, b) - at(starts, a))
    .slice(0, TRIED)
  let best = { sum: -Infinity, from: first, to: first }
  for (const from of begins) {
    for (let to = from; to < Math.min(from + MAX_PIECES, last); to++) {
      const sum = at(starts, from) + at(ends, to)
      if (sum > best.sum) best = { sum, from, to }
    }
  }
  const places = placesOf(text, pieces.slice(first, last))
  const start = places[best.from - first]?.start ?? 0
  const end = places[best.to - first]?.end ?? start
  return { margin: best.sum - at(starts, 0) - at(ends, 0), words: text.slice(start, end), start }
}

interface Place {
  start: number
  end: number
}

/** Where each piece stands in the text. The pieces are in lower case and without accents, so the text is folded first. */
function placesOf(text: string, pieces: readonly string[]): Place[] {
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
    const found = folded.indexOf(plain, from)
    // an unknown word ([UNK]) has no place: it takes that of the piece before it
    if (found < 0) return { start: origins[from] ?? text.length, end: origins[from] ?? text.length }
    from = found + plain.length
    return { start: at(origins, found), end: at(origins, from) }
  })
}
