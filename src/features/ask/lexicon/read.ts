/**
 * Reads the table of a language. Each line is an entry, `what: phrase, phrase`; a line that begins with a space continues
 * the one before. A malformed entry is refused by its name.
 *
 * - `Sum: total, sum`: words of a closed class, which rules name by its category
 * - `noun deal`, `nouns deal` (in the plural), `field deal.amount`, `most deal.amount`, `least deal.amount`
 * - `state deal status=won @closed_at`: "won deals"; the date is the one that a following time compares. `verb` with the
 *   same: forms that follow a subject, "did we win"
 * - `dated deal.expected_close_date status=open`, and `verb` with the same: verbs that need a time, "closing in May"
 * - `touch call`: being in contact, by these types of activity; `bucket month`, `direction asc`
 * - `filler`, `pronoun deal` and the other lists of `Lexicon`; `misspelt`, `numbers`, `times` and `values` have pairs,
 *   `ppl = people`. `letzt- = last` are all inflected forms.
 *
 * Several kinds of records are separated by a comma. Conditions: `status=won`, `status=won|lost` (one of them), `!=`, `<`,
 * `>=`, `owner_id=null`, `!tags` (without tags), `a=1/b=2` (either). `$today` is the day on which the question is asked.
 */
import type { Condition, FieldCondition } from '../../records/query/spec.ts'
import {
  ANY_ENTITY,
  type EntityName,
  type Entry,
  isEntity,
  type Lexicon,
  type Phrases,
  typeOf,
} from './types.ts'

interface Target {
  entity: EntityName | typeof ANY_ENTITY
  field: string
  date: string | undefined
  where: Condition | undefined
}

const nounOf = ({ entity, where }: Target) => ({ entity, where: where ? [where] : [] })
const fieldOf = ({ entity, field }: Target) => ({ entity, field, type: typeOf(field) })
const datedOf = ({ entity, field, where = { and: [] } }: Target) => ({ entity, where, date: field })
const stateOf = ({ entity, where, date }: Target) => ({
  entity,
  where,
  isState: true,
  ...(date ? { date } : {}),
})

const FORMS: Readonly<Record<string, (target: Target) => Entry>> = {
  noun: target => ({ category: 'Noun', meaning: nounOf(target) }),
  nouns: target => ({ category: 'Noun', meaning: { ...nounOf(target), isMany: true } }),
  field: target => ({ category: 'Field', meaning: fieldOf(target) }),
  most: target => ({ category: 'Superlative', meaning: { field: fieldOf(target), direction: 'desc' } }),
  least: target => ({ category: 'Superlative', meaning: { field: fieldOf(target), direction: 'asc' } }),
  state: target => ({ category: 'State', meaning: stateOf(target) }),
  verb: target => ({ category: 'Verb', meaning: target.field === '' ? stateOf(target) : datedOf(target) }),
  dated: target => ({ category: 'Dated', meaning: datedOf(target) }),
}
const NAMED: Readonly<Record<string, (name: string) => Entry>> = {
  touch: name => ({ category: 'Touch', meaning: name.split('|') }),
  bucket: name => ({ category: 'Bucket', meaning: name }),
  direction: name => ({ category: 'Direction', meaning: name }),
}
const LISTS = ['filler', 'unread', 'operators', 'mine', 'me', 'reason', 'title', 'pronoun', 'correct']
const PAIRS = ['misspelt', 'numbers', 'times', 'values']

