/** Replies to greetings and thanks, and the texts for questions without an answer. */
import { fold } from '../search/words.ts'

const TALK: [RegExp, string][] = [
  [
    /^(?:hi|hey|hello|hiya|good (?:morning|afternoon|evening|day)|greetings|howdy|moin|hallo|bonjour|hola|salut|ciao)(?: there| all| everyone| assistant| kith| again)?$/,
    'Hello! What would you like to know about your contacts, companies, deals or activities?',
  ],
  [
    /^(?:(?:many |ok |okay |great |perfect |super |cool )*(?:thanks|thank you|thx|ty|cheers|merci|danke|gracias)(?: a lot| very much| so much| you)?|(?:great|perfect|super|nice|cool|wonderful|excellent|awesome)(?: thanks| thank you)?)$/,
    'You are welcome!',
  ],
  [/^(?:bye|goodbye|good night|see you|see you later|ciao|that is all|that s all)$/, 'Goodbye!'],
  [
    /^(?:ok|okay|alright|i see|got it|fine|understood|yes|no|yep|nope|sure)$/,
    'All right. Ask me whenever you need something.',
  ],
  [
    /^(?:how are you(?: doing)?(?: today)?|how is it going|what s up|how do you do)$/,
    'I am ready to look things up for you. What would you like to know?',
  ],
]

const CAN =
  'I can look up contacts, companies, deals, activities and notes, count and add things up, and find what was written about something. Try, for example: “Which deals close this month?”, “Who works at Acme?”, “How many open tasks do we have?” or “What did we last talk about with Ann Smith?”'

const ABOUT =
  /^(?:help|help me|what can you do(?: for me)?|who are you|what are you|how do you work|what can i ask(?: you)?|what do you do|how does this work|what is this|examples?)$/

/** The reply to a greeting, to thanks, or to a question about the assistant; undefined for anything else. */
export function smallTalk(message: string): string | undefined {
  if (message.length > 100) return undefined
  const normalized = fold(message)
    .replace(/[^\p{L}\p{N}\s]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (normalized === '') return undefined
  if (ABOUT.test(normalized)) return `I answer questions from your records. ${CAN}`
  return TALK.find(([pattern]) => pattern.test(normalized))?.[1]
}

export const noAnswer = (seesRecords: boolean): string =>
  seesRecords
    ? `I could not find an answer to that in your records. ${CAN}`
    : 'I cannot answer that: the key of this request may read no records. With scopes such as contacts:read or deals:read I could look them up.'

/** The record exists, but the field is empty. */
export const notFilledIn = (names: readonly string[]): string =>
  `${names.map((name, i) => `${name} [${i + 1}]`).join(', ')} ${names.length === 1 ? 'is' : 'are'} in your records, but what you ask for is not filled in there.`
