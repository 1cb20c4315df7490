/** The account's fields and values that a phrase is like in meaning, by the vectors of the model of search: "ships" for the field "Fleet size". */
import { cosine } from '../../../ai/vectors.ts'
import { isLight } from '../understand/compose/cover.ts'
import { tokensOf } from '../understand/tokens.ts'
import type { AccountWords, Alike, DeclaredField, KnownValue } from './account-words.ts'

export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** Measured on fields of twelve accounts: what is meant lies above, most of what is not below. */
const MIN_FIELD = 0.38
const MIN_VALUE = 0.5
const MAX_ALIKE = 2
const MAX_PHRASES = 24
/** Texts of an account that are compared; each takes the model a few milliseconds, once. */
const MAX_TEXTS = 80
const MAX_CACHED = 4000
/** Vectors of two models are not comparable. */
const caches = new WeakMap<Embed, Map<string, Float32Array>>()

/** Columns whose values describe a record, and do not name it. */
const TOLD = ['industry', 'tag', 'category', 'deal_type', 'lead_source', 'lost_reason', 'department']

export async function withLikeness<Own extends AccountWords>(
  words: Own,
  question: string,
  embed: Embed,
): Promise<Own> {
  const phrases = phrasesIn(question)
  const fields = words.fields.map(field => ({ text: field.label, field }))
  const values = words.known
    .filter(
      ({ field, value }) => (TOLD.includes(field) || field.startsWith('cf.')) && !/^[\d:.T-]+$/.test(value),
    )
    .map(value => ({ text: value.value, value }))
  const texts: { text: string; field?: DeclaredField; value?: KnownValue }[] = [...fields, ...values].slice(
    0,
    MAX_TEXTS,
  )
  if (phrases.length === 0 || texts.length === 0) return words
  const vectors = await remember([...new Set([...phrases, ...texts.map(({ text }) => text)])], embed)
  const alike = new Map(phrases.map(phrase => [phrase, alikeTo(phrase, texts, vectors)]))
  return { ...words, alike: (phrase: string) => alike.get(phrase) ?? [] }
}

function alikeTo(
  phrase: string,
  texts: readonly { text: string; field?: DeclaredField; value?: KnownValue }[],
  vectors: ReadonlyMap<string, Float32Array>,
): Alike[] {
  const own = vectors.get(phrase)
  if (!own) return []
  const scored = texts.flatMap(({ text, field, value }): Alike[] => {
    const other = vectors.get(text)
    const score = other && !isOpposite(phrase, text) ? cosine(own, other) : 0
    if (field) return score >= MIN_FIELD ? [{ field, score }] : []
    return value && score >= MIN_VALUE ? [{ value, score }] : []
  })
  return scored.sort((a, b) => b.score - a.score).slice(0, MAX_ALIKE)
}

/** Words that differ only in their prefix are alike as vectors: "onshore" was read as the field "Offshore". */
const PREFIX = /^(?:on|off|in|out|im|ex|inter|exter|under|over|pre|post|up|down|non|un)(?=\p{L}{4})/u
export const isOpposite = (phrase: string, text: string): boolean => {
  const words = tokensOf(text)
  return tokensOf(phrase).some(word => {
    const stem = word.replace(PREFIX, '')
    return words.some(other => other !== word && (other.replace(PREFIX, '') === stem || stem === other))
  })
}

async function remember(texts: readonly string[], embed: Embed): Promise<ReadonlyMap<string, Float32Array>> {
  const cached = caches.get(embed) ?? new Map<string, Float32Array>()
  caches.set(embed, cached)
  const missing = texts.filter(text => !cached.has(text))
  const vectors = await embed(missing)
  if (cached.size > MAX_CACHED) cached.clear()
  for (const [i, text] of missing.entries()) {
    const vector = vectors[i]
    if (vector) cached.set(text, vector)
  }
  return cached
}

/** Words that tell something, alone and two together. */
function phrasesIn(question: string): string[] {
  const tokens = tokensOf(question)
  const isTelling = (word: string | undefined) =>
    word !== undefined && word.length > 2 && !isLight(word) && !/^\d/.test(word)
  const phrases = tokens.flatMap((token, i) => {
    const next = tokens[i + 1]
    if (!isTelling(token)) return []
    return isTelling(next) ? [token, `${token} ${next}`] : [token]
  })
  return [...new Set(phrases)].slice(0, MAX_PHRASES)
}
