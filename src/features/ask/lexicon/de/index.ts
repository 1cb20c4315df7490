/**
 * German. It has the shape of the English lexicon and uses the same rules; what is its own is the verb at the end of a clause
 * (`rules/verb-last.ts`). Words are folded: "größte" is "grosste", "für" is "fur". Times are read by the English
 * patterns, after each word has been replaced by its like (`timeWords`).
 */
import { numbered, words } from '../entries.ts'
import type { Lexicon } from '../types.ts'
import { germanAnswers } from './answers.ts'
import { FIELDS } from './fields.ts'
import { TIME_WORDS, VALUE_WORDS } from './likes.ts'
import { DATES, NOUNS, STATES } from './records.ts'
import { WORDS } from './words.ts'

export const german: Lexicon = {
  language: 'de',
  answers: germanAnswers,
  numbers: numbered('null, eins, zwei, drei, vier, funf, sechs, sieben, acht, neun, zehn, elf, zwolf'),
  timeWords: TIME_WORDS,
  valueWords: VALUE_WORDS,
  nouns: NOUNS,
  fields: FIELDS,
  states: STATES,
  dates: DATES,
  having: [],
  touches: [
    {
      types: ['call', 'meeting', 'email'],
      words: words('gesprochen, kontaktiert, in kontakt'),
    },
    { types: ['call'], words: words('angerufen, telefoniert') },
    { types: ['meeting'], words: words('getroffen, besucht') },
    { types: ['email'], words: words('gemailt, angeschrieben') },
  ],
  buckets: {
    day: words('tag'),
    week: words('woche'),
    month: words('monat'),
    quarter: words('quartal'),
    year: words('jahr'),
  },
  directions: { asc: words('aufsteigend'), desc: words('absteigend') },
  hints: [],
  mine: words('mein, meine, meinen, meiner, meines'),
  me: words('ich, mir'),
  pronouns: {
    any: words('sie, ihnen, diese, dieser'),
    deal: words('dieser deal, diese deals'),
    company: words('diese firma, diese firmen'),
    contact: words('dieser kontakt, diese kontakte'),
    activity: [],
    note: [],
    product: [],
  },
  filler: words(
    'bitte, aktuell, derzeit, gerade, momentan, insgesamt, eigentlich, zurzeit, bisher, schon, noch, im crm, bei uns, mit uns, denn, mal, jemals',
  ),
  unread: words('kurz davor'),
  titles: {},
  reasons: [words('konkurren, wettbewerb'), words('preis, teuer')],
  misspelt: {},
  otherWords: [],
  operators: words(
    'oder, noch, weder, nicht, nie, kein, keine, keinen, keiner, ohne, ausser, alle, jede, jeder, jedes, entweder, nur, wenn',
  ),
  words: WORDS,
}
