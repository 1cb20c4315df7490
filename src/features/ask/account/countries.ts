/** Countries and languages by the other names they go by: "UK", "German companies", "Europe", "French-speaking". */
import { type KnownValue, valueKey } from './account-words.ts'
import { MAX_VALUES, type Vocabulary } from './vocabulary.ts'

/**
 * names | adjective | code of the language. Countries that lie on two continents, or on which people disagree, are on
 * none.
 */
const COUNTRIES = Object.entries({
  europe: `united kingdom,uk,great britain,britain|british|en; england|english|en; scotland|scottish; wales
    netherlands,holland|dutch|nl; germany,deutschland|german|de; france|french|fr; italy,italia|italian|it
    spain,espana|spanish|es; portugal|portuguese|pt; switzerland|swiss; austria|austrian; belgium|belgian
    ireland|irish|ga; denmark|danish|da; sweden|swedish|sv; norway|norwegian|no; finland|finnish|fi
    poland|polish|pl; czech republic,czechia|czech|cs; hungary|hungarian|hu; greece|greek|el
    ukraine|ukrainian|uk; romania|romanian|ro; malta|maltese; luxembourg|luxembourgish; iceland|icelandic|is
    estonia|estonian|et; latvia|latvian|lv; lithuania|lithuanian|lt; slovakia|slovak|sk; slovenia|slovenian|sl
    croatia|croatian|hr; serbia|serbian|sr; bulgaria|bulgarian|bg; andorra|andorran; monaco|monegasque
    albania; belarus; bosnia and herzegovina; kosovo; liechtenstein; moldova; montenegro; north macedonia
    san marino`,
  asia: `india|indian; china|chinese|zh; japan|japanese|ja; south korea,korea|korean|ko; singapore|singaporean
    indonesia|indonesian|id; israel|israeli; united arab emirates,uae,emirates|emirati; saudi arabia|saudi
    thailand|thai|th; vietnam|vietnamese|vi; malaysia|malaysian|ms; philippines|filipino; taiwan|taiwanese
    pakistan|pakistani; bangladesh|bangladeshi; sri lanka|sri lankan; nepal|nepalese; qatar|qatari
    kuwait|kuwaiti; oman|omani; jordan|jordanian; lebanon|lebanese; afghanistan; bahrain; bhutan; brunei
    cambodia; hong kong; iran; iraq; kyrgyzstan; laos; maldives; mongolia; myanmar; syria; tajikistan
    turkmenistan; uzbekistan; yemen`,
  africa: `kenya|kenyan; nigeria|nigerian; senegal|senegalese; south africa|south african; morocco|moroccan
    tunisia|tunisian; algeria|algerian; ghana|ghanaian; ethiopia|ethiopian; tanzania|tanzanian; uganda|ugandan
    namibia|namibian; botswana|botswanan; mozambique|mozambican; zimbabwe|zimbabwean; zambia|zambian; angola
    cameroon; congo; ivory coast; libya; madagascar; malawi; mali; mauritius; rwanda; sudan`,
  'north america': `united states,usa,us,america,united states of america|american|en; canada|canadian
    mexico|mexican`,
  'south america': `brazil,brasil|brazilian; argentina|argentinian; uruguay|uruguayan; paraguay|paraguayan
    chile|chilean; peru|peruvian; colombia|colombian; ecuador|ecuadorian; bolivia|bolivian
    venezuela|venezuelan; guyana; suriname`,
  oceania: 'australia|australian; new zealand|new zealand; fiji; papua new guinea; samoa',
  '': `turkey,turkiye|turkish|tr; russia|russian|ru; egypt|egyptian; cyprus|cypriot; costa rica|costa rican
    panama|panamanian`,
}).flatMap(([continent, countries]) =>
  countries.split(/;|\n/).map(line => {
    const [names = '', adjective, language] = line.trim().split('|')
    return { names: names.split(','), adjective, language, continent }
  }),
)

const REGIONS: [name: RegExp, countries: string][] = [
  [/^scandinavian?$/, 'denmark norway sweden'],
  [/^(?:the )?nordics?(?: countries)?$/, 'denmark norway sweden finland iceland'],
  [/^(?:the )?benelux(?: countries)?$/, 'belgium netherlands luxembourg'],
  [/^(?:the )?dach(?: region)?$|^german-speaking countries$/, 'germany austria switzerland'],
  [/^(?:the )?baltics?(?: states)?$/, 'estonia latvia lithuania'],
  [/^iberian?$/, 'spain portugal'],
]

const SPEAKING =
  /^(\p{L}+)[- ]speak(?:ing|ers?)$|^(?:who )?speaks? (\p{L}+)$|^(\p{L}+) as (?:their|his|her|a|the) (?:\p{L}+ )?language$|^language is (\p{L}+)$/u

/** "US" is a country, "us" is not. */
export const withCountries = (question: string): string =>
  /\p{Ll}/u.test(question)
    ? question.replace(/(?<![\p{L}\p{N}.])(?:U\.S\.A\.|U\.S\.|USA?)(?![\p{L}\p{N}])/gu, 'United States')
    : question

