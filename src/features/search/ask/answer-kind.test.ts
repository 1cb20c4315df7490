import { expect, it } from 'vitest'
import { isOfKind } from './answer-kind.ts'

it.each([
  ['How many litres per hour does Franz need?', 'Ask how he heats the water.', false],
  ['How many litres per hour does Franz need?', 'He needs 900 in the morning.', true],
  ['How many more vessels does Claire need?', 'Eleven from January on.', true],
  ['How much rent do they pay?', 'He has signed the lease by the motorway.', false],
  ['When will the article be published?', 'Camille is preparing an article.', false],
  ['When will the article be published?', 'It comes out in the spring issue.', true],
  ['Why was the article late?', 'Nobody had the photos.', true],
])('“%s” may be answered by “%s”: %s', (question, text, may) => {
  expect(isOfKind(question, text)).toBe(may)
})
