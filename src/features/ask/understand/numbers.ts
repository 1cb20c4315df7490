/** Numbers as people write them: 12, 10k, 1.5m, 2 million, three. */
import type { Edge } from './chart.ts'

/** Amounts that are said without a number. */
const SAID: ReadonlyMap<string, number> = new Map([
  ['half a million', 5e5],
  ['a million', 1e6],
  ['a quarter million', 2.5e5],
  ['a hundred', 100],
  ['a thousand', 1e3],
  ['a hundred thousand', 1e5],
])
const named = <T>(...names: [names: string, value: T][]): ReadonlyMap<string, T> =>
  new Map(names.flatMap(([words, value]) => words.split(' ').map((word): [string, T] => [word, value])))
const SCALES = named(
  ['k thousand grand', 1e3],
  ['lakh lakhs', 1e5],
  ['m mn million', 1e6],
  ['crore crores', 1e7],
  ['b bn billion', 1e9],
)
/** Codes that are no words. */
const CODES = 'AUD NZD CAD SEK NOK DKK JPY CNY INR BRL MXN PLN CZK HUF SGD HKD ZAR AED THB KRW CLP'.split(' ')
const CURRENCIES = named(
  ['$ usd dollar dollars', 'USD'],
  ['€ eur euros euro', 'EUR'],
  ['£ gbp pounds pound sterling', 'GBP'],
  ['chf francs', 'CHF'],
  ...CODES.map((code): [string, string] => [code.toLowerCase(), code]),
)

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
type Words = ReadonlyMap<string, number>

function quantitiesAt(
  tokens: readonly string[],
  from: number,
  words: Words,
  dollar: string,
): Edge<Quantity>[] {
  const edge = (to: number, meaning: Quantity, cost: number) => [
    { category: 'Number', from, to, meaning, cost },
  ]
  for (const length of [3, 2]) {
    const phrase = tokens.slice(from, from + length)
    const value = phrase.length === length ? SAID.get(phrase.join(' ')) : undefined
    if (value !== undefined) return edge(from + length, { value, isMoney: value >= 1000 }, -0.2 * length)
  }
  let at = from
  const sign = currencyOf(tokens[at], dollar)
  if (sign) at++
  const plain = numberOf(tokens[at], words)
  if (plain === undefined) return []
  at++
  const hundreds = tokens[at] === 'hundred' ? 100 : 1
  if (hundreds > 1) at++
  const scale = SCALES.get(tokens[at] ?? '')
  if (scale !== undefined) at++
  const unit = currencyOf(tokens[at], dollar)
  if (unit) at++
  const currency = sign ?? unit
  // "180 m" may be metres
  const isLength = tokens[at - 1] === 'm' && currency === undefined
  const metres = isLength ? edge(at, { value: plain.value, isMoney: false }, 0.4) : []
  const value = plain.value * hundreds * (scale ?? 1)
  const meaning = {
    value,
    isMoney: currency !== undefined || plain.isScaled || scale !== undefined || value >= 1000,
    ...(scale === undefined ? {} : { scale }),
    ...(currency === undefined ? {} : { currency }),
  }
  return [...edge(at, meaning, -0.1 * (at - from)), ...metres]
}

function numberOf(token = '', words: Words): { value: number; isScaled: boolean } | undefined {
  const word = words.get(token)
  if (word !== undefined) return { value: word, isScaled: false }
  // 100.000 is a hundred thousand as many write it
  const plain = /^\d{1,3}(?:\.\d{3})+$/.test(token) ? token.replaceAll('.', '') : token
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)(k|m|mn|b|bn|%)?$/.exec(plain) ?? []
  if (digits === undefined) return undefined
  const scale = SCALES.get(suffix)
  return { value: Number(digits) * (scale ?? 1), isScaled: scale !== undefined }
}

export function currencyOf(token: string | undefined, dollar: string): string | undefined {
  const code = CURRENCIES.get(token ?? '')
  return code === 'USD' && token !== 'usd' ? dollar : code
}
