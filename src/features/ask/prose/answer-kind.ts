/**
 * What an answer must hold whatever else it says: who asks how many wants a number of them, who asks when wants a time,
 * and "their bank has approved it" does not tell which bank it is.
 */
import { namesNothing } from '../../search/names.ts'
import { sentencesOf } from '../../search/passages.ts'
import { fold } from '../../search/words.ts'

interface Kind {
  asked: RegExp
  isTold(text: string, question: string): boolean
}

/** Beside the numbers that the question has itself: "what do they charge for ten thousand". */
const holds = (pattern: RegExp) => (text: string, question: string) => {
  const given = new Set(question.toLowerCase().match(NUMBER_WORDS))
  const told = text.toLowerCase().replace(NUMBER_WORDS, number => (given.has(number) ? '' : number))
  return pattern.test(told)
}
const NUMBER_WORDS = /\d[\d.,]*|\b(?:ten|hundred|thousand|million)\b/g

const NUMBERS =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|sixty|hundred|thousand|million|half|third|quarter|twice|both|couple|single|first|second)\b/
const TIMES =
  /\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|christmas|easter|today|tomorrow|tonight|yesterday|(?:day|week|month|quarter|year)s?|q[1-4]|mornings?|noon|evenings?|nights?|soon|after|before|until|when|once)\b/
/** A percentage or a temperature is no sum of money; a bare number may be one when it is large or is for something. */
const MONEY =
  /[€$£¥₹] ?\d|\d ?[€$£¥₹]|\d ?(?:k|mn?|thousand|million|euros?|eur|usd|dollars?|pounds?|gbp|chf|francs?|cents?|kr|sek|nok|dkk|pln|per|an?|each)\b|\d[.,]\d{3}\b|\d{4}|\b(?:hundred|thousand|million)\b/
/** Those that go by a name of their own; a customer or a company may be the one that the text hangs on. */
const ORGANIZATIONS =
  'bank|insurer|newspaper|magazine|school|university|college|agency|brand|manufacturer|maker|supplier|vendor|rival|competitor|carrier|provider|broker|hotel|restaurant|airline|law firm|lawyer|auditor|consultant|consultancy|publisher|forwarder|contractor|chain|ship|vessel|plumber|electrician|architect|photographer|printer|caterer|museum|hospital|airport|city|town|street'

const KINDS: Kind[] = [
  {
    asked: new RegExp(
      `\\b(?:which|what) (?:[\\p{L}-]+ ){0,2}(?:${ORGANIZATIONS})\\b|\\bnames? of\\b|\\bwho (?:made|manufactured|built|designed)\\b`,
      'u',
    ),
    isTold: namesSomething,
  },
  {
    asked:
      /\b(?:how much|what (?:do|does|did|will|would)\b(?!.*\bpay for\W*$))\b.*\b(?:pays?|paid|costs?|spend|spent|charged?|earns?|rent)\b|\b(?:what|which) (?:price|rent|fee|salary|wage)\b/,
    isTold: holds(MONEY),
  },
  // a number that names, not one that counts
  {
    asked: /\bwhat (?:is|was)\b.* (?!(?:the|a|our|total|average|right) )\p{L}+ number\b/u,
    isTold: holds(/\d/),
  },
  {
    asked:
      /\bhow (?:many|much|long|old|tall|far|big|often|large|high|fast)\b|\bwhat (?:time|price|percentage|amount|number)\b/,
    isTold: holds(NUMBERS),
  },
  { asked: /\bwhen (?:is|are|was|were|do|does|did|will|can|should|has|have)\b/, isTold: holds(TIMES) },
]

const COUNTED =
  /\bhow many ((?:[\p{L}-]+ ){0,2}?[\p{L}-]+)(?= (?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|may|of|in|at|on|for|to|from|with)\b|\W*$)/u
/** How near to what is to be counted the text must come: litres are not metres. */
const MIN_LIKENESS = 0.6

const VERB =
  '(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|shall|may|must)(?:n.?t)?'
const ASKED = new RegExp(`\\b(?:which|what) ((?:[\\p{L}-]+ ){0,2}?[\\p{L}-]+) ${VERB}\\b`, 'u')

/** Who asks which start-up somebody joins is not told by "joins a start-up". */
function isLeftOpen(question: string, text: string): boolean {
  const thing = ASKED.exec(question.toLowerCase())?.[1]
  if (thing === undefined || new RegExp(`^${VERB}$`).test(thing)) return false
  const some = new RegExp(
    `\\b(?:an?|another|some) ${thing}\\b(?! (?:of|called|named|with|from|in|for|that|which|who)\\b)`,
    'iu',
  )
  const said = sentencesOf(text).filter(sentence => sentence.toLowerCase().includes(thing))
  return said.length > 0 && said.every(sentence => some.test(sentence) && !namesSomething(sentence, question))
}

/** Whether a text may answer at all. `words`: how near it comes to each word of the question. */
export function isOfKind(question: string, text: string, words: ReadonlyMap<string, number>): boolean {
  const asked = question.toLowerCase()
  const kind = KINDS.find(one => one.asked.test(asked))
  if (kind && !kind.isTold(text, question)) return false
  if (isLeftOpen(question, text)) return false
  const counted = (COUNTED.exec(asked)?.[1] ?? '').split(' ').flatMap(word => words.get(word) ?? [])
  return counted.length === 0 || counted.reduce((sum, word) => sum + word, 0) / counted.length >= MIN_LIKENESS
}

/** A name that the question does not have itself. At the beginning of a sentence, or after a label, any word has a capital. */
function namesSomething(text: string, question: string): boolean {
  const asked = new Set(fold(question).match(/[\p{L}\p{N}]+/gu))
  return sentencesOf(text.replace(/: +/g, '.\n')).some(sentence =>
    (sentence.match(/[\p{L}\p{N}]+/gu) ?? [])
      .slice(1)
      .some(word => /^\p{Lu}./u.test(word) && !namesNothing(word) && !asked.has(fold(word))),
  )
}
