/** Numbers as people write them: 12, 10k, 1.5m, 2 million, three. */
import type { Edge } from './chart.ts'

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
}
const CURRENCIES: Record<string, string> = {
  $: 'USD',
  usd: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euros: 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pounds: 'GBP',
  chf: 'CHF',
  francs: 'CHF',
}

export interface Quantity {
  value: number
  /** written with a scale or a currency, so it cannot be a number of records */
  isMoney: boolean
}

export function numbersIn(tokens: readonly string[]): Edge<Quantity>[] {
  return tokens.flatMap((_, from) => quantitiesAt(tokens, from))
}

function quantitiesAt(tokens: readonly string[], from: number): Edge<Quantity>[] {
  let at = from
  const sign = isCurrency(tokens[at])
  if (sign) at++
  const plain = numberOf(tokens[at])
  if (plain === undefined) return []
  at++
  const scale = Object.hasOwn(SCALES, tokens[at] ?? '') ? SCALES[tokens[at] ?? ''] : undefined
  if (scale !== undefined) at++
  const unit = isCurrency(tokens[at])
  if (unit) at++
  return [
    {
      category: 'Number',
      from,
      to: at,
      meaning: {
        value: plain.value * (scale ?? 1),
        isMoney: sign || unit || plain.isScaled || scale !== undefined || plain.value >= 1000,
      },
      cost: -0.1 * (at - from),
    },
  ]
}

const isCurrency = (token: string | undefined) => token !== undefined && Object.hasOwn(CURRENCIES, token)

function numberOf(token: string | undefined): { value: number; isScaled: boolean } | undefined {
  if (token === undefined) return undefined
  const word = WORDS.indexOf(token)
  if (word >= 0) return { value: word, isScaled: false }
  const [, digits, scale] = /^(\d+(?:\.\d+)?)(k|m|mn|b|bn)?$/.exec(token) ?? []
  if (digits === undefined) return undefined
  return { value: Number(digits) * (scale ? (SCALES[scale] ?? 1) : 1), isScaled: scale !== undefined }
}

export const currencyOf = (token: string): string | undefined =>
  Object.hasOwn(CURRENCIES, token) ? CURRENCIES[token] : undefined
