/** Sentences as they are said on the telephone, voices that speak them, and how what is heard is compared. */
import { execFileSync } from 'node:child_process'

/** The first ten are short, the others as long as people speak in one breath. */
export const SENTENCES = [
  'Please call the customer about the renewal of the contract before Friday.',
  'The meeting with the sales team has been moved to Tuesday afternoon.',
  'She asked for a discount of ten percent on the annual plan.',
  'We will send the proposal and the price list by the end of the week.',
  'Their budget was approved and the decision is expected next month.',
  'He is the head of procurement and wants to see a demonstration first.',
  'The invoice was paid late because the purchase order was missing.',
  'They are comparing our product with two other vendors at the moment.',
  'Remind me to follow up with the finance director after the holidays.',
  'The customer reported a problem with the import of their contacts.',
  'Good morning, this is Helen from the sales office, and I am calling about the offer that we sent you last week.',
  'The customer would like to renew the contract for two more years if we can lower the price by ten percent.',
  'Their new finance director wants to see the numbers for the last quarter before she signs anything.',
  'We agreed to meet again on Thursday at three in the afternoon to go through the open questions.',
  'Please send the invoice to the new address in London and copy the head of purchasing on the email.',
  'The demonstration went well, but the technical team still has doubts about security and data protection.',
  'He mentioned that a competitor offered them a cheaper solution with fewer features and no support.',
  'Let us follow up in early September, when the budget for next year has been approved by the board.',
  'The delivery was late again, and the warehouse manager is quite unhappy with how we handled the complaint.',
  'I will prepare a short summary of this call and share it with the rest of the account team tonight.',
]

export const run = (command: string, args: string[]): void => {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

type Voice = (text: string, path: string) => void

const espeak =
  (...options: string[]): Voice =>
  (text, path) =>
    run('espeak-ng', [...options, '-w', path, text])
const flite =
  (voice: string): Voice =>
  (text, path) =>
    run('flite', ['-voice', voice, '-t', text, '-o', path])

/** As a telephone passes it on: 300 to 3400 Hz, 8000 samples a second, µ-law. */
const byTelephone =
  (voice: Voice): Voice =>
  (text, path) => {
    voice(text, `${path}.full.wav`)
    const filter = ['-af', 'highpass=f=300,lowpass=f=3400', '-ar', '8000', '-c:a', 'pcm_mulaw']
    run('ffmpeg', ['-v', 'error', '-y', '-i', `${path}.full.wav`, ...filter, path])
  }

export const VOICES: Record<string, Voice> = {
  'espeak-ng': espeak(),
  'espeak-ng en-us': espeak('-v', 'en-us'),
  'flite kal': flite('kal'),
  'flite slt': flite('slt'),
  'flite rms': flite('rms'),
  'flite awb': flite('awb'),
  'flite slt by telephone': byTelephone(flite('slt')),
  'flite rms by telephone': byTelephone(flite('rms')),
}

const NUMBERS = 'zero one two three four five six seven eight nine ten'.split(' ')

/**
 * Both sides alike: lower case; "%" and "per cent" are "percent"; figures up to ten are words; hyphens and all signs
 * but the apostrophe part words. Nothing else is forgiven: names, endings and articles count.
 */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/%|\bper cent\b/g, ' percent')
    .replace(/\b(\d|10)\b/g, number => NUMBERS[Number(number)]!)
    .replace(/[^a-z0-9' ]/g, ' ')
    .split(/\s+/)
    .filter(word => word !== '')

/** Words that are wrong, missing or too many. */
export function errorsIn(wanted: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, i) => i)
  for (const [i, word] of wanted.entries()) {
    const next = [i + 1]
    for (let j = 0; j < heard.length; j++)
      next.push(Math.min(row[j]! + (word === heard[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row.at(-1)!
}
