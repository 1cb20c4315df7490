/**
 * Countries that no record is in: then the answer is that there are none. Only where all countries of the account are
 * known for what they are, for one that is written in another way could be the very one.
 */
import type { Kind } from '../fields/index.ts'
import type { Mention } from './mentions.ts'
import { COUNTRIES } from './places.ts'
import { around } from './question.ts'
import { valueKey } from './value-key.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Codes of the standard that are no countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'ZZ', 'XA', 'XB'])
/** Parts of a country that people name for it, or beside it. */
const PARTS: Record<string, string> = { england: 'GB', scotland: 'GB', wales: 'GB', 'northern ireland': 'GB' }
const MAX_WORDS = 5
/** More than this were not read, so that it is not known what stands there. */
const MAX_VALUES = 300

let known: Map<string, string> | undefined

/** Names and two-letter codes → the code. */
function codes(): Map<string, string> {
  if (known) return known
  known = new Map(Object.entries(PARTS))
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const code of letters.flatMap(a => letters.map(b => a + b))) {
    const name = NO_COUNTRIES.has(code) ? undefined : names.of(code)
    // "DD" is East Germany's, which the library calls Germany
    if (name === undefined || known.has(valueKey(name))) continue
    known.set(valueKey(name), code)
    known.set(code.toLowerCase(), code)
  }
  for (const { names: others } of COUNTRIES) {
    const code = others.map(name => known!.get(valueKey(name))).find(one => one !== undefined)
    if (code) for (const name of others) known.set(valueKey(name), code)
  }
  return known
}

const codeOf = (name: string): string | undefined => codes().get(valueKey(name))

/** The codes of the countries that stand in records; undefined when one of them is not known. */
function countriesOf({ values }: Vocabulary): Set<string> | undefined {
  const named = [...values.values()]
    .flat()
    .filter(({ field }) => field === 'country')
    .map(({ value }) => value)
  const found = named.map(codeOf)
  return found.includes(undefined) || named.length >= MAX_VALUES ? undefined : new Set(found as string[])
}

/** The last to be asked: whoever is called Jordan or Georgia goes first. */
export function addAbsent(
  words: readonly string[],
  taken: (Mention | undefined)[],
  mentions: Mention[],
  vocabulary: Vocabulary,
): void {
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + MAX_WORDS); to > from; to--) {
      if (taken.slice(from, to).some(Boolean)) continue
      const name = countryIn(words, from, to)
      const code = name === undefined ? undefined : codeOf(name)
      if (code === undefined) continue
      const present = countriesOf(vocabulary)
      if (!present || present.has(code)) return
      const value = new Intl.DisplayNames('en', { type: 'region' }).of(code)!
      const values = (['contact', 'company'] as Kind[]).map(kind => ({ kind, field: 'country', value }))
      const mention: Mention = {
        said: words.slice(from, to).join(' '),
        values,
        records: undefined,
        isAbsent: true,
        ...around(words, from, to),
      }
      mentions.push(mention)
      taken.fill(mention, from, to)
      break
    }
  }
}

/** "in Portugal", "from the Philippines", "Portuguese companies"; codes are too short to be told from words. */
function countryIn(words: readonly string[], from: number, to: number): string | undefined {
  const gram = words.slice(from, to).join(' ')
  const before = words.slice(0, from).join(' ')
  if (/(?:^| )(?:in|from|outside|outside of|within|inside|or|nor|and)(?: the)?$/.test(before))
    return gram.length > 3 || gram === 'uk' || gram === 'uae' ? gram : undefined
  const isOf =
    /^(?:compan(?:y|ies)|contacts?|customers?|clients?|leads?|prospects?|accounts?|deals?|people|businesses|firms?)$/
  if (!isOf.test(words[to] ?? '')) return undefined
  return COUNTRIES.find(one => one.adjective === gram)?.names[0]
}
