/**
 * Countries that no record is in: then the answer is that there are none. Only where all countries of the account are
 * known for what they are, for one that is written in another way could be the very one.
 */
import type { KnownValue } from './account-words.ts'
import { COUNTRIES } from './places.ts'
import { valueKey } from './value-key.ts'
import { MAX_VALUES, type Vocabulary } from './vocabulary.ts'

/** Codes of the standard that are no countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'ZZ', 'XA', 'XB'])
/** Parts of a country that people name for it, or beside it. */
const PARTS: Record<string, string> = { england: 'GB', scotland: 'GB', wales: 'GB', 'northern ireland': 'GB' }

let known: Map<string, string> | undefined

/** Names and two-letter codes → the code. */
function codes(): Map<string, string> {
  if (known) return known
  const all = new Map(Object.entries(PARTS))
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const code of letters.flatMap(a => letters.map(b => a + b))) {
    const name = NO_COUNTRIES.has(code) ? undefined : names.of(code)
    // "DD" is East Germany's, which the library calls Germany
    if (name === undefined || all.has(valueKey(name))) continue
    all.set(valueKey(name), code)
    all.set(code.toLowerCase(), code)
  }
  for (const { names: others } of COUNTRIES) {
    const code = others.map(name => all.get(valueKey(name))).find(one => one !== undefined)
    if (code) for (const name of others) all.set(valueKey(name), code)
  }
  known = all
  return all
}

const codeOf = (name: string): string | undefined => codes().get(valueKey(name))

/** The codes of the countries that stand in records; undefined when one of them is not known. */
function countriesOf({ values }: Vocabulary): Set<string> | undefined {
  const named = [...values.values()]
    .flat()
    .filter(({ field }) => field === 'country')
    .map(({ value }) => value)
  const found = named.flatMap(name => codeOf(name) ?? [])
  // more than these were not read, so that it is not known what stands there
  return found.length < named.length || named.length >= MAX_VALUES ? undefined : new Set(found)
}

export function absentCountry(
  words: readonly string[],
  from: number,
  to: number,
  vocabulary: Vocabulary,
): KnownValue[] {
  const name = countryIn(words, from, to)
  const code = name === undefined ? undefined : codeOf(name)
  const present = code === undefined ? undefined : countriesOf(vocabulary)
  if (code === undefined || !present || present.has(code)) return []
  const value = new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code
  return ['contact', 'company'].map(kind => ({ kind, field: 'country', value }))
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
