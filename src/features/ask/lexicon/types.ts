/** What a language's lexicon holds. It is data: another language is another file of this shape. */

export type EntityName = 'deal' | 'company' | 'contact' | 'activity'
/** A condition that fits every kind of record, such as when it was created, has this entity. */
export const ANY_ENTITY = '*'

export interface FieldEntry {
  entity: EntityName
  /** a path of the query language */
  field: string
  type: 'number' | 'money' | 'text' | 'date'
  words: readonly string[]
  /** a superlative that means the largest and the smallest of this field: "oldest", "newest" */
  most?: readonly string[]
  least?: readonly string[]
}

export interface StateEntry {
  entity: EntityName
  words: readonly string[]
  where: object
  /** the date of the state: "won last year" compares it */
  date?: string
}

export interface NounEntry {
  entity: EntityName
  words: readonly string[]
  where?: object
}

export interface DateEntry {
  entity: EntityName | typeof ANY_ENTITY
  field: string
  words: readonly string[]
  where?: object
}

export interface Lexicon {
  nouns: readonly NounEntry[]
  fields: readonly FieldEntry[]
  states: readonly StateEntry[]
  /** verbs that need a time: "created last week" */
  dates: readonly DateEntry[]
  /** phrases for what the caller owns, and for the caller */
  mine: readonly string[]
  me: readonly string[]
  /** closed classes: category → phrases. Words that change a meaning have a category of their own. */
  words: Readonly<Record<string, readonly string[]>>
}
