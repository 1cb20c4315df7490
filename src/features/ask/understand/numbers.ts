/** Numbers as people write them: 12, 10k, 1.5m, 2 million, three. */
import type { Edge } from './chart.ts'

/** Amounts that are said without a number. */
const SAID: ReadonlyMap<string, number> = new Map([
  ['half a million', 5e5],
  ['a quarter million', 2.5e5],
  ['quarter of a million', 2.5e5],
])
const named = <T>(...names: [names: string, value: T][]): ReadonlyMap<string, T> =>
  new Map(names.flatMap(([words, value]) => words.split(' ').map((word): [string, T] => [word, value])))
const SCALES = named(
  ['k thousand grand', 1e3],
  ['lakh lakhs', 1e5],
  ['m mn mln mio million', 1e6],
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
  ['¥ yen', 'JPY'],
  ...CODES.map((code): [string, string] => [code.toLowerCase(), code]),
)

export interface Quantity {
  value: number
  /** written with a scale or a currency, so it cannot be a number of records */
  isMoney: boolean
  /** what it was multiplied by, as in "20 thousand" */
  scale?: number
  currency?: string
  isPercent?: true
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
  for (const length of [4, 3]) {
    const phrase = tokens.slice(from, from + length)
    const value = phrase.length === length ? SAID.get(phrase.join(' ')) : undefined
    if (value !== undefined) return edge(from + length, { value, isMoney: true }, -0.2 * length)
  }
  const sign = currencyOf(tokens[from], dollar)
  return plainAt(tokens, sign ? from + 1 : from, words).flatMap(plain =>
    withUnits(tokens, from, plain, sign, dollar),
  )
}

/** A number with its scale and its currency. */
function withUnits(
  tokens: readonly string[],
  from: number,
  plain: Plain,
  sign: string | undefined,
  dollar: string,
): Edge<Quantity>[] {
  let at = plain.to
  const said = SCALES.get(tokens[at] ?? '')
  if (said !== undefined) at++
  const scale = said ?? plain.scale
  const unit = currencyOf(tokens[at], dollar)
  if (unit) at++
  const currency = sign ?? unit
  // "180 m" may be metres
  const isLength = tokens[at - 1] === 'm' && currency === undefined
  const edge = (meaning: Quantity, cost: number) => ({ category: 'Number', from, to: at, meaning, cost })
  const metres = isLength ? [edge({ value: plain.value, isMoney: false }, 0.4)] : []
  const value = plain.value * (plain.scale ?? 1) * (said ?? 1)
  const meaning = {
    value,
    isMoney: currency !== undefined || scale !== undefined || value >= 1000,
    ...(scale === undefined ? {} : { scale }),
    ...(currency === undefined ? {} : { currency }),
    ...(plain.isPercent ? { isPercent: true as const } : {}),
  }
  return [edge(meaning, -0.1 * (at - from)), ...metres]
}

/** A number without its scale, and where it ends. */
interface Plain {
  value: number
  scale?: number
  isPercent?: boolean
  to: number
}

/** "250", "twenty five", "a hundred", "two hundred and fifty"; "between two hundred and five" ends before "and", too. */
function plainAt(tokens: readonly string[], from: number, words: Words): Plain[] {
  const [token = '', next = ''] = tokens.slice(from)
  const isHundred = token === 'hundred'
  const isOne = isHundred || (token === 'a' && (next === 'hundred' || SCALES.has(next)))
  const first = isOne ? { value: 1 } : numberOf(token, words)
  if (!first) return []
  const unit = words.get(next) ?? 0
  const isTens = words.has(token) && first.value >= 20 && first.value % 10 === 0 && unit > 0 && unit < 10
  const value = isTens ? first.value + unit : first.value
  const to = isHundred ? from : isTens ? from + 2 : from + 1
  if (tokens[to] !== 'hundred') return [{ ...first, value, to }]
  const hundreds = { ...first, value: value * 100, to: to + 1 }
  const more =
    tokens[to + 1] === 'and' ? plainAt(tokens, to + 2, words).find(rest => rest.value < 100) : undefined
  return more ? [hundreds, { ...more, value: hundreds.value + more.value }] : [hundreds]
}

function numberOf(token = '', words: Words): Omit<Plain, 'to'> | undefined {
  const word = words.get(token)
  if (word !== undefined) return { value: word }
  // 100.000 is a hundred thousand as many write it
  const plain = /^\d{1,3}(?:\.\d{3})+$/.test(token) ? token.replaceAll('.', '') : token
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)(k|m|mn|b|bn|%)?$/.exec(plain) ?? []
  if (digits === undefined) return undefined
  const scale = SCALES.get(suffix)
  return { value: Number(digits), ...(scale === undefined ? {} : { scale }), isPercent: suffix === '%' }
}

export function currencyOf(token: string | undefined, dollar: string): string | undefined {
  const code = CURRENCIES.get(token ?? '')
  return code === 'USD' && token !== 'usd' ? dollar : code
}
