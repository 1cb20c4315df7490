/** Sentences with names that no model has learnt, and how many of the names are written as they are spelt. */
import { join } from 'node:path'
import { errorsIn, wordsOf } from '../../test/support/spoken-words.ts'
import { VOICES } from './speech-voices.ts'

const SENTENCES: readonly (readonly [sentence: string, names: string])[] = [
  ['I spoke with Gareth Pryce from Alderwick about the renewal.', 'Gareth Pryce Alderwick'],
  ['Please ask Helga Brandt whether Tessera has signed the contract.', 'Helga Brandt Tessera'],
  ['Marcus Oyelaran will visit Ironbark on Thursday.', 'Marcus Oyelaran Ironbark'],
  ['The demo for Hexagate was moved because Priya is ill.', 'Hexagate Priya'],
  ['Solano Solar wants a quote and Pete Kowalczyk decides.', 'Solano Solar Pete Kowalczyk'],
  ['Woldgate Poultry pays late, talk to Olwen about it.', 'Woldgate Poultry Olwen'],
  ['Send the invoice to Claire Dufresne at Mistral Marine.', 'Claire Dufresne Mistral Marine'],
  ['Birgit from Hansa has postponed the order again.', 'Birgit Hansa'],
  ['We met Victor Osei and Dana Whitfield in Hartford.', 'Victor Osei Dana Whitfield'],
  ['Corrigan asked for a second depot near Athenry.', 'Corrigan Athenry'],
  ['Norman Sykes retires and Kyle takes over at Harbourlight.', 'Norman Sykes Kyle Harbourlight'],
  ['Zeitler wants the audit before Annegret leaves.', 'Zeitler Annegret'],
  ['The pilot at Yarrow Bank starts with Simon next week.', 'Yarrow Bank Simon'],
  ['Okello Foods has asked Joseph for a better price.', 'Okello Foods Joseph'],
  ['Tell Ingrid that Fjordline needs the lorry at six.', 'Ingrid Fjordline'],
  ['Starling Couriers and Lena Moritz agreed to the trial.', 'Starling Couriers Lena Moritz'],
]

/** `listen` writes what is said in a file; the names are all of these, whoever is meant in it. */
export async function namesHeard(
  folder: string,
  listen: (path: string, names: readonly string[]) => Promise<string>,
) {
  const all = SENTENCES.flatMap(([, names]) => names.split(' '))
  const results: Record<string, object> = {}
  for (const voice of ['flite slt', 'flite rms', 'espeak-ng en-us']) {
    for (const [known, names] of [
      ['unknown', []],
      ['known', all],
    ] as const) {
      const sum = { wrong: 0, words: 0, spelt: 0, names: all.length }
      for (const [i, [sentence, said]] of SENTENCES.entries()) {
        const path = join(folder, `names-${i}.wav`)
        VOICES[voice]!(sentence, path)
        const text = await listen(path, names)
        sum.wrong += errorsIn(wordsOf(sentence), wordsOf(text))
        sum.words += wordsOf(sentence).length
        sum.spelt += said.split(' ').filter(name => text.includes(name)).length
      }
      results[`${voice}, ${known}`] = sum
    }
  }
  return results
}
