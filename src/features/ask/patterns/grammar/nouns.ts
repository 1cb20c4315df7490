/** How people call the kinds of record. */
import { type Kind, TABLES } from '../fields/index.ts'
import { type Reading, take } from './reading.ts'

export const NOUNS: [Kind, RegExp][] = [
  ['deal', /deals?|opps?|opportunit(?:y|ies)|pipeline|forecast|sales(?! (?:reps?|people|persons?))/],
  [
    'activity',
    /activit(?:y|ies)|(?:phone )?calls?|meetings?|tasks?|to-?dos?(?: lists?)?|task list|follow[- ]?ups?|reminders?|appointments?|e-?mails(?= (?:did|have|has|had|were|was|are|sent|received|last|this|we|i|not|completed))|e-?mails? activit(?:y|ies)|demos?(?= (?:scheduled|planned))/,
  ],
  ['company', /compan(?:y|ies)|acc(?:oun)?ts?|organi[sz]ations?|businesses|firms?|clients|logos/],
  [
    'contact',
    /contacts?|people|persons?|individuals?|folks?|stakeholders?|address book|rolodex|contact list/,
  ],
  ['note', /notes?/],
]
export const ACTIVITY_TYPES: [RegExp, string][] = [
  [/(?:phone )?calls?|called|phoned/, 'call'],
  [/meetings?|appointments?|met/, 'meeting'],
  [/tasks?(?: list)?|to-?dos?(?: lists?)?/, 'task'],
  [/e-?mails?|emailed/, 'email'],
]

export const ACTIVITY_NOUN = '(?:(?:phone )?calls?|meetings?|appointments?|tasks?|e-?mails?)'

/** What a noun says beside its kind: "open deals", "calls". */
export function narrowed(kind: Kind, said: string): string | undefined {
  if (kind === 'deal') {
    const state = /(?:^| )(open|active|won|lost)(?= )/.exec(said)?.[1]
    return state === 'active' ? 'open' : state
  }
  const words = ` ${said} `
  return kind === 'activity'
    ? ACTIVITY_TYPES.find(([pattern]) => new RegExp(` (?:${pattern.source}) `).test(words))?.[1]
    : undefined
}

/** How such records are called in an answer: "open deals", "calls". */
export const narrowedName = (kind: Kind, narrow: string | undefined): string =>
  narrow === undefined ? TABLES[kind].many : kind === 'deal' ? `${narrow} ${TABLES[kind].many}` : `${narrow}s`

/** The names of kinds: of the kind that is asked for, and of those whose ties were named. */
export function consumeNouns(reading: Reading, entity: Kind): void {
  for (const [kind, pattern] of NOUNS) {
    if (kind === entity || reading.mentions.some(mention => mention.records?.kind === kind)) {
      while (take(reading, pattern) !== undefined);
    }
  }
  take(reading, /(?<! (?:we|i|you|they|have|has|¤) )called(?= ¤)/)
  // "tasks for the Acme deal"
  take(reading, /(?<=¤ )(?:deal|opportunity|account|company)/)
  if (entity === 'activity') take(reading, /agenda|calendar|schedule|plate|happening/)
  if (entity === 'contact')
    take(reading, /customers?|clients?|anyone|anybody|someone|somebody|everyone|everybody/)
}
