/** Slips of the pen in the words that a question about the data hangs on. */
import { lookup } from '../../../../kernel/lookup.ts'

const WORDS =
  `deal deals contact contacts company companies customer customers meeting meetings activity activities pipeline
  opportunity opportunities account accounts task tasks calls overdue average number biggest largest upcoming
  completed industry quarter month forecast negotiation country list show open what which many with lost total stage stages`.split(
    /\s+/,
  )
/** As they are written in haste, or by ear. */
const SHORT = lookup<string>({
  ppl: 'people',
  mtg: 'meeting',
  mtgs: 'meetings',
  qtr: 'quarter',
  wk: 'week',
  wks: 'weeks',
  mth: 'month',
  mths: 'months',
  yr: 'year',
  yrs: 'years',
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tomorow: 'tomorrow',
  tommorow: 'tomorrow',
  tommorrow: 'tomorrow',
  yday: 'yesterday',
  wich: 'which',
  whcih: 'which',
  hwo: 'how',
  hte: 'the',
  teh: 'the',
  deels: 'deals',
  deel: 'deal',
  companys: 'companies',
  ovedue: 'overdue',
  overdew: 'overdue',
  pipline: 'pipeline',
})
/** Words of their own, however near. */
const OTHERS = new Set(
  'contract contracts costumer costumers counter counters county months monthly complete completes'.split(
    ' ',
  ),
)

const isSwap = (word: string, target: string): boolean => {
  if (word.length !== target.length) return false
  const at = [...word].findIndex((letter, i) => letter !== target[i])
  return (
    at >= 0 &&
    word[at] === target[at + 1] &&
    word[at + 1] === target[at] &&
    word.slice(at + 2) === target.slice(at + 2)
  )
}

/** One letter too many, too few or wrong. */
function isSlip(word: string, target: string): boolean {
  // one or many is no slip
  if (Math.abs(word.length - target.length) > 1 || word === `${target}s` || target === `${word}s`)
    return false
  let head = 0
  while (head < word.length && word[head] === target[head]) head++
  const tail = (text: string, from: number) => text.slice(from)
  return (
    tail(word, head + 1) === tail(target, head + 1) ||
    tail(word, head + 1) === tail(target, head) ||
    tail(word, head) === tail(target, head + 1)
  )
}

/** Short words are too near to others to forgive more than two letters in the wrong order. */
const meant = (word: string): string =>
  SHORT[word] ??
  (WORDS.includes(word) || OTHERS.has(word) || !/^\p{L}{4,}$/u.test(word)
    ? word
    : (WORDS.find(target => isSwap(word, target)) ??
      WORDS.find(target => target.length >= 7 && word[0] === target[0] && isSlip(word, target)) ??
      word))

/** `text`: what no name and no value was found in. */
export const corrected = (text: string): string =>
  text
    .split(' ')
    .map(word => (word === '¤' ? word : meant(word)))
    .join(' ')
