/**
 * Ways to say the same → the one that the grammar reads. What the question names of the account has been taken out
 * before (`¤`), so a deal called "Just in time" keeps its name.
 */
import { ACTIVITY_WORDS } from './activity-words.ts'
import { CLOSINGS } from './closings.ts'
import { COLLOQUIAL, type Rewrite } from './colloquial.ts'
import { REPORTS } from './report-phrases.ts'
import { SALES } from './sales-phrases.ts'

/** Courtesy, and words that narrow nothing. */
const IDLE = [
  'please|pls|plz|kindly|thanks|thank you|thx',
  '(?:hey|hi|hello)(?: there)?|(?:a )?quick question|just curious|curious',
  '(?:can|could|would|will) (?:you|u)(?: (?:please|kindly|just|quickly))*(?: (?:tell|remind) me| let me know| say| check)?',
  '(?:do|would) you (?:happen to )?know|any idea|remind me|let me know|tell me|i (?:was|am|m) wondering|i wonder(?:ed)?',
  '(?:i (?:would|d) like|i want|i need|i d love|we need|we want|need|want) to (?:know|find out|understand|check)',
  'right now|at the moment|at this (?:moment|point|time)|at present|as of (?:today|now)|as we speak|these days|nowadays',
  'all in all|all told|all together|together|in all|(?<!(?:year|month|quarter|week) )to date|so far|ever|actually|if any|if possible',
  'on file|on record|on (?:our|the) books|in (?:the|our|my) (?:crm|system|database|records|data|kith)|for (?:me|us)|(?:(?:on|in) (?:the|our|my) (?:sales )?team|(?:of|among) us)(?= (?:has|have|owns?|closed|won|sold|lost|made))',
]
const SHOW =
  '(?:i (?:would|d) like|i want|i need|i d love|let me|need|want)(?: to)? (?:see|have|get|view|look at)|i (?:am|m) looking for|pull up|bring up|get me|give me|gimme|show me|send me|find me|print|display|enumerate|(?:a |the )?(?:break ?down|split|distribution|breakdown) of|break down|i need (?=all|the|a list)|(?:a |the )?(?:list|overview|summary) of'

/** Nobody is there for it. */
const NOBODY =
  'unassigned|unowned|ownerless|(?:that (?:are|is) |(?:are|is) )?not (?:yet )?(?:assigned|owned)(?: (?:to|by) (?:anyone|anybody|someone|a person|any rep)|(?! (?:by|to) ))|(?:that |which )?(?:nobody|no one|no-one|noone) (?:is )?(?:owns?|assigned(?: to)?|responsible(?: for)?|looks? after|takes? care of|works? on|handles?)|(?:with|has|have|having) (?:nobody|no one|no-one)(?: (?:is )?(?:assigned|responsible|in charge|on (?:it|them|the case)))?|(?:assigned to|owned by) (?:nobody|no one|no-one)|does (?:nobody|no one) own|without (?:anyone|anybody|somebody|someone)(?: (?:assigned|responsible|in charge))?'

const FIGURES: Record<string, [number, number]> = {
  four: [1e3, 1e4],
  five: [1e4, 1e5],
  six: [1e5, 1e6],
  seven: [1e6, 1e7],
  eight: [1e7, 1e8],
}
const SMALL = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const TENS = 'ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const wordValue = (word: string): number =>
  word === 'hundred' || word === 'a hundred' || word === 'one hundred'
    ? 100
    : SMALL.includes(word)
      ? SMALL.indexOf(word) + 1
      : (TENS.indexOf(word) + 1) * 10

