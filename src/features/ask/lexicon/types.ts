/** What a language's lexicon holds after its table has been read (`read.ts`). */

const ENTITIES = ['deal', 'company', 'contact', 'activity', 'note', 'product'] as const
export type EntityName = (typeof ENTITIES)[number]
export const isEntity = (kind: string): kind is EntityName => ENTITIES.some(entity => entity === kind)
/** A condition that fits every kind of record, such as when it was created, has this entity. */
export const ANY_ENTITY = '*'

type FieldType = 'number' | 'money' | 'text' | 'date'
const TYPES: Readonly<Record<string, FieldType>> = {
  probability: 'number',
  employee_count: 'number',
  duration_minutes: 'number',
  amount: 'money',
  weighted_amount: 'money',
  unit_price: 'money',
  annual_revenue: 'money',
  expected_close_date: 'date',
  closed_at: 'date',
  birthday: 'date',
  created_at: 'date',
  when: 'date',
  falls_due_at: 'date',
}
/** What a field of the records themselves holds; fields of the account tell it themselves. */
export const typeOf = (field: string): FieldType => TYPES[field] ?? 'text'

/** What a phrase means, and the category by which rules name it. */
export interface Entry {
  category: string
  meaning: unknown
}
export type Phrases = Map<string, Entry[]>

type Words = readonly string[]

export interface Lexicon {
  language: 'en' | 'de'
  /** English words of answers in this language */
  answers: Readonly<Record<string, string>>
  phrases: Phrases
  /** closed classes: category → phrases. Words that change a meaning have a category of their own. */
  words: Readonly<Record<string, Words>>
  /** numbers in words */
  numbers: ReadonlyMap<string, number>
  /** words of times, each with its like in English */
  timeWords: ReadonlyMap<string, string>
  /** words for values that come with every account, and for countries, each with its like in English */
  valueWords: ReadonlyMap<string, string>
  /** words that say nothing: please, currently, altogether. They may follow any word, or begin a question. */
  filler: Words
  /** phrases that no rule may read, although rules know their words */
  unread: Words
  /** titles that an abbreviation stands for: ceo → chief executive officer */
  titles: ReadonlyMap<string, Words>
  /** beginnings of words for the same reason to lose a deal */
  reasons: readonly Words[]
  /** common misspellings, and short forms */
  misspelt: ReadonlyMap<string, string>
  /** real words that are no misspellings, although one letter makes them another word */
  otherWords: Words
  /** phrases for what the caller owns, and for the caller */
  mine: Words
  me: Words
  /** words for the records of the answer before, and for those of a kind among them or related to them */
  pronouns: ReadonlyMap<string, Words>
  /** words that change what is asked: an answer that ignores one of them is that to another question */
  operators: Words
}
