import { expect, it } from 'vitest'
import { bearsOut, isYesNo } from './yes-or-no.ts'

it.each([
  ['Is the gate open on Sundays?', true],
  ['It is Sunday. is the gate open?', true],
  ['When we drive over on Sunday, is the gate open?', true],
  ['Does the rent cover a driver, or rather: is the driver included?', true],
  ['Could you tell me whether the gate is open?', true],
  ['rush surcharge in percent?', false],
  ['From what swell, in metres, is the gate closed?', false],
  ['Is it open or closed?', false],
  ['When is the gate open, and for whom?', false],
])('%s asks for yes or no: %s', (question, is) => {
  expect(isYesNo(question)).toBe(is)
})

const text = {
  name: 'Gate',
  context: 'Nimbus',
  body: 'The gate is never locked. Visitors pay 12 euros on Fridays.',
}

it.each([
  ['no', 'Is the gate locked?', true],
  ['yes', 'Is the gate locked?', false],
  ['yes', 'Do visitors pay on Fridays?', true],
  ['no', 'Do visitors pay on Sundays?', true],
  ['yes', 'Do visitors pay on Sundays?', false],
  ['no', 'Do visitors pay 15 euros?', true],
  ['yes', 'Is the gate guarded?', false],
  ['no', 'Is the gate guarded?', false],
] as const)('bears out %s to %s: %s', (answer, question, is) => {
  expect(bearsOut(answer, question, text)).toBe(is)
})
