import { expect, it } from 'vitest'
import { account, NOW } from './account.testing.ts'
import { askedIn } from './background.ts'

it.each([
  ["I'm preparing my forecast - which open deals close next week?", 'which open deals close next week?'],
  ['I have Ann Lee on the line. What is still open at Acme?', 'What is still open at Acme?'],
  ['A shop in Norway wants a quote: which products are active?', 'which products are active?'],
  ["I'd like to sort out my diary, so what is due next week?", 'what is due next week?'],
  ['Which customers sent their papers? I misplaced the folder.', 'Which customers sent their papers?'],
  ['I suspect that our contacts forgot us. Which deals are above 10k?', 'Which deals are above 10k?'],
  ['For the board meeting: how many deals were won this year?', 'how many deals were won this year?'],
])('takes the part that asks: %s', (said, asked) => {
  expect(askedIn(said, account, NOW)).toBe(asked)
})

it.each([
  // what is said of records belongs to the question
  'Our customers in France: how many open deals?',
  'I want to call our customers: which companies have open deals?',
  "I'm looking at Germany: which companies have open deals?",
  "I'm planning next year: which deals close then, and for how much?",
  'We need a figure without the small ones: what is the average amount of deals?',
  // it leans on what was said before
  'I called somebody at the energy firms. Who are they?',
  'We have an office in the north: which companies do we have there?',
  'There was a fair in Oslo: which deals came from that?',
  // one sentence
  'When is the St. Verena dialysis deal expected to close?',
  'Which deals of Dr. Haller are open?',
  // two questions
  'Which deals are open? Who owns them?',
  'What is open at Acme?',
])('leaves a question that may need all of it: %s', said => {
  expect(askedIn(said, account, NOW)).toBe(said)
})
