/**
 * Continents by their countries. Countries that lie on two of them, or on which people disagree, are on none: an
 * account with one of these, or with a name that is on no list, is not asked about continents, since an answer could
 * leave it out.
 */
import type { KnownValue } from './account-words.ts'
import { valueKey } from './value-key.ts'
import type { Vocabulary } from './vocabulary.ts'

const CONTINENTS: Readonly<Record<string, string>> = {
  europe: `albania, andorra, austria, belarus, belgium, bosnia and herzegovina, britain, bulgaria, croatia,
    czech republic, czechia, denmark, deutschland, england, estonia, finland, france, germany, great britain, greece,
    holland, hungary, iceland, ireland, italy, kosovo, latvia, liechtenstein, lithuania, luxembourg, malta, moldova,
    monaco, montenegro, netherlands, north macedonia, norway, poland, portugal, romania, san marino, scotland, serbia,
    slovakia, slovenia, spain, sweden, switzerland, uk, ukraine, united kingdom, wales`,
  asia: `afghanistan, bahrain, bangladesh, bhutan, brunei, cambodia, china, hong kong, india, indonesia, iran, iraq,
    israel, japan, jordan, korea, kuwait, kyrgyzstan, laos, lebanon, malaysia, maldives, mongolia, myanmar, nepal,
    oman, pakistan, philippines, qatar, saudi arabia, singapore, south korea, sri lanka, syria, taiwan, tajikistan,
    thailand, turkmenistan, uae, united arab emirates, uzbekistan, vietnam, yemen`,
  africa: `algeria, angola, botswana, cameroon, congo, ethiopia, ghana, ivory coast, kenya, libya, madagascar, malawi,
    mali, mauritius, morocco, mozambique, namibia, nigeria, rwanda, senegal, south africa, sudan, tanzania, tunisia,
    uganda, zambia, zimbabwe`,
  'north america': 'canada, mexico, united states, united states of america, us, usa, america',
  'south america': `argentina, bolivia, brazil, chile, colombia, ecuador, guyana, paraguay, peru, suriname, uruguay,
    venezuela`,
  oceania: 'australia, fiji, new zealand, papua new guinea, samoa',
}
const continents = new Map(
  Object.entries(CONTINENTS).flatMap(([continent, names]) =>
    names.split(',').map(name => [valueKey(name), continent] as const),
  ),
)

/** The account's countries on a continent, or of its adjective: "Europe", "Asian". */
export function countriesOn(gram: string, { values }: Vocabulary): KnownValue[] {
  const continent = gram.replace(/(?<=e)an$|(?<=a)n$/, '')
  if (!Object.hasOwn(CONTINENTS, continent)) return []
  const countries = [...values.values()].flat().filter(({ field }) => field === 'country')
  const isKnown = countries.every(({ value }) => continents.has(valueKey(value)))
  return isKnown ? countries.filter(({ value }) => continents.get(valueKey(value)) === continent) : []
}
