/** What the parser must know of an account: the values of its fields, the names of its records, declared fields. */
import { fold } from '../../search/words.ts'

/** A value that a field of the account holds: `field` is a column, `tag`, `category` or `cf.<key>`. */
export interface KnownValue {
  kind: string
  field: string
  value: string
  /** a record can have several values of the field */
  isOneOfMany?: true
}

export interface DeclaredField {
  kind: string
  /** `cf.<key>` */
  key: string
  label: string
  type: 'number' | 'money' | 'text' | 'flag' | 'date'
  /** of a field of which a record can have several values: all that it can have */
  choices?: readonly string[]
}

/** Records that a name stands for, of the likeliest kind. */
export interface Called {
  kind: string
  ids: readonly string[]
  names: readonly string[]
}

/** A field or a value that a phrase is like in meaning. */
export interface Alike {
  field?: DeclaredField
  value?: KnownValue
  score: number
}

export interface AccountWords {
  /** what a folded phrase may stand for as a value */
  values(phrase: string): readonly KnownValue[]
  /** the records with this name */
  records(phrase: string): Called | undefined
  /** the few records with this word in their name, which `records` does not take for a name */
  near(word: string): readonly Called[]
  fields: readonly DeclaredField[]
  /** fields and values that a phrase is like in meaning; absent without a model */
  alike?(phrase: string): readonly Alike[]
  /** the values that the phrases of the question are most like, however little */
  nearest?: readonly KnownValue[]
  /** false: no record has a value in the field */
  isUsed(kind: string, field: string): boolean
  /** values that may be found by one of their words: job titles, departments, reasons */
  loose: readonly KnownValue[]
  /** all values of its fields */
  known: readonly KnownValue[]
  /** the currency that is called dollars here: AUD in an account with deals in AUD */
  dollar: string
  /** the caller */
  me: string
}

const single = (word: string): string =>
  word.length < 4 ? word : word.replace(/ies$/, 'y').replace(/(?<![sui])s$/, '')

/** A value as people say it: "&" is "and", a hyphen is a space, and one or many is the same. */
export const valueKey = (text: string): string =>
  fold(text)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}@.+]+/gu, ' ')
    .trim()
    .replace(/^the /, '')
    .split(' ')
    .map(single)
    .join(' ')