const AMOUNTS: Rewrite[] = [
  // 50.000: three figures behind the point are thousands
  ['([$€£]?\\d{1,3})\\.(\\d{3})', (thousands, rest) => `${thousands}${rest}`],
  ['half a million|half a mil|half a m', '500000'],
  ['(?:a )?quarter of a million|(?:a )?quarter million', '250000'],
  ['(?:a|one) million', '1000000'],
  [
    `((?:a |one )?hundred|${[...SMALL, ...TENS].join('|')}) (thousand|million|grand|k)`,
    (number, scale) => String(wordValue(number!) * (scale === 'million' ? 1e6 : 1e3)),
  ],
  [
    `(more than|over|at least|fewer than|less than|under|up to|at most|exactly|no more than) (${SMALL.join('|')})`,
    (than, number) => `${than} ${wordValue(number!)}`,
  ],
  ['(\\d+(?:\\.\\d+)?) ?grand', number => `${number}k`],
  [
    '(?:in (?:the )?)?(four|five|six|seven|eight)[- ]figures?',
    size => `from ${FIGURES[size!]![0]} to ${FIGURES[size!]![1] - 0.01}`,
  ],
  ['([$€£]?\\d[\\d.]*(?:k|m)?)(?:\\+| plus)', number => `at least ${number}`],
  [
    '(from|between) ([$€£]?\\d{1,3}) (to|and) (\\d{1,3}) ?(k|m|thousand|million)',
    (from, low, to, high, scale) =>
      Number(low!.replace(/\D/g, '')) < Number(high)
        ? `${from} ${low} ${scale} ${to} ${high} ${scale}`
        : `${from} ${low} ${to} ${high} ${scale}`,
  ],
]

const OTHERS: Rewrite[] = [
  ...SALES,
  ...REPORTS,
  ...ACTIVITY_WORDS,
  ...COLLOQUIAL,
  [SHOW, 'show'],
  [
    '(?:win|hit|strike|success|close|closing|conversion|winning)[- ](?:rate|ratio|percentage|quota)',
    'win rate',
  ],
  ['in total', 'total'],
  [NOBODY, 'without owner'],
  [
    'open for (?:(?:more than|over|at least|longer than) )?(\\S+ (?:day|week|month|quarter|year)s?)',
    age => `open created more than ${age} ago`,
  ],
  ['older than (\\S+ (?:day|week|month|quarter|year)s?)', age => `created more than ${age} ago`],
  ['(?:more than|over) (\\S+ (?:day|week|month|quarter|year)s?) old', age => `created more than ${age} ago`],
  ['what (?:should|must|do|shall) i (?:have to do|need to do|do)', 'what do i have'],
  ['(tasks?|to-?dos?|meetings?|calls?|activities) for me', what => `${what} assigned to me`],
  ['(did|have|has) (we|i|¤) open(?:ed)?', (a, b) => `${a} ${b} created`],
  ['(did|have|has|do) (we|i|you|they|¤) loose', (a, b) => `${a} ${b} lose`],
  ['how (?:big|large) is (?:our|the) (¤|customer|client|contact) (?:base|list)', what => `how many ${what}`],
  ['¤ base', '¤'],
  ['(most|much|more) business', how => `${how} revenue`],
  ['(?:contract|deal) values?|tcv|acv', 'amount'],
  ['upcoming birthdays?|birthdays? (?:are )?coming up|next birthdays?', 'birthdays in the next 30 days'],
  [
    'when (?:do|will|are|am) (?:we|i) (?:next )?(meet(?:ing)?|see(?:ing)?|call(?:ing)?|talk(?:ing)?|speak(?:ing)?)(?: (?:to|with))?( the)? ¤(?: next)?',
    how => `when is the next ${/^(?:meet|see)/.test(how!) ? 'meeting' : 'activity'} with ¤`,
  ],
  ['next thing', 'next activity'],
  ['(?:customer|client) base|client list|customer list', 'customers'],
  ['(?:sales )?funnel|book of business', 'pipeline'],
  ['expected (?:revenue|sales|income|turnover)|revenue forecast', 'weighted pipeline'],
  ['point of contact', 'contact person'],
]

const apply = (text: string, [pattern, to]: Rewrite): string =>
  text.replace(new RegExp(`(?<= )(?:${pattern})(?= )`, 'g'), (_, ...groups) =>
    typeof to === 'string' ? to : to(...(groups.slice(0, -2) as string[])),
  )

/** The question in the grammar's own words. */
export function plainly(text: string): string {
  const idle: Rewrite[] = IDLE.map(pattern => [pattern, ''])
  const rewritten = [...OTHERS, ...idle, ...CLOSINGS, ...AMOUNTS].reduce(
    (read, rewrite) => apply(read, rewrite).replace(/ {2,}/g, ' '),
    text,
  )
  return rewritten.replace(/^ (?:(?:and|ok|okay|well|so|now|just|question) )+/, ' ')
}
