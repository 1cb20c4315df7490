/** The words and signs around the digits of a number: scales (`k`, `Mio`) and currencies (`€`, `USD`). */
import { isCurrencyCode } from './currency-codes.ts'

/** What a number column may contain besides digits. */
export type NumberStyle =
  /** sums of money: every scale, every currency */
  | 'money'
  /** counts and other plain numbers: scales that cannot be mistaken for a unit of measurement */
  | 'count'
  /** a share in percent, with or without its sign */
  | 'percent'
  /** digits alone: a duration of `5 m` is not five million */
  | 'digits'

const SCALES: Record<number, string> = {
  3: 'k tsd thsd thousand tausend mille',
  5: 'lakh lakhs lac lacs',
  6: 'm mm mio mill mln mn million millions millionen millón millones milione milioni miljoen miljon miljoner milhão milhões',
  7: 'crore crores',
  9: 'b bn billion billions mrd md mds mld mlrd mia milliarde milliarden milliard milliards miliardo miliardi miljard miljarder bilhão bilhões',
  12: 'tn trn trillion trillions bio billionen',
}

const EXPONENTS = new Map(
  Object.entries(SCALES).flatMap(([exponent, words]) =>
    words.split(' ').map(word => [word, Number(exponent)] as const),
  ),
)

/** 10⁹ and 10¹² in English, 10¹² and 10¹⁸ where decimals have a comma. */
const LONG_OR_SHORT = /^(?:b|tr)illions?$/

export type Scale = { exponent: number } | { problem: string }

/** `apart`: a blank is before the word, and no currency; `comma`: the number has a decimal comma. */
export function scaleOf(
  word: string,
  style: NumberStyle,
  context: { apart: boolean; comma: boolean },
): Scale {
  const key = word.toLowerCase().replace(/\.$/, '')
  const exponent = EXPONENTS.get(key)
  if (exponent === undefined || style === 'digits' || style === 'percent') {
    return { problem: `“${word}” is not a unit that this field takes` }
  }
  if (context.comma && LONG_OR_SHORT.test(key)) {
    return { problem: `“${word}” means different numbers in different languages` }
  }
  // 5 m may be metres, minutes or months; 5M and 5k are not.
  if (key.length === 1 && (context.apart || (style !== 'money' && !/^[kKM]$/.test(word)))) {
    return { problem: `“${word}” may be a unit of measurement` }
  }
  return { exponent }
}

/** Signs and abbreviations that belong to one currency. */
const SIGNS = new Map(
  Object.entries({
    '€': 'EUR',
    euro: 'EUR',
    euros: 'EUR',
    '£': 'GBP',
    '₹': 'INR',
    '₩': 'KRW',
    '₽': 'RUB',
    '₺': 'TRY',
    '₴': 'UAH',
    '₪': 'ILS',
    '₫': 'VND',
    '₦': 'NGN',
    '₱': 'PHP',
    '฿': 'THB',
    us$: 'USD',
    a$: 'AUD',
    au$: 'AUD',
    c$: 'CAD',
    ca$: 'CAD',
    nz$: 'NZD',
    hk$: 'HKD',
    s$: 'SGD',
    r$: 'BRL',
    mx$: 'MXN',
    zł: 'PLN',
    kč: 'CZK',
    ft: 'HUF',
    fr: 'CHF',
    sfr: 'CHF',
  }),
)

/** Signs of several currencies, with those that have them. */
const DOLLARS = 'USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD'
const SHARED_SIGNS = new Map(
  Object.entries({
    $: DOLLARS,
    dollar: DOLLARS,
    dollars: DOLLARS,
    '¥': 'JPY CNY',
    kr: 'SEK NOK DKK ISK',
    rs: 'INR PKR LKR NPR MUR',
  }),
)

export type Currency =
  /** by its code, or by a sign that only it has */
  | { code: string }
  /** by a sign that several have */
  | { sign: string; oneOf: string[] }

export function currencyOf(word: string): Currency | undefined {
  const key = word.toLowerCase().replace(/\.$/, '')
  const code = SIGNS.get(key)
  if (code !== undefined) return { code }
  const shared = SHARED_SIGNS.get(key)
  if (shared !== undefined) return { sign: word, oneOf: shared.split(' ') }
  return /^[A-Za-z]{3}$/.test(word) && isCurrencyCode(word) ? { code: word.toUpperCase() } : undefined
}

/** The currency of a sign in an account with this currency; undefined where it is ambiguous. */
export function codeOf(currency: Currency, ofAccount: string): string | undefined {
  if ('code' in currency) return currency.code
  if (currency.oneOf.includes(ofAccount)) return ofAccount
  return currency.oneOf[0] === 'USD' ? 'USD' : undefined
}

/** Whether an amount with this sign can be in the currency that another column names. */
export const isOf = (currency: Currency, code: string): boolean =>
  'code' in currency ? currency.code === code : currency.oneOf.includes(code)
