/** Splits records into passages, short enough for the model and for an answer, and lists the words of each. */
import { createHash } from 'node:crypto'
import type { RecordText } from './sources/index.ts'
import { bareDomain, fold, identifiersIn, MAX_WORD, phoneWords, STOP_WORDS, wordsOf } from './words.ts'

export interface Passage {
  part: number
  name: string
  body: string
  context: string
  /** written by a person; otherwise composed of fields */
  written: boolean
  /** word → weight */
  words: Map<string, number>
  hash: Buffer
}

/** The weight of a word depends on the field it is in. */
export const WEIGHTS = { identity: 9, name: 4, context: 3, body: 2 } as const

/** The model reads 256 tokens, which is a little more than this. */
const PIECE = 700
const MAX_PIECES = 200
const MAX_CONTEXT = 500

export function passagesOf(record: RecordText): Passage[] {
  const name = record.name.slice(0, 300)
  const context = contextOf(record).slice(0, MAX_CONTEXT)
  const facts = record.facts.join('. ').slice(0, 2000)
  // texts have passages of their own: among labels and values the embedding of a sentence is lost
  const textPieces = record.texts.flatMap(cut).map(body => ({ body, written: true }))
  const pieces =
    facts !== '' || textPieces.length === 0
      ? [{ body: facts || name, written: false }, ...textPieces]
      : textPieces
  return pieces.slice(0, MAX_PIECES).map(({ body, written }, part) => {
    const words = countWords(record, name, body, context, part === 0)
    const hash = createHash('sha256')
      .update(JSON.stringify([name, body, context, written, [...words]]))
      .digest()
    return { part, name, body, context, written, words, hash }
  })
}

/** The linked records; on a second line, the records that those belong to. */
function contextOf({ context, around = [] }: RecordText): string {
  const linkedNames = new Set(context)
  return [[...linkedNames], around.filter(name => !linkedNames.has(name))]
    .filter(names => names.length > 0)
    .map(names => names.join(' · '))
    .join('\n')
}

/** Splits at paragraphs, then at sentences, then anywhere. Markdown is removed, because snippets are plain text. */
export function cut(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const sentence of sentencesOf(plain(text))) {
    if (piece !== '' && piece.length + sentence.length > PIECE) {
      pieces.push(piece)
      piece = ''
    }
    piece = piece === '' ? sentence : `${piece} ${sentence}`
    while (piece.length > PIECE * 1.4) {
      pieces.push(piece.slice(0, PIECE))
      piece = piece.slice(PIECE)
    }
    if (pieces.length > MAX_PIECES) return pieces
  }
  return piece === '' ? pieces : [...pieces, piece]
}

const plain = (markdown: string) =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+)/gm, '')
    .replace(/[*_`~]{2,}|`/g, '')

export function sentencesOf(text: string): string[] {
  return text
    .split(/\n\s*\n|\n|(?<=[.!?…。！？])\s+(?=[\p{Lu}\p{N}"“(\p{Lo}])/u)
    .map(sentence => sentence.replace(/\s+/g, ' ').trim())
    .filter(sentence => sentence !== '')
}

function countWords(
  record: RecordText,
  name: string,
  body: string,
  context: string,
  whole: boolean,
): Map<string, number> {
  const words = new Map<string, number>()
  const add = (word: string, weight: number) => {
    if (word !== '' && word.length <= MAX_WORD + 1 && (words.get(word) ?? 0) < weight) words.set(word, weight)
  }
  for (const text of [body, context]) {
    const weight = text === body ? WEIGHTS.body : WEIGHTS.context
    for (const word of wordsOf(text)) if (!STOP_WORDS.has(word)) add(word, weight)
    for (const identifier of identifiersIn(text)) add(identifier, weight)
  }
  for (const word of wordsOf(name)) add(word, WEIGHTS.name)
  for (const code of identifiersIn(name)) add(code, WEIGHTS.name)
  if (!whole) return words
  for (const identity of record.identities) {
    add(`=${identityKey(identity)}`, WEIGHTS.identity)
    add(`=${typedKey(identity)}`, WEIGHTS.identity)
    // a word of an address is less specific than a word of a name
    const weight = identity === record.name ? WEIGHTS.name : WEIGHTS.context
    for (const word of [...identifiersIn(identity), ...wordsOf(identity)]) add(word, weight)
  }
  for (const phone of record.phones) {
    for (const digits of phoneWords(phone)) add(`=${digits}`, WEIGHTS.identity)
  }
  return words
}

/** A name as people type it, without dashes, commas and brackets: "Salmon lane Bodø–Boulogne". */
const typedKey = (name: string): string =>
  fold(name)
    .replace(/['’`]s\b/g, ' ')
    .replace(/[^\p{L}\p{N}\p{M}\s$€£¥%@.&+<>=-]|\.(?=\s|$)/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORD)

/** The URL of a profile identifies a person by its path, any other URL by its domain. */
const PROFILE =
  /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?((?:linkedin|twitter|x|facebook|instagram)\.com\/[^\s?#]+?)\/*(?:[?#].*)?$/

/** A whole name or address, normalised for comparison: single spaces, and only the domain of a URL. */
export function identityKey(text: string): string {
  const folded = fold(text).replace(/\s+/g, ' ').trim()
  const profile = PROFILE.exec(folded)?.[1]
  const key = profile ?? (/^(https?:\/\/|www\.)/.test(folded) ? bareDomain(folded) : folded)
  return key.slice(0, MAX_WORD)
}
