/** Sentences as they are said on the telephone, and voices that speak them. */
import { execFileSync } from 'node:child_process'

/**
 * The first ten are short, the second ten as long as people speak in one breath, the others have more names and
 * numbers in them.
 */
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
  'We met with Anna from Acme on Tuesday and she wants the contract by Friday.',
  'The deal is worth twenty five thousand euros and should close in March.',
  'Tom will send the revised quote to the client tomorrow morning.',
  'I spoke with Maria about the onboarding and she is very happy with the service.',
  'Can you set up a call with their legal department for next Wednesday at nine?',
  'The pilot starts in two weeks with fifty users in the Berlin office.',
  'David is leaving the company, so our new contact will be Sarah Miller.',
  'They need a single sign on integration before they can roll it out to everyone.',
  'Let us move this opportunity to the negotiation stage and update the forecast.',
  'The support ticket has been open for six days and nobody has answered it.',
  'He said that the price is too high and asked us for a better offer.',
  'Please add a note that the customer prefers to be contacted by email.',
  'We lost the deal to a competitor because our delivery times were too long.',
  'Next steps are a security review, a workshop with the users and a final offer.',
  'The board will decide in October whether they extend the license for another year.',
  'Peter asked for the data sheet and three references from the banking industry.',
  'Their warehouse in Chicago still runs on spreadsheets and they want to replace them.',
  'I left a voice message for the marketing manager and will try again on Monday.',
  'The new subscription costs forty dollars per user and month, billed every year.',
  'Thank you for your time today, I will summarize our discussion and send it to you this evening.',
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
