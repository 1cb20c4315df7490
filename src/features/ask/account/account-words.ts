/** What the parser must know of an account: the values of its fields, the names of its records, declared fields. */

/** A value that a field of the account holds: `field` is a column, `tag`, `category` or `cf.<key>`. */
export interface KnownValue {
  kind: string
  field: string
  value: string
}

export interface DeclaredField {
  kind: string
  /** `cf.<key>` */
  key: string
  label: string
  type: 'number' | 'money' | 'text' | 'flag' | 'date'
}

/** Records that a name stands for, of the likeliest kind. */
export interface Called {
  kind: string
  ids: readonly string[]
  names: readonly string[]
}

export interface AccountWords {
  /** what a folded phrase may stand for as a value */
  values(phrase: string): readonly KnownValue[]
  /** the records with this name */
  records(phrase: string): Called | undefined
  fields: readonly DeclaredField[]
  /** false: no record has a value in the field */
  isUsed(kind: string, field: string): boolean
  /** values that may be found by one of their words: job titles, departments, reasons */
  loose: readonly KnownValue[]
  /** the caller */
  me: string
}