export function readLexicon(language: 'en' | 'de', table: string, answers: Lexicon['answers'] = {}): Lexicon {
  const meanings: Phrases = new Map()
  const words: Record<string, string[]> = {}
  const lists: { name: string; of: string; phrases: string[] }[] = []
  for (const { head, phrases } of entriesOf(table)) {
    try {
      const [, name = '', of = ''] = /^(\w+)(?: (.+))?$/.exec(head) ?? []
      if (/^[A-Z]/.test(name)) {
        words[name] = phrases
        for (const phrase of phrases) add(meanings, [phrase], { category: name, meaning: phrase })
      } else if (LISTS.includes(name) || PAIRS.includes(name)) lists.push({ name, of, phrases })
      else {
        const forms = name === 'most' || name === 'least' ? phrases.flatMap(withArticle) : phrases
        for (const entry of meaningsOf(name, of)) add(meanings, forms, entry)
      }
    } catch (error) {
      throw new Error(`lexicon ${language}, "${head}": ${(error as Error).message}`)
    }
  }
  const named = (name: string) => lists.filter(list => list.name === name)
  const list = (name: string) => named(name).flatMap(({ phrases }) => phrases)
  const byName = (name: string) => new Map(named(name).map(({ of, phrases }) => [of, phrases]))
  const pairs = (name: string) => new Map(list(name).flatMap(pairOf))
  return {
    language,
    answers,
    phrases: meanings,
    words,
    numbers: new Map([...pairs('numbers')].map(([word, value]) => [word, Number(value)])),
    timeWords: pairs('times'),
    valueWords: pairs('values'),
    filler: list('filler'),
    unread: list('unread'),
    titles: byName('title'),
    reasons: named('reason').map(({ phrases }) => phrases),
    misspelt: pairs('misspelt'),
    otherWords: list('correct'),
    mine: list('mine'),
    me: list('me'),
    pronouns: byName('pronoun'),
    operators: list('operators'),
  }
}

function entriesOf(table: string): { head: string; phrases: string[] }[] {
  const lines = table.trim().split(/\n+(?! )/)
  return lines.map(line => {
    const [head = '', phrases = ''] = line.split(/: (.*)/s)
    return { head, phrases: phrases.split(',').map(phrase => phrase.trim()) }
  })
}

export function add(phrases: Phrases, words: readonly string[], entry: Entry): void {
  for (const word of words) {
    if (word === '') throw new Error('an empty phrase')
    phrases.set(word, [...(phrases.get(word) ?? []), entry])
  }
}

const withArticle = (word: string): string[] => [word, `the ${word}`]

function meaningsOf(name: string, of: string): Entry[] {
  if (Object.hasOwn(NAMED, name)) return [(NAMED[name] as (name: string) => Entry)(of)]
  const form = FORMS[name]
  if (!form) throw new Error(`unknown: ${name}`)
  return of.split(', ').map(target => form(targetOf(target)))
}

function targetOf(text: string): Target {
  const [subject = '', ...parts] = text.split(' ')
  const [entity = '', ...path] = subject.split('.')
  if (!isEntity(entity) && entity !== ANY_ENTITY) throw new Error(`no kind of record: ${entity}`)
  const terms = parts.filter(part => !part.startsWith('@')).map(conditionOf)
  const [first] = terms
  return {
    entity,
    field: path.join('.'),
    date: parts.find(part => part.startsWith('@'))?.slice(1),
    where: terms.length > 1 ? { and: terms } : first,
  }
}

const OPERATORS = { '=': 'eq', '!=': 'ne', '<': 'lt', '>=': 'gte' } as const

function conditionOf(term: string): Condition {
  if (term.includes('/')) return { or: term.split('/').map(conditionOf) }
  if (/^!\w+$/.test(term)) return { none: term.slice(1) }
  const [, field = '', sign, text = ''] = /^([\w.]+)(=|!=|<|>=)([\w$|]+)$/.exec(term) ?? []
  if (sign === undefined) throw new Error(`no condition: ${term}`)
  if (text === 'null') return { field, op: 'is_null', value: true }
  if (text.includes('|')) return { field, op: 'in', value: text.split('|') }
  return { field, op: OPERATORS[sign as keyof typeof OPERATORS], value: literalOf(text) }
}

const literalOf = (text: string): NonNullable<FieldCondition['value']> =>
  /^(?:true|false|\d+)$/.test(text) ? JSON.parse(text) : text

function pairOf(pair: string): [string, string][] {
  const [word = '', like] = pair.split(' = ')
  if (like === undefined) throw new Error(`no pair: ${pair}`)
  if (!word.endsWith('-')) return [[word, like]]
  return ['e', 'en', 'er', 'es', 'em'].map(ending => [`${word.slice(0, -1)}${ending}`, like])
}
