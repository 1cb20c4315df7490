/** Countries and languages by the other names they go by: "UK", "German companies", "French-speaking". */

import type { KnownValue } from './account-words.ts'
import { countriesOn } from './continents.ts'
import { valueKey } from './value-key.ts'
import type { Vocabulary } from './vocabulary.ts'

/** names | adjective | code of the language */
export const COUNTRIES = `united states,usa,us,america,united states of america|american|en
united kingdom,uk,great britain,britain|british|en
england|english|en
scotland|scottish|
netherlands,holland|dutch|nl
germany,deutschland|german|de
france|french|fr
italy,italia|italian|it
spain,espana|spanish|es
portugal|portuguese|pt
switzerland|swiss|
austria|austrian|
belgium|belgian|
ireland|irish|ga
denmark|danish|da
sweden|swedish|sv
norway|norwegian|no
finland|finnish|fi
poland|polish|pl
czech republic,czechia|czech|cs
hungary|hungarian|hu
greece|greek|el
turkey,turkiye|turkish|tr
russia|russian|ru
ukraine|ukrainian|uk
romania|romanian|ro
canada|canadian|
mexico|mexican|
brazil,brasil|brazilian|
argentina|argentinian|
australia|australian|
new zealand|new zealand|
india|indian|
china|chinese|zh
japan|japanese|ja
south korea,korea|korean|ko
singapore|singaporean|
indonesia|indonesian|id
israel|israeli|
united arab emirates,uae,emirates|emirati|
saudi arabia|saudi|
egypt|egyptian|
kenya|kenyan|
nigeria|nigerian|
senegal|senegalese|
south africa|south african|
cyprus|cypriot|
malta|maltese|
luxembourg|luxembourgish|
iceland|icelandic|is
estonia|estonian|et
latvia|latvian|lv
lithuania|lithuanian|lt
slovakia|slovak|sk
slovenia|slovenian|sl
croatia|croatian|hr
serbia|serbian|sr
bulgaria|bulgarian|bg
andorra|andorran|
monaco|monegasque|
uruguay|uruguayan|
paraguay|paraguayan|
chile|chilean|
peru|peruvian|
colombia|colombian|
ecuador|ecuadorian|
bolivia|bolivian|
venezuela|venezuelan|
costa rica|costa rican|
panama|panamanian|
morocco|moroccan|
tunisia|tunisian|
algeria|algerian|
ghana|ghanaian|
ethiopia|ethiopian|
tanzania|tanzanian|
uganda|ugandan|
namibia|namibian|
botswana|botswanan|
mozambique|mozambican|
zimbabwe|zimbabwean|
zambia|zambian|
thailand|thai|th
vietnam|vietnamese|vi
malaysia|malaysian|ms
philippines|filipino|
taiwan|taiwanese|
pakistan|pakistani|
bangladesh|bangladeshi|
sri lanka|sri lankan|
nepal|nepalese|
qatar|qatari|
kuwait|kuwaiti|
oman|omani|
jordan|jordanian|
lebanon|lebanese|`
  .split('\n')
  .map(line => {
    const [names = '', adjective = '', language = ''] = line.split('|')
    return { names: names.split(','), adjective, language }
  })

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
  const { values } = vocabulary
  const speaking = SPEAKING.exec(gram)
  if (speaking) {
    const name = speaking.slice(1).find(Boolean) ?? ''
    const found = COUNTRIES.find(one => one.adjective === name && one.language !== '')
    return ofField([name, ...(found ? [found.language] : [])], 'language', values)
  }
  if (gram === 'us') return []
  const region = REGIONS.find(([name]) => name.test(gram))?.[1].split(/[ |](?!states)/)
  if (region)
    return ofField(
      region.flatMap(name => COUNTRIES.find(one => one.names.includes(name))?.names ?? name),
      'country',
      values,
    )
  const continent = countriesOn(gram, vocabulary)
  if (continent.length > 0) return continent
  const country = COUNTRIES.find(one => one.adjective === gram || one.names.includes(gram))
  return country ? ofField(country.names, 'country', values) : []
}

const ofField = (names: readonly string[], field: string, values: Vocabulary['values']): KnownValue[] => [
  ...new Set(
    names
      .flatMap(name => [name, `the ${name}`].flatMap(key => values.get(key) ?? []))
      .filter(known => known.field === field && valueKey(known.value) !== ''),
  ),
]
