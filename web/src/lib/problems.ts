/** Sentences for people about values that the service refused: its own messages are for programs. */
export interface Issue {
  type: string
  /** the path to the value, beginning with body, query, path or header */
  loc: readonly (string | number)[]
  msg: string
  ctx?: Readonly<Record<string, unknown>>
}

export interface Problem {
  /** the key of the field in the request; `cf.` begins those of custom fields, and '' is the request as a whole */
  field: string
  /** the field in words */
  label: string
  sentence: string
}

/** What a refused form of a text should have been, by the last name of its path. */
const FORMS: Readonly<Record<string, string>> = {
  slug: 'Use small letters, digits and single hyphens between them, such as rill-sensors',
  currency: 'Use the three letters of a currency, such as EUR',
  key: 'Use small letters, digits and underscores, beginning with a letter',
}

/** Tokens are in links of mails: people do not see them as a field. */
const SPENT_LINK = 'This link was used before or has expired. Ask for a new one'

const WHOLE = 'Enter a whole number'
const NUMBER = 'Enter a number'
const DATE = 'Enter a date'
const MOMENT = 'Enter a date and a time'

const characters = (count: unknown) => `${String(count)} ${count === 1 ? 'character' : 'characters'}`

const SENTENCES: Readonly<Record<string, string | ((ctx: Readonly<Record<string, unknown>>) => string)>> = {
  missing: 'This is required',
  string_type: 'This is required',
  string_too_short: ({ min_length }) =>
    min_length === 1 ? 'This cannot be empty' : `Enter ${characters(min_length)} or more`,
  string_too_long: ({ max_length }) => `Enter ${characters(max_length)} or fewer`,
  too_short: ({ min_length }) =>
    min_length === 1 ? 'Choose at least one' : `Choose ${String(min_length)} or more`,
  too_long: ({ max_length }) => `Choose ${String(max_length)} or fewer`,
  greater_than_equal: ({ ge }) => `Enter ${String(ge)} or more`,
  greater_than: ({ gt }) => `Enter more than ${String(gt)}`,
  less_than_equal: ({ le }) => `Enter ${String(le)} or less`,
  less_than: ({ lt }) => `Enter less than ${String(lt)}`,
  int_parsing: WHOLE,
  int_parsing_size: 'Enter a smaller number',
  int_from_float: WHOLE,
  int_type: WHOLE,
  float_parsing: NUMBER,
  float_type: NUMBER,
  finite_number: NUMBER,
  date_type: DATE,
  date_parsing: DATE,
  date_from_datetime_parsing: DATE,
  datetime_type: MOMENT,
  datetime_parsing: MOMENT,
  datetime_from_date_parsing: MOMENT,
  bool_type: 'Choose yes or no',
  bool_parsing: 'Choose yes or no',
  literal_error: ({ expected }) => `Choose ${String(expected).replaceAll("'", '')}`,
  enum: ({ expected }) => `Choose ${String(expected).replaceAll("'", '')}`,
  uuid_parsing: 'Choose a record',
  uuid_type: 'Choose a record',
}

const namesOf = (loc: Issue['loc']): string[] =>
  loc.slice(1).filter((name): name is string => typeof name === 'string')

/** `end_at` → end, `company_id` → company, `current_password` → current password */
const inWords = (name: string): string => name.replace(/_(at|ids?)$/, '').replaceAll('_', ' ')

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function sentenceOf({ type, loc, msg, ctx = {} }: Issue): string {
  if (namesOf(loc).at(-1) === 'token') return SPENT_LINK
  const form = type === 'string_pattern_mismatch' ? FORMS[namesOf(loc).at(-1) ?? ''] : undefined
  const known = SENTENCES[type]
  if (form !== undefined) return form
  if (known !== undefined) return typeof known === 'string' ? known : known(ctx)
  return inPlainWords(msg)
}

const inPlainWords = (msg: string): string =>
  msg
    .replace(/^Value error, /, '')
    .replace(/^value is not a valid email address/, 'this is not an email address')
    .replace(/^a slug has/, 'an address has')
    .replace(/^String should match pattern.*/, 'this does not have the right form')
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, inWords)

/** A message of the service about a value, such as one in the row of a file. */
export const plainSentence = (msg: string): string => capitalized(inPlainWords(msg)).replace(/\.$/, '')

/** The problems of a refused request, each with the field that it is about. */
export const problemsIn = (issues: readonly Issue[]): Problem[] =>
  issues.map(issue => {
    const names = namesOf(issue.loc)
    const [first = '', second] = names
    const last = names.at(-1) ?? ''
    return {
      field: first === 'metadata' && second !== undefined ? `cf.${second}` : first,
      label: last === 'token' ? '' : capitalized(inWords(last)),
      sentence: capitalized(sentenceOf(issue)).replace(/\.$/, ''),
    }
  })

/** A sentence of the service without what a program would have to send: ": POST /api/… sends you a token". */
export const withoutRequests = (sentence: string): string =>
  sentence.replace(/[:;,]? (?:by |use )?(?:GET|POST|PUT|PATCH|DELETE) \/.*$/s, '')

/** All of them in one text, for a message that is not at a field. */
export const textOf = (problems: readonly Problem[]): string =>
  problems.map(({ label, sentence }) => (label ? `${label}: ${sentence}` : sentence)).join('. ')
