/** What the parser must know of an account: the values of its fields, the names of its records, declared fields. */

/** A value that a field of the account holds: `field` is a column, `tag`, `category` or `cf.<key>`. */
export interface KnownValue {
  kind: string
  field: string
  value: string
}

export interface AccountWords {
  /** what a folded phrase may stand for as a value */
  values(phrase: string): readonly KnownValue[]
  /** the records with this name */
  records(phrase: string): { kind: string; ids: readonly string[] } | undefined
  /** declared number fields by their folded names */
  fields: readonly { kind: string; key: string; words: string; type: 'number' | 'money' | 'text' | 'flag' }[]
  /** values that may be found by one of their words: job titles, departments, reasons */
  loose: readonly KnownValue[]
  /** the caller */
  me: string
}
