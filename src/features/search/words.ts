/** Splits texts into words, in the index and in questions alike. Any language, without case and accents. */
import { decompose } from '../../kernel/schema/index.ts'

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ى: 'ي',
  ة: 'ه',
}
/** Accents, and the signs for vowels that Hebrew and Arabic are mostly written without. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g

export const fold = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text)
    ? text.toLowerCase()
    : decompose(text)
        .replace(MARKS, '')
        .toLowerCase()
        .replace(/[ßæœøđðłþıςħŧŋىة]/g, letter => LETTERS[letter] ?? letter)
        .normalize('NFC')

/** The maximum length of a question; twice that once it is folded, because ß, ﬁ, ﷺ and others become longer. */
export const MAX_QUESTION = 1000
const MAX_FOLDED_QUESTION = 2 * MAX_QUESTION

export const isQuestionTooLong = (question: string): boolean =>
  question.length > 2 * MAX_QUESTION || fold(question).length > MAX_FOLDED_QUESTION

/** The part of a text that is read as a question: the beginning of a long message. */
export function questionOf(text: string): string {
  let question = text.slice(0, MAX_QUESTION)
  while (isQuestionTooLong(question)) question = question.slice(0, question.length / 2)
  return question.toWellFormed()
}

/** Stop words are indexed in names only. */
export const STOP_WORDS = new Set(
  `a an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it
  its just me my no not of on or our she should so some such than that the their them then there these they this those
  to us was we were what when where which while who whom whose why will with would you your`.split(/\s+/),
)

export const MAX_WORD = 64
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const SPACELESS_RUN = new RegExp(`${SPACELESS.source}+`, 'gu')
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)?/gu
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The words of a text in their order. Scripts without spaces give dictionary words and pairs of characters. */
export function wordsOf(text: string): string[] {
  const folded = fold(text)
  const words = SPACELESS.test(folded)
    ? [
        ...[...segmenter.segment(folded)].filter(part => part.isWordLike).map(part => part.segment),
        ...[...folded.matchAll(SPACELESS_RUN)].flatMap(([run]) => pairs(run)),
      ]
    : (folded.match(WORD) ?? [])
  return words.map(word => word.replace(/['’]s?/, '').slice(0, MAX_WORD)).filter(word => word !== '')
}

function pairs(run: string): string[] {
  const characters = [...run]
  return characters.length < 2 ? [] : characters.slice(1).map((character, i) => characters[i] + character)
}

const EMAIL = /[^\s<>()[\],;:"'?!@]+@[^\s<>()[\],;:"'?!@]+\.[\p{L}\p{N}-]{2,}/gu
const DOMAIN = /(?<![\w@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,24}(?![\w@-])/gu
const PHONE = /(?<![\w.])\+?\(?\d[\d\s().\-/]{5,22}\d(?![\w])/g
const CODE = /[\p{L}\p{N}]+(?:[-_/.][\p{L}\p{N}]+)+/gu

/** Addresses, domains, numbers and codes such as INV-2041 in a text, each as one word. */
export function identifiersIn(text: string): string[] {
  const folded = fold(text)
  const emails = folded.match(EMAIL) ?? []
  const domains = [
    ...(folded.match(DOMAIN) ?? []),
    ...emails.map(email => email.slice(email.indexOf('@') + 1)),
  ]
  const phones = (folded.match(PHONE) ?? []).map(digitsOf).filter(isPhone)
  const codes = (folded.match(CODE) ?? []).filter(code => /\d/.test(code) && !/^[\d.,/-]+$/.test(code))
  // INV-2041 is also written INV2041
  const joined = codes.filter(code => /\d{3}/.test(code)).map(code => code.replace(/[-_/.]/g, ''))
  return [...new Set([...emails, ...domains.map(bareDomain), ...phones, ...codes, ...joined])].map(word =>
    word.slice(0, MAX_WORD),
  )
}

export const digitsOf = (text: string): string => text.replace(/\D/g, '')
export const bareDomain = (domain: string): string =>
  fold(domain.trim())
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#:].*$/, '')
const isPhone = (digits: string) => digits.length >= 7 && digits.length <= 15

/** The digits of a phone number, also without its first one to four (country and area code). */
export function phoneWords(phone: string): string[] {
  const digits = digitsOf(phone).replace(/^00/, '')
  if (!isPhone(digits)) return []
  return Array.from({ length: digits.length - 6 }, (_, from) => digits.slice(from)).slice(0, 5)
}

/** Trigrams find parts of words and misspelt words. */
export const hasTrigrams = (word: string): boolean => /^\p{L}{3,30}$/u.test(word)

export function trigramsOf(word: string): string[] {
  const characters = [...word]
  return [...new Set(characters.slice(2).map((_, i) => characters.slice(i, i + 3).join('')))]
}

/** The word without an English ending: invoices, pricing, renewed. */
export function stemOf(word: string): string {
  const stem = word
    .replace(/(?:sses)$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])(?:ings?|edly|ed|ers?|ly|es|s)$/, '')
  return stem.length >= 4 ? stem.replace(/([^aeiouls])\1$/, '$1') : word
}
