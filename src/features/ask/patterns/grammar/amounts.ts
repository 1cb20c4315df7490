/** Comparisons with numbers in a question: "over 10,000", "between 5k and 1.5m", "at least 3". */

export interface Comparison {
  op: '>' | '>=' | '<' | '<=' | '='
  value: number
}

export interface AmountFound {
  comparisons: Comparison[]
  currency: string | undefined
  /** where in the question it stood */
  before: string
  after: string
  rest: string
}

const SIGNS: Record<string, string> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' }
const WORDS: Record<string, string> = {
  dollar: 'USD',
  euro: 'EUR',
  pound: 'GBP',
  usd: 'USD',
  eur: 'EUR',
  gbp: 'GBP',
  chf: 'CHF',
  jpy: 'JPY',
  yen: 'JPY',
}
const NUMBER = `(?:[$€£¥] ?)?\\d[\\d,]*(?:\\.\\d+)?(?: ?(?:k|m|mio|thousand|million|bn|billion))?(?: ?%)?(?: (?:dollars?|euros?|pounds?|usd|eur|gbp|chf|jpy|yen))?`

function amountOf(text: string): number {
  const number = Number(/[\d,]*\.?\d+/.exec(text.replaceAll(',', ''))![0])
  const scale = /\d ?(k|thousand)\b/.test(text)
    ? 1e3
    : /\d ?(m|mio|million)\b/.test(text)
      ? 1e6
      : /\d ?(bn|billion)\b/.test(text)
        ? 1e9
        : 1
  return number * scale
}

const currencyOf = (text: string): string | undefined =>
  SIGNS[/[$€£¥]/.exec(text)?.[0] ?? ''] ?? WORDS[/[a-z]+$/.exec(text)?.[0]?.replace(/s$/, '') ?? '']

const RULES: [pattern: string, ops: Comparison['op'][]][] = [
  [`between (${NUMBER}) and (${NUMBER})`, ['>=', '<=']],
  [`from (${NUMBER}) to (${NUMBER})`, ['>=', '<=']],
  [`(?:at least|no less than|not less than|minimum(?: of)?|>=|from|starting at) (${NUMBER})`, ['>=']],
  [`(${NUMBER}) or (?:more|above|higher|greater|larger|over)`, ['>=']],
  [`(?:at most|no more than|not more than|up to|maximum(?: of)?|<=) (${NUMBER})`, ['<=']],
  [`(${NUMBER}) or (?:less|below|lower|under|fewer|smaller)`, ['<=']],
  [
    `(?:over|above|more than|greater than|larger than|bigger than|higher than|exceeding|exceeds?|beyond|longer than|north of|upwards of|in excess of|>) (${NUMBER})`,
    ['>'],
  ],
  [`(?:under|below|south of|shorter than|less than|smaller than|lower than|fewer than|<) (${NUMBER})`, ['<']],
  [`(?:exactly|equal to|equals|of exactly|=) (${NUMBER})`, ['=']],
  [`(?:worth|valued at|amount of|amount) (${NUMBER})`, ['=']],
]

export function amountIn(question: string): AmountFound | undefined {
  for (const [pattern, ops] of RULES) {
    const match = new RegExp(`(?<= )${pattern}(?= )`).exec(question)
    if (!match) continue
    const numbers = match.slice(1).filter(part => part !== undefined)
    return {
      comparisons: numbers.map((number, i) => ({ op: ops[i]!, value: amountOf(number) })),
      currency: numbers.map(currencyOf).find(code => code !== undefined),
      before: question.slice(0, match.index),
      after: question.slice(match.index + match[0].length),
      rest: question.replace(match[0], '¤'),
    }
  }
  return undefined
}
