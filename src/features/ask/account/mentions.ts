/** The phrases of a question that are values of the account's fields or names of its records. */
import { fold } from '../../search/words.ts'
import { commonWords, LEXICONS, lexiconOf } from '../lexicon/index.ts'
import { MAX_TOKENS, tokensOf } from '../understand/tokens.ts'
import { type Called, type KnownValue, valueKey } from './account-words.ts'
import { colleagueAt } from './colleagues.ts'
import { capitalsIn, mayName } from './common-words.ts'
import { absentCountry, inCountry, placesFor } from './countries.ts'
import { MAX_CALLED, NAMED_KINDS, type Names } from './names.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface Mention {
  said: string
  values: readonly KnownValue[]
  records: Called | undefined
  /** records with this word in their name, although it is hardly meant as one */
  near?: readonly Called[]
}

interface Phrase {
  text: string
  from: number
  to: number
}

const MAX_WORDS = 7

/** Words of questions about the data: alone they are never a name. */
const COMMON = new Set(
  `a an the of in on at by for to from with without and or not no is are was were be been do does did have has had
  how many much what which who whom whose when where why show list give tell me find get count number total sum average
  deal deals opportunity opportunities contact contacts person people company companies account accounts activity
  activities call calls meeting meetings task tasks email emails note notes pipeline stage stages owner status open won
  lost closed close closing closes overdue due completed planned upcoming new latest newest oldest last next first
  this that month week quarter year day days weeks months today tomorrow yesterday top largest biggest smallest highest
  most least more less than over under above below between all any our we i my us you your there each per value worth
  amount created added updated since before after until it its he she they them talk talked speak spoke us`.split(
    /\s+/,
  ),
)

export async function mentionsIn(question: string, vocabulary: Vocabulary, names: Names): Promise<Mention[]> {
  const words = tokensOf(question)
  if (words.length > MAX_TOKENS) return []
  const lexicon = lexiconOf(words)
  const isCommon = (word: string) =>
    lexicon.language === 'en' ? COMMON.has(word) : commonWords(lexicon).has(word)
  const capitals = capitalsIn(question, fold)
  const phrases = phrasesOf(words)
  const named = await names.whole(
    [...new Set(phrases.map(({ text }) => text))].filter(text => !isCommon(text)),
  )
  const taken = words.map(() => false)
  const mentions: Mention[] = []
  const isFree = ({ from, to }: Phrase) => !taken.slice(from, to).includes(true)
  const add = ({ text, from, to }: Phrase, values: readonly KnownValue[], records?: Called): void => {
    mentions.push({ said: text, values, records })
    taken.fill(true, from, to)
  }
  const addValues = (some: readonly Phrase[]) => {
    for (const phrase of some) {
      const { text, from } = phrase
      if (!isFree(phrase) || (isCommon(text) && !isNamedValue(words, from, vocabulary, capitals))) continue
      const values = isFieldName(words, phrase, vocabulary)
        ? []
        : inCountry(text, words[phrase.to], valuesFor(text, vocabulary), vocabulary).filter(saidOf(words))
      if (values.length > 0 || named.has(text)) add(phrase, values, named.get(text))
    }
  }
  const isWord = ({ from, to }: Phrase) => to - from === 1
  const free = () => phrases.filter(phrase => isWord(phrase) && isFree(phrase) && !isCommon(phrase.text))
  addValues(phrases.filter(phrase => !isWord(phrase)))
  const known = await calledBy(free(), names)
  // "Pharmalys Lyon" is the company of that name, not Pharmalys in Lyon
  for (const { phrase, called } of calledInPart(words, free(), known)) {
    const isPlace = (word: string) => valuesFor(word, vocabulary).length > 0
    const parts = phrase.text.split(' ')
    if (parts.some(isPlace) && !parts.every(isPlace) && isFree(phrase)) add(phrase, [], called)
  }
  addValues(phrases.filter(isWord))
  const addColleagues = (isSure: boolean) => {
    for (const phrase of free()) {
      if (!mayName(phrase.text, capitals)) continue
      const colleague = colleagueAt(words, phrase.from, vocabulary, isSure)
      if (colleague.length > 0) add(phrase, colleague)
    }
  }
  addColleagues(true)
  const counted = new Set(vocabulary.fields.flatMap(({ label }) => tokensOf(label)))
  for (const { phrase, called } of calledInPart(words, free(), known)) {
    // "how many boilers" asks for the field "Boilers serviced", not for deals that are called so
    const isName = phrase.text.split(' ').some(word => mayName(word, capitals) && !counted.has(word))
    if (isName && isFree(phrase)) add(phrase, [], called)
  }
  addColleagues(false)
  // whoever is called Jordan or Georgia goes first
  for (const phrase of phrases) {
    const absent = isFree(phrase) ? absentCountry(words, phrase.from, phrase.to, vocabulary) : []
    if (absent.length > 0) add(phrase, absent)
  }
  for (const { text } of free()) {
    const called = known.get(text) ?? known.get(singular(text)) ?? []
    const near = called.filter(({ ids }) => ids.length <= MAX_NEAR)
    if (near.length > 0) mentions.push({ said: text, values: [], records: undefined, near })
  }
  return mentions
}

