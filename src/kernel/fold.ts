/**
 * Text without case and accents: the same function as fold() in SQL (src/db/functions/1_values.sql), which makes `search_text`.
 * Values that a query compares with are folded here once, instead of in each statement or row.
 */
import { decompose } from './schema/index.ts'

const FROM = 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІЇҐЂЃЅЈЉЊЋЌЎЏØøĐđŁłÐÞĦıŊŦ'
const TO = 'αβγδεζηθικλμνξοπρστυφχψωσабвгдежзийклмнопрстуфхцчшщъыьэюяєіїґђѓѕјљњћќўџooddllðþħiŋŧ'
const LETTERS = new Map<string, string>([
  ...Array.from(FROM, (letter, i) => [letter, TO.charAt(i)] as const),
  ['Æ', 'ae'],
  ['æ', 'ae'],
  ['Œ', 'oe'],
  ['œ', 'oe'],
  ['ß', 'ss'],
])
const FOLDED = new RegExp(`[A-Z${[...LETTERS.keys()].join('')}]`, 'g')

export function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  return decompose(text)
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(FOLDED, letter => LETTERS.get(letter) ?? letter.toLowerCase())
}
