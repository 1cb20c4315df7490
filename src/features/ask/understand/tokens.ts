/** A question as tokens: folded words, numbers and codes. */
import { fold } from '../../search/words.ts'
import { withCountries } from '../account/countries.ts'
import { lexiconOf } from '../lexicon/index.ts'

/** Longer questions are not read as queries; the chart takes about 20 ms for this many. */
export const MAX_TOKENS = 40

export function tokensOf(question: string): string[] {
  const tokens = split(question)
  const { valueWords } = lexiconOf(tokens)
  return tokens.map(token => valueWords.get(token) ?? token)
}

const DAYS: Readonly<Record<string, string>> = { first: '1st', second: '2nd', third: '3rd' }

const currencies = new Intl.DisplayNames(['en'], { type: 'currency' })
const CODES = new Map(
  Intl.supportedValuesOf('currency').map(code => [(currencies.of(code) ?? code).toLowerCase(), code]),
)
/** The last word of a currency's name is a common one: "dollars", "francs", "pounds". */
const CURRENCY =
  /\b\p{L}+ (?:dollar|pound|franc|krona|krone|peso|rupee|dinar|riyal|yen|yuan|rand|real|zloty)s?\b/giu

/** "US dollars" are a currency, and no country. */
const withCurrencies = (question: string): string =>
  question.replace(CURRENCY, name => CODES.get(name.toLowerCase().replace(/s$/, '')) ?? name)

/** 01.09.2026 and 01-09-2026 are days of September, as most of the world writes them. */
const isoDay = (_: string, day: string, month: string, year: string): string =>
  Number(month) > 12
    ? `${year}-${day.padStart(2, '0')}-${month.padStart(2, '0')}`
    : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

const split = (question: string): string[] =>
  fold(withCountries(withCurrencies(question)))
    // "do-not-contact": three words or more that are joined are a phrase
    .replace(/(?<![\p{L}\p{N}-])\p{L}+(?:-\p{L}+){2,}(?![\p{L}\p{N}-])/gu, phrase =>
      phrase.replaceAll('-', ' '),
    )
    .replace(/\bw\/(?:o|out)\b/g, 'without')
    .replace(/\bw\/ ?/g, 'with ')
    .replace(/\b(what|who|how|when|where)s\b/g, '$1')
    .replace(/\b(do|does|did|have|has|is|are|was|were|ca|wo|could|should|must)nt\b/g, '$1n t')
    .replace(
      /\b(first|second|third) of (?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/g,
      (_, day) => `${DAYS[day] ?? ''} of `,
    )
    .replace(/\b(should|could|would|must)['’]ve\b/g, '$1 have')
    .replace(/\b(\d{1,2})[.-](\d{1,2})[.-](20\d\d)\b/g, isoDay)
    .replace(/\b(?:a )?fortnight\b/g, '14 days')
    .replace(/\bcalend[ae]r (?=(?:day|week|month|quarter|year)s?\b)/g, '')
    .replace(/\bhalf an hour\b/g, '30 minutes')
    .replace(/\b(than|over|under) an hour\b/g, '$1 60 minutes')
    .replace(/(\d)[,'](?=\d{3}\b)/g, '$1')
    // "R250 000" and "Rs 400k" are amounts, "R410" is a code
    .replace(/\br ?(?=\d{4}|\d{1,3}[ ,]\d{3}|\d[\d.]* ?(?:[km]|thousand|million)\b)/g, 'zar ')
    .replace(/\brs\.? ?(?=\d)/g, 'inr ')
    // "500 000", but neither "2026 100" nor a phone number
    .replace(/(?<![\p{L}\p{N}+.-]|\d )[1-9]\d{0,2}(?:\s\d{3})+(?![\p{L}\p{N}.-]| \d)/gu, number =>
      number.replaceAll(/\s/g, ''),
    )
    // "R250,000" and "Rs 400k" are amounts, "R410" is a code
    .replace(/(\d) %/g, '$1%')
    .replace(/ty-(?=(?:one|two|three|four|five|six|seven|eight|nine)\b)/g, 'ty ')
    .replace(/['’`]s\b/g, ' ')
    .replace(/-(stage|phase)\b/g, ' $1')
    .replace(/[^\p{L}\p{N}\p{M}\s$€£¥%@.&+<>=-]/gu, ' ')
    .replace(/\.(?=\s|$)/g, ' ')
    .replace(/(\d[km]?)\+(?=\s|$)/g, '$1 +')
    .replace(/([<>]=?|=)/g, ' $1 ')
    .replace(/[$€£¥](?=\d)/g, match => ` ${match} `)
    .trim()
    .split(/\s+/)
    .filter(Boolean)
