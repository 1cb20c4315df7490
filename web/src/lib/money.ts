/** Amounts as people write them: 500, € 500, 1.234,50 EUR. */
import { parseNumber } from './numbers.ts'

/** Codes of ISO 4217, in alphabetical order. */
export const CURRENCIES: readonly string[] = Intl.supportedValuesOf('currency')

/** Signs of several currencies, such as $, are read as the record's own where it has that sign, else as these. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ '€': 'EUR', $: 'USD', US$: 'USD', '£': 'GBP', '¥': 'JPY', '₹': 'INR', '₩': 'KRW', '₺': 'TRY' },
  ...{ '₴': 'UAH', '₪': 'ILS', '₫': 'VND', '₱': 'PHP', '₦': 'NGN', '₽': 'RUB', R$: 'BRL', A$: 'AUD' },
  ...{ C$: 'CAD', CA$: 'CAD', NZ$: 'NZD', HK$: 'HKD', S$: 'SGD', ZŁ: 'PLN', KČ: 'CZK', FT: 'HUF' },
  ...{ FR: 'CHF', EURO: 'EUR', EUROS: 'EUR' },
}

export const signOf = (currency: string, locale: string): string | undefined =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(1)
    .find(({ type }) => type === 'currency')?.value

/** `$`, `EUR` and the like as a code; `own` is the currency of the record. */
function codeOf(mark: string, own: string | undefined, locale: string): string | undefined {
  const upper = mark.toUpperCase()
  if (CURRENCIES.includes(upper)) return upper
  if (own && CURRENCIES.includes(own) && signOf(own, locale) === mark) return own
  return Object.hasOwn(SIGNS, upper) ? SIGNS[upper] : undefined
}

const AMOUNT =
  /^(?<sign>[-−]?)\s*(?<before>[^\d\s.,'’−-]+)?\.?\s*(?<number>[-−]?(?:\d[\d\s.,'’]*|[.,]\d+))(?<after>[^\d\s.,'’−-]+)?\.?$/u

export interface Money {
  amount: number
  /** of the sign or code beside the number; absent without one */
  currency?: string
}

/** What the text says, or why it is no amount. */
export function parseMoney(text: string, own?: string, locale = navigator.language): Money | string {
  const { sign, before, number, after } = AMOUNT.exec(text.trim())?.groups ?? {}
  const amount = number === undefined ? undefined : parseNumber(`${sign}${number}`, locale)
  if (amount === undefined) return 'Write a number'
  const marks = [before, after].filter(mark => mark !== undefined)
  const codes = marks.map(mark => codeOf(mark, own, locale))
  const unknown = marks.find((_, index) => codes[index] === undefined)
  if (unknown) return `“${unknown}” is no currency: write the number alone, or with a code such as EUR`
  if (new Set(codes).size > 1) return 'Write one currency'
  return codes[0] ? { amount, currency: codes[0] } : { amount }
}
