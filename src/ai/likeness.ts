/** Compares two texts word by word, by the model's vectors of each word in its context. */
import { at } from '../lib/values.ts'
import type { Match } from './embedder.ts'
import { cosine } from './vectors.ts'

export interface Tokens {
  /** word pieces; `##` marks those that continue a word */
  names: string[]
  /** unit vectors, one for each piece */
  vectors: Float32Array[]
}

const STOP_WORDS = new Set(
  `[CLS] [SEP] a an and are as at be been but by can could did do does for from had has have he her him his how i if in
  into is it its just me my of on or our she so such than that the their them then there these they this those to us was
  we were what when where which while who whom whose why will with would you your ? . , ; ! : " - ' s`.split(
    /\s+/,
  ),
)

interface Word {
  text: string
  vectors: Float32Array[]
}

export interface Words {
  /** the words that are not stop words */
  content: Word[]
  stems: ReadonlySet<string>
  /** of every piece, stop words included */
  vectors: Float32Array[]
}

export function wordsOf({ names, vectors }: Tokens): Words {
  const words: Word[] = []
  const all: Float32Array[] = []
  for (const [i, vector] of vectors.entries()) {
    const name = at(names, i)
    if (name === '[CLS]' || name === '[SEP]') continue
    all.push(vector)
    const last = words.at(-1)
    if (name.startsWith('##') && last) {
      last.text += name.slice(2)
      last.vectors.push(vector)
    } else words.push({ text: name, vectors: [vector] })
  }
  const content = words.filter(word => !STOP_WORDS.has(word.text))
  return { content, stems: new Set(content.map(word => stem(word.text))), vectors: all }
}

const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ings?|ed|ers?|es|s)$/, '') : word)

export function matchOf(question: Words, text: Words): Match {
  const questionWords = question.content.map(word => ({
    text: word.text,
    likeness: mean(word.vectors.map(vector => nearest(vector, text.vectors))),
    occurs: text.stems.has(stem(word.text)),
  }))
  const words = new Map(questionWords.map(word => [word.text, word.likeness]))
  if (questionWords.length === 0 || text.vectors.length === 0) return { likeness: 0, unsaid: 0, words }
  const questionVectors = question.content.flatMap(word => word.vectors)
  const textLikenesses = text.content
    .flatMap(word => word.vectors)
    .map(vector => nearest(vector, questionVectors))
  const unsaid = questionWords.filter(word => !word.occurs)
  return {
    likeness: (mean(questionWords.map(word => word.likeness)) + mean(textLikenesses)) / 2,
    unsaid: unsaid.length === 0 ? 1 : mean(unsaid.map(word => word.likeness)),
    words,
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1)

function nearest(vector: Float32Array, others: readonly Float32Array[]): number {
  let best = -1
  for (const other of others) {
    const likeness = cosine(vector, other)
    if (likeness > best) best = likeness
  }
  return best
}
