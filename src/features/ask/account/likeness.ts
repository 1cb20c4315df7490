/** The account's fields and values that a phrase is like in meaning, by the vectors of the model of search: "ships" for the field "Fleet size". */
import { cosine } from '../../../ai/vectors.ts'
import { isLight } from '../understand/light.ts'
import { tokensOf } from '../understand/tokens.ts'
import type { AccountWords, Alike, DeclaredField, KnownValue } from './account-words.ts'
import { isCountry } from './countries.ts'

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
const TOLD = [
  'industry',
  'tag',
  'category',
  'deal_type',
  'lead_source',
  'lost_reason',
  'department',
  'country',
]
/** Values that are told to the parser although no phrase is much like them: "hanging scaffolds" for "Suspended". */
const MAX_NEAREST = 10

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
  const texts: Text[] = [...fields, ...values]
    .slice(0, MAX_TEXTS)
    .map(one => ({ ...one, words: tokensOf(one.text) }))
  if (phrases.length === 0 || texts.length === 0) return words
  const vectors = await remember([...new Set([...phrases, ...texts.map(({ text }) => text)])], embed)
  const scored = phrases.map(phrase => ({ phrase, scores: scoresOf(phrase, texts, vectors) }))
  const alike = new Map(scored.map(({ phrase, scores }) => [phrase, alikeTo(scores)]))
  return { ...words, alike: (phrase: string) => alike.get(phrase) ?? [], nearest: nearestOf(scored) }
}

type Text = { text: string; words: readonly string[]; field?: DeclaredField; value?: KnownValue }

function nearestOf(scored: readonly { scores: readonly Alike[] }[]): KnownValue[] {
  const best = new Map<KnownValue, number>()
  for (const { scores } of scored)
    for (const { value, score } of scores) if (value && score > (best.get(value) ?? 0)) best.set(value, score)
  return [...best]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_NEAREST)
    .map(([value]) => value)
}

function scoresOf(
  phrase: string,
  texts: readonly Text[],
  vectors: ReadonlyMap<string, Float32Array>,
): Alike[] {
  const own = vectors.get(phrase)
  if (!own) return []
  const said = tokensOf(phrase)
  // Austria is like Sweden, and never means it
  const isPlace = isCountry(phrase) || said.some(isCountry)
  return texts.map(({ text, words, ...of }) => {
    const other = vectors.get(text)
    const isOther = isOpposite(said, words) || (isPlace && of.value?.field === 'country')
    return { ...of, score: other && !isOther ? cosine(own, other) : 0 }
  })
}

const alikeTo = (scores: readonly Alike[]): Alike[] =>
  scores
    .filter(({ field, score }) => score >= (field ? MIN_FIELD : MIN_VALUE))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_ALIKE)

/** Words that differ only in their prefix are alike as vectors: "onshore" was read as the field "Offshore". */
const PREFIX = /^(?:on|off|in|out|im|ex|inter|exter|under|over|pre|post|up|down|non|un)(?=\p{L}{4})/u
const isOpposite = (said: readonly string[], words: readonly string[]): boolean =>
  said.some(word => {
    const stem = word.replace(PREFIX, '')
    return words.some(other => other !== word && (other.replace(PREFIX, '') === stem || stem === other))
  })

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