/** What a country or language is called in this account. */
export function placesFor(gram: string, vocabulary: Vocabulary): KnownValue[] {
  const speaking = SPEAKING.exec(gram)
  if (speaking) {
    const name = speaking.slice(1).find(Boolean) ?? ''
    const language = COUNTRIES.find(one => one.adjective === name && one.language)?.language
    return ofField(language === undefined ? [name] : [name, language], 'language', vocabulary)
  }
  if (gram === 'us') return []
  const region = REGIONS.find(([name]) => name.test(gram))?.[1].split(' ')
  if (region) {
    const countries = COUNTRIES.filter(({ names }) => region.some(name => names.includes(name)))
    return ofField(
      countries.flatMap(({ names }) => names),
      'country',
      vocabulary,
    )
  }
  const continent = countriesOn(gram, vocabulary)
  if (continent.length > 0) return continent
  const country = COUNTRIES.find(one => one.adjective === gram || one.names.includes(gram))
  return country ? ofField(country.names, 'country', vocabulary) : []
}

/** The names of the country that an adjective is of, also where it means the language. */
export const countryOf = (adjective: string): readonly string[] =>
  COUNTRIES.find(one => one.adjective === adjective)?.names ?? []

/** A country, its adjective or a region: "austria", "united states", "mexican". Two letters are also words. */
export const isCountry = (gram: string): boolean =>
  gram.length > 3 &&
  (REGIONS.some(([name]) => name.test(gram)) ||
    COUNTRIES.some(({ adjective, names }) => adjective === gram || names.includes(gram)) ||
    codes().has(valueKey(gram)))

const FIRMS =
  /^(?:compan(?:y|ies)|firms?|business(?:es)?|accounts?|customers?|clients?|prospects?|partners?|deals?|organi[sz]ations?)$/

/** People speak Italian, and Italian companies are in Italy. `known`: the values that the word stands for. */
export function inCountry(
  gram: string,
  next: string | undefined,
  known: readonly KnownValue[],
  vocabulary: Vocabulary,
): readonly KnownValue[] {
  const isLanguage = known.length > 0 && known.every(({ field }) => field === 'language')
  const places = isLanguage && FIRMS.test(next ?? '') ? placesFor(gram, vocabulary) : []
  return places.length > 0 ? places : known
}

const ofField = (names: readonly string[], field: string, { values }: Vocabulary): KnownValue[] => [
  ...new Set(
    names
      .flatMap(name => [name, `the ${name}`].flatMap(key => values.get(key) ?? []))
      .filter(known => known.field === field && valueKey(known.value) !== ''),
  ),
]

const countryValues = ({ values }: Vocabulary): KnownValue[] =>
  [...values.values()].flat().filter(({ field }) => field === 'country')

const continents = new Map(
  COUNTRIES.flatMap(({ names, continent }) => names.map(name => [valueKey(name), continent] as const)),
)

/**
 * The account's countries on a continent, or of its adjective: "Europe", "Asian". An account with a country on none, or
 * with a name that is on no list, is not asked about continents, since an answer could leave it out.
 */
function countriesOn(gram: string, vocabulary: Vocabulary): KnownValue[] {
  const continent = gram.replace(/(?<=e)an$|(?<=a)n$/, '')
  if (!COUNTRIES.some(one => one.continent === continent)) return []
  const countries = countryValues(vocabulary)
  const continentOf = ({ value }: KnownValue) => continents.get(valueKey(value))
  return countries.every(continentOf) ? countries.filter(one => continentOf(one) === continent) : []
}

// ---- countries that no record is in

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

/**
 * A country that no record is in: the answer is that there are none. Only where all countries of the account are known
 * for what they are, for one that is written in another way could be the very one.
 */
export function absentCountry(
  words: readonly string[],
  from: number,
  to: number,
  vocabulary: Vocabulary,
): KnownValue[] {
  const codeOf = (name: string) => codes().get(valueKey(name))
  const name = countryIn(words, from, to)
  const code = name === undefined ? undefined : codeOf(name)
  if (code === undefined) return []
  const present = countryValues(vocabulary).map(({ value }) => codeOf(value))
  // more than these were not read, so that it is not known what stands there
  const isUnsure = present.includes(undefined) || present.length >= MAX_VALUES
  if (isUnsure || present.includes(code)) return []
  const value = new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code
  return ['contact', 'company'].map(kind => ({ kind, field: 'country', value }))
}

/** "in Portugal", "from the Philippines", "Portuguese companies"; codes are left out, because short ones are also words. */
function countryIn(words: readonly string[], from: number, to: number): string | undefined {
  const gram = words.slice(from, to).join(' ')
  const before = words.slice(0, from).join(' ')
  if (/(?:^| )(?:in|from|outside|outside of|within|inside|or|nor|and)(?: the)?$/.test(before))
    return valueKey(gram).length > 3 || gram === 'uk' || gram === 'uae' ? gram : undefined
  const isOf =
    /^(?:compan(?:y|ies)|contacts?|customers?|clients?|leads?|prospects?|accounts?|deals?|people|businesses|firms?)$/
  return isOf.test(words[to] ?? '') ? COUNTRIES.find(one => one.adjective === gram)?.names[0] : undefined
}