const MAX_NEAR = 2

/** The longest first. */
function phrasesOf(words: readonly string[]): Phrase[] {
  const phrases = words.flatMap((word, from) => [
    ...words
      .slice(from, from + MAX_WORDS)
      .map((_, i) => ({ text: words.slice(from, from + i + 1).join(' '), from, to: from + i + 1 })),
    // the country in "non-French"
    ...(word.startsWith('non-') ? [{ text: word.slice(4), from, to: from + 1 }] : []),
  ])
  return phrases.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
}

const mayBeName = ({ text }: Phrase): boolean => /^\p{L}[\p{L}\p{N}&.-]{1,}$/u.test(text)
const singular = (text: string): string => (text.endsWith('s') ? text.slice(0, -1) : text)

/** The records with one of these words in their name. */
async function calledBy(free: readonly Phrase[], names: Names): Promise<Map<string, Called[]>> {
  const texts = free.filter(mayBeName).map(({ text }) => text)
  const words = texts.flatMap(text => [text, singular(text), ...text.split('-')])
  if (words.length === 0) return new Map()
  const known = new Map(await names.partly([...new Set(words)]))
  // "Rey-Mermet" has both words in its name
  for (const text of texts.filter(one => one.includes('-'))) {
    const parts = text.split('-').map(part => known.get(part))
    const both = NAMED_KINDS.flatMap(
      kind => inAll(parts.map(all => all?.find(one => one.kind === kind))) ?? [],
    )
    if (both.length > 0) known.set(text, both)
  }
  return known
}

/**
 * "Acme" for Acme Corp, "Ann" or "Smith" for Ann Smith: words of a name side by side, if few are called so. "Ann
 * Smith" is neither another Ann nor another Smith. Of a deal or an activity it takes two words, or the plural of a deal's
 * one: "renewals".
 */
function calledInPart(
  words: readonly string[],
  free: readonly Phrase[],
  known: ReadonlyMap<string, readonly Called[]>,
): { phrase: Phrase; called: Called }[] {
  const open = free.filter(mayBeName)
  const found = NAMED_KINDS.flatMap(kind => {
    const calledAt = words.map((_, at) => {
      const text = open.find(({ from }) => from === at)?.text
      return text === undefined ? undefined : known.get(text)?.find(one => one.kind === kind)
    })
    const runs = runsOf(calledAt)
    const several = kind === 'deal' || kind === 'activity' ? runs.filter(([from, to]) => to - from > 1) : runs
    return several.flatMap(([from, to]) => {
      const called = inAll(calledAt.slice(from, to))
      return called ? [{ phrase: { text: words.slice(from, to).join(' '), from, to }, called }] : []
    })
  })
  const plurals = open.flatMap(phrase => {
    const called = known.get(singular(phrase.text))?.find(({ kind }) => kind === 'deal')
    return phrase.text.endsWith('s') && called ? [{ phrase, called }] : []
  })
  return [...found.sort((a, b) => b.phrase.to - b.phrase.from - (a.phrase.to - a.phrase.from)), ...plurals]
}

/** The stretches without a gap. */
function runsOf(list: readonly unknown[]): [from: number, to: number][] {
  const starts = list.flatMap((one, at) => (one !== undefined && list[at - 1] === undefined ? [at] : []))
  return starts.map(from => {
    const end = list.findIndex((one, at) => at > from && one === undefined)
    return [from, end < 0 ? list.length : end]
  })
}

function inAll([first, ...others]: readonly (Called | undefined)[]): Called | undefined {
  const own = (first?.ids ?? []).flatMap((id, i) =>
    others.every(one => one?.ids.includes(id)) ? [{ id, name: first?.names[i] ?? '' }] : [],
  )
  if (!first || own.length === 0 || own.length > MAX_CALLED) return undefined
  return { kind: first.kind, ids: own.map(({ id }) => id), names: own.map(({ name }) => name) }
}

/** "Price" is why a deal was lost only where one was lost. */
const saidOf = (words: readonly string[]) => {
  const isLost = words.some(word => /^(?:los[tse]|losing|loss(?:es)?|lose)$/.test(word))
  return ({ field }: KnownValue) => field !== 'lost_reason' || isLost
}

