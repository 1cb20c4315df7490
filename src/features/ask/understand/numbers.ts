/** Numbers as people write them: 12, 10k, 1.5m, 2 million, three. */
import type { Edge } from './chart.ts'

/** Amounts that are said without a number. */
const SAID: Readonly<Record<string, number>> = {
  'half a million': 5e5,
  'a million': 1e6,
  'a quarter million': 2.5e5,
  'a thousand': 1e3,
  'a hundred thousand': 1e5,
}
const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  grand: 1e3,
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
  dollar: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euros: 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pounds: 'GBP',
  pound: 'GBP',
  sterling: 'GBP',
  chf: 'CHF',
  francs: 'CHF',
  // codes that are no words
  ...Object.fromEntries(
    'AUD NZD CAD SEK NOK DKK JPY CNY INR BRL MXN PLN CZK HUF SGD HKD ZAR AED THB KRW CLP'
      .split(' ')
      .map(code => [code.toLowerCase(), code]),
  ),
}

export interface Quantity {
  value: number
  /** written with a scale or a currency, so it cannot be a number of records */
  isMoney: boolean
  /** what it was multiplied by, as in "20 thousand" */
  scale?: number
  currency?: string
}

/** `dollar`: what "dollars" are in the account. */
export function numbersIn(tokens: readonly string[], words: Words, dollar: string): Edge<Quantity>[] {
  return tokens.flatMap((_, from) => quantitiesAt(tokens, from, words, dollar))
}

/** Numbers in words. */
type Words = Readonly<Record<string, number>>

function quantitiesAt(
  tokens: readonly string[],
  from: number,
  words: Words,
  dollar: string,
): Edge<Quantity>[] {
  const said = [3, 2].map(length => [length, tokens.slice(from, from + length).join(' ')] as const)
  const [length, phrase] = said.find(([, text]) => Object.hasOwn(SAID, text)) ?? []
  if (length !== undefined && phrase !== undefined)
    return [
      {
        category: 'Number',
        from,
        to: from + length,
        meaning: { value: SAID[phrase] ?? 0, isMoney: true },
        cost: -0.2 * length,
      },
    ]
  let at = from
  const sign = currencyOf(tokens[at], dollar)
  if (sign) at++
  const plain = numberOf(tokens[at], words)
  if (plain === undefined) return []
  at++
  const scale = Object.hasOwn(SCALES, tokens[at] ?? '') ? SCALES[tokens[at] ?? ''] : undefined
  if (scale !== undefined) at++
  const unit = currencyOf(tokens[at], dollar)
  if (unit) at++
  const currency = sign ?? unit
  return [
    {
      category: 'Number',
      from,
      to: at,
      meaning: {
        value: plain.value * (scale ?? 1),
        isMoney: currency !== undefined || plain.isScaled || scale !== undefined || plain.value >= 1000,
        ...(scale === undefined ? {} : { scale }),
        ...(currency === undefined ? {} : { currency }),
      },
      cost: -0.1 * (at - from),
    },
  ]
}

function numberOf(token: string | undefined, words: Words): { value: number; isScaled: boolean } | undefined {
  if (token === undefined) return undefined
  const word = Object.hasOwn(words, token) ? words[token] : undefined
  if (word !== undefined) return { value: word, isScaled: false }
  // 100.000 is a hundred thousand as many write it
  const plain = /^\d{1,3}(?:\.\d{3})+$/.test(token) ? token.replaceAll('.', '') : token
  const [, digits, scale] = /^(\d+(?:\.\d+)?)(k|m|mn|b|bn|%)?$/.exec(plain) ?? []
  if (digits === undefined) return undefined
  const isScaled = scale !== undefined && scale !== '%'
  return { value: Number(digits) * (isScaled ? (SCALES[scale] ?? 1) : 1), isScaled }
}

export function currencyOf(token: string | undefined, dollar: string): string | undefined {
  const code = token !== undefined && Object.hasOwn(CURRENCIES, token) ? CURRENCIES[token] : undefined
  return code === 'USD' && token !== 'usd' ? dollar : code
}
