import { expect, it } from 'vitest'
import { CALL, expectTranscript } from './support/transcripts.ts'

it.each([
  ['arm64', CALL],
  ['x86-64', CALL.replace('200', 'two hundred')],
  ['other punctuation', CALL.replace('Friday. She', 'friday, she').toUpperCase()],
  ['one other word', CALL.replace('a quote', 'the quote')],
  ['two other words', CALL.replace('a quote', 'the quote').replace('seats', 'seat')],
])('accepts the transcript of %s', (_, transcript) => {
  expectTranscript(transcript)
})

it.each([
  ['nothing', ''],
  ['the first sentence only', CALL.slice(0, CALL.indexOf('She'))],
  ['everything twice', `${CALL} ${CALL}`],
  ['three other words', CALL.replace('a quote for 200', 'the coat for 300')],
])('refuses %s', (_, transcript) => {
  expect(() => expectTranscript(transcript)).toThrow('wrong words in')
})