const FIELD_NAMES = new Set(
  LEXICONS.flatMap(({ phrases }) => [...phrases])
    .filter(
      ([phrase, entries]) => phrase.includes(' ') && entries.some(({ category }) => category === 'Field'),
    )
    .map(([phrase]) => phrase),
)

/** In "by lead source" the word lead is no status; nor is it the website that deals come from in "website of Acme". */
function isFieldName(words: readonly string[], { text, from, to }: Phrase, { fields }: Vocabulary): boolean {
  const longer = `${text} ${words[to] ?? ''}`
  if (FIELD_NAMES.has(longer) || fields.some(({ label }) => fold(label) === longer)) return true
  const isOwned =
    /^(?:of|for)$/.test(words[to] ?? '') ||
    (to === words.length &&
      from > 0 &&
      !/^(?:from|by|via|the|through|source|is|a|an|in|all|our|or|and|not)$/.test(words[from - 1] ?? ''))
  return isOwned && OWNED.has(text)
}
const OWNED = new Set(
  'website phone email address city country industry status language department'.split(' '),
)

/** "in stage New" names the stage, "new deals" does not; "the Total contract" is no sum of contracts. */
function isNamedValue(
  words: readonly string[],
  at: number,
  { values, fields }: Vocabulary,
  capitals: ReadonlySet<string>,
): boolean {
  const word = words[at] ?? ''
  const known = values.get(word) ?? []
  const [before = '', after = ''] = [words[at - 1], words[at + 1]]
  if (known.length > 0 && (/^(?:stage|status|phase)$/.test(before) || /^(?:stage|phase)$/.test(after)))
    return true
  return known.some(({ kind, field }) => {
    const declared = fields.find(one => one.kind === kind && one.key === field)
    const named = declared ? valueKey(declared.label).split(' ') : []
    // "total plan value" is a figure
    const isFigure = /^(?:values?|amounts?|worth|volume|size|revenue|sum|price|number|count)$/.test(
      words[at + 2] ?? '',
    )
    const isBeside = named.includes(after) || named.includes(before === 'is' ? (words[at - 2] ?? '') : before)
    const isListed =
      /^(?:or|and|vs)$/.test(after) &&
      (values.get(words[at + 2] ?? '') ?? []).some(one => one.field === field)
    const isWritten = capitals.has(word) && (named.includes(valueKey(after)) || isListed)
    return (isBeside || isListed || isWritten) && !isFigure
  })
}

function valuesFor(text: string, vocabulary: Vocabulary): readonly KnownValue[] {
  const { values, loose } = vocabulary
  const single = text.replace(/ies$/, 'y').replace(/s$/, '')
  const key = valueKey(text)
  const ofCompanies = (word: string) => values.get(word)?.filter(known => known.kind === 'company')
  if (/^(?:clients?|logos?)$/.test(text) && !values.has(text))
    return ofCompanies('client') ?? ofCompanies('customer') ?? []
  const [, strength] =
    /^((?:very )?(?:weak|strong)|good|medium)(?:ly connected| (?:connections?|relationships?))$/.exec(text) ??
    []
  if (strength !== undefined)
    return ['company', 'contact'].map(kind => ({ kind, field: 'connection_strength', value: strength }))
  // "elevator companies" are in the industry "Elevators"
  const industry =
    text.length >= 5 ? values.get(`${text}s`)?.filter(({ field }) => field === 'industry') : undefined
  const isLoose = key.length >= 3 && !COMMON.has(key) && !text.startsWith('the ')
  return (
    values.get(text) ??
    (single.length >= 3 ? values.get(single) : undefined) ??
    nonEmpty(industry) ??
    (isLoose ? loose.get(key) : undefined) ??
    nonEmpty(placesFor(text, vocabulary)) ??
    stagesFor(text, vocabulary)
  )
}

const nonEmpty = <T>(list: readonly T[] | undefined) => (list?.length ? list : undefined)

const ENDINGS = /(?:ications?|ations?|ating|ated|ying|ied|ing|ed|als?|s)$/
const SHORTEST_STEM = 5

/** Stages as verbs and in the plural: "negotiating", "proposals", "qualifying". */
function stagesFor(word: string, { values }: Vocabulary): KnownValue[] {
  const stemOf = (text: string) => text.replace(ENDINGS, '')
  const stem = stemOf(word)
  if (stem.length < SHORTEST_STEM || stem === word || word.includes(' ')) return []
  return [...values].flatMap(([name, list]) =>
    !name.includes(' ') && name !== word && stemOf(name) === stem
      ? list.filter(({ field }) => field === 'stage_id')
      : [],
  )
}
