/** What a language's lexicon holds. It is data: another language is another file of this shape. */

const ENTITIES = ['deal', 'company', 'contact', 'activity', 'note', 'product'] as const
export type EntityName = (typeof ENTITIES)[number]
export const isEntity = (kind: string): kind is EntityName => ENTITIES.some(entity => entity === kind)
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
  /** forms that follow a subject: "did we win", "Mia has won" */
  verbs?: readonly string[]
  where: object
  /** the date of the state: "won last year" compares it */
  date?: string
}

export interface NounEntry {
  entity: EntityName
  words: readonly string[]
  /** words for several of them: "the latest deals" are more than one */
  many: readonly string[]
  where?: object
}

export interface DateEntry {
  entity: EntityName | typeof ANY_ENTITY
  field: string
  words: readonly string[]
  where?: object
  /** forms that follow a subject: "did Mia make" */
  verbs?: readonly string[]
}

/**
 * What a word may be about where no rule knows how it is used: a hint for composing a reading, which the judge then
 * compares with the question. Too loose for the rules.
 */
export interface Hint {
  words: readonly string[]
  /** a field of the lexicon, by kind and path */
  field?: readonly [EntityName, string, FieldEntry['type']]
  /** a kind of record */
  noun?: EntityName
  where?: object
  /** what is said of a kind of record */
  state?: { entity: EntityName; where: object }
  /** a category of closed words */
  category?: string
}

/** A verb for being in contact, and the types of activities that count as such. */
export interface TouchEntry {
  types: readonly string[]
  words: readonly string[]
}

export interface Lexicon {
  language: 'en' | 'de'
  /** English words of answers in this language */
  answers: Readonly<Record<string, string>>
  /** numbers in words */
  numbers: Readonly<Record<string, number>>
  /** words of times, each with its like in English */
  timeWords: Readonly<Record<string, string>>
  /** words for values that come with every account, and for countries, each with its like in English */
  valueWords: Readonly<Record<string, string>>
  nouns: readonly NounEntry[]
  fields: readonly FieldEntry[]
  states: readonly StateEntry[]
  /** verbs that need a time: "created last week" */
  dates: readonly DateEntry[]
  /** what one does when one has records of a kind: "does Mia have" */
  having: readonly DateEntry[]
  touches: readonly TouchEntry[]
  /** calendar units */
  buckets: Readonly<Record<'day' | 'week' | 'month' | 'quarter' | 'year', readonly string[]>>
  directions: Readonly<Record<'asc' | 'desc', readonly string[]>>
  /** words that say nothing: please, currently, altogether. They may follow any word, or begin a question. */
  filler: readonly string[]
  /** phrases that no rule may read, although rules know their words */
  unread: readonly string[]
  /** titles that an abbreviation stands for: ceo → chief executive officer */
  titles: Readonly<Record<string, readonly string[]>>
  /** beginnings of words for the same reason to lose a deal */
  reasons: readonly (readonly string[])[]
  /** common misspellings, and short forms */
  misspelt: Readonly<Record<string, string>>
  /** real words that are no misspellings, although one letter makes them another word */
  otherWords: readonly string[]
  hints: readonly Hint[]
  /** phrases for what the caller owns, and for the caller */
  mine: readonly string[]
  me: readonly string[]
  /** words for the records of the answer before, and for those of a kind among them or related to them */
  pronouns: Readonly<Record<EntityName | 'any', readonly string[]>>
  /** words that change what is asked: an answer that ignores one of them is that to another question */
  operators: readonly string[]
  /** closed classes: category → phrases. Words that change a meaning have a category of their own. */
  words: Readonly<Record<string, readonly string[]>>
}
