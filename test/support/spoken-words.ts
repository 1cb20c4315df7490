/**
 * Compares a transcript with the spoken sentence after bringing both to the same words: "25,000" for "twenty-five
 * thousand" is not an error. The speech bench and the tests use it.
 */

const SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: [number, string][] = [
  [1e9, 'billion'],
  [1e6, 'million'],
  [1000, 'thousand'],
  [100, 'hundred'],
]

function spoken(number: number): string {
  if (number < 20) return SMALL[number]!
  for (const [scale, name] of SCALES) {
    if (number < scale) continue
    const rest = number % scale
    return `${spoken(Math.floor(number / scale))} ${name}${rest > 0 ? ` ${spoken(rest)}` : ''}`
  }
  const rest = number % 10
  return `${TENS[Math.floor(number / 10) - 2]!}${rest > 0 ? ` ${SMALL[rest]!}` : ''}`
}

const HUNDRED_AND = new RegExp(
  `\\b(hundred|thousand|million) and (?=(?:${[...SMALL, ...TENS].join('|')})\\b)`,
  'g',
)

/** Only unambiguous contractions: "'s" and "'d" have several meanings. */
const SHORT_FORMS: Record<string, string> = {
  "'ll": ' will',
  "'re": ' are',
  "'ve": ' have',
  "i'm": 'i am',
  "let's": 'let us',
  "can't": 'can not',
  cannot: 'can not',
  "won't": 'will not',
  "n't": ' not',
}
const SHORT_FORM = new RegExp(`(${Object.keys(SHORT_FORMS).join('|')})\\b`, 'g')

const CURRENCIES: Record<string, string> = { $: 'dollars', '€': 'euros', '£': 'pounds' }
/** Spellings of the same word; other British endings stay as they are. */
const SPELLINGS: Record<string, string> = {
  'per cent': 'percent',
  'e mail': 'email',
  okay: 'ok',
  licence: 'license',
  summarise: 'summarize',
  'a m': 'am',
  'p m': 'pm',
}
const SPELLED = new RegExp(`\\b(${Object.keys(SPELLINGS).join('|')})\\b`, 'g')

/**
 * The normalised words of a text, in the manner of Whisper's English normaliser: lower case; numbers, amounts and full
 * hours as words; "we'll" as "we will"; hyphens and all signs but the apostrophe separate words; one spelling for what
 * has two. Nothing else is forgiven: names, endings, articles and words that run together count as errors.
 */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/([$€£])\s?(\d+)/g, (_, sign, number) => `${number} ${CURRENCIES[sign]}`)
    .replace(/(\d+)\s?%/g, '$1 percent')
    .replace(/\b(\d{1,2}):00\b/g, '$1')
    .replace(/\b([ap])\.m\b\.?/g, '$1m')
    .replace(/(\d)([ap]m)\b/g, '$1 $2')
    .replace(/\b\d{1,12}\b/g, digits => spoken(Number(digits)))
    .replace(HUNDRED_AND, '$1 ')
    .replace(SHORT_FORM, form => SHORT_FORMS[form]!)
    .replace(/[^a-z0-9' ]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(SPELLED, variant => SPELLINGS[variant]!)
    .split(' ')
    .filter(word => word !== '')

/** The number of wrong, missing and extra words (edit distance). */
export function errorsIn(wanted: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, i) => i)
  for (const [i, word] of wanted.entries()) {
    const next = [i + 1]
    for (let j = 0; j < heard.length; j++)
      next.push(Math.min(row[j]! + (word === heard[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row.at(-1)!
}
