/**
 * Text without case and accents: the same function as fold() in SQL (src/db/functions/1_values.sql), which computes
 * `search_text`. Values in a query are folded here once instead of in SQL for every row.
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
