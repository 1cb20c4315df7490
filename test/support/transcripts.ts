/**
 * Compares what the speech model wrote with what was said. int8 arithmetic differs between processors, so the same
 * recording gives "200 seats" on arm64 and "two hundred seats" on x86-64, and now and then another word.
 */
import { expect } from 'vitest'
import { errorsIn, wordsOf } from './spoken-words.ts'

/** What is said in test/fixtures/audio/call.*. */
export const CALL =
  'Please call the customer about the renewal of the contract before Friday. She asked for a quote for 200 seats.'

/** One word in ten may be wrong: 2 of the 22 of the call. */
const ERROR_RATE = 0.1

export function expectTranscript(transcript: string, said = CALL): void {
  const words = wordsOf(said)
  const errors = errorsIn(words, wordsOf(transcript))
  expect(errors, `wrong words in "${transcript}"`).toBeLessThanOrEqual(words.length * ERROR_RATE)
}
