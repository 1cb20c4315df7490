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
  ['How much did they pay for Grashof?', 'Every supplier is to come down 8 % by summer.', false],
  ['How much did they pay for Grashof?', 'They got it for 12 million.', true],
  ['What would Zofia pay for?', 'Zofia would pay for dictation.', true],
  ['How much does a seat cost them?', 'Would sign at $42 a seat.', true],
  ['Which bank gave Osterhagen the loan?', 'Their bank has approved the loan, before Easter.', false],
  ['Which bank gave Osterhagen the loan?', 'The loan is from Sparkasse Bremen.', true],
  ['Which identity provider does Hexagate use?', 'They use Okta.', true],
  ['What is the name of the rabbi?', 'Camille asks whether a rabbi may seal it.', false],
  ['Which discount chain is Nigel joining?', 'Nigel joins a discount chain. Ask Attracta.', false],
  ['Which discount chain is Nigel joining?', 'Word is that Nigel joins a discount chain.', false],
  ['What does Barry charge for ten thousand bags?', 'Minimum run is ten thousand bags.', false],
  ['What does Barry charge for ten thousand bags?', 'He wants 900 euros for ten thousand.', true],
  ['What is the serial number of the roaster?', 'The drum stands still for three days.', false],
  ['Which start-up is Florian joining?', 'Leaves for a start-up; he takes us along.', false],
  ['Which start-up is Florian joining?', 'Leaves for a start-up called Nimbit.', true],
  ['What penalty does Carmen want?', 'She wants a penalty of two percent a week.', true],
  ['Which plumber did we hire?', 'A plumber is needed before the machines come.', false],
  ['Which choir does she sing in?', 'Sings in an opera choir.', true],
  ['Which insurer covers us?', 'Next step: Insurance confirmation to legal', false],
  ['Which customer was bought?', 'They belong to a fund now.', true],
])('“%s” may be answered by “%s”: %s', (question, text, may) => {
  expect(isOfKind(question, text, new Map())).toBe(may)
})

it('counts only what is asked for', () => {
  const question = 'How many litres of beer do they brew?'
  expect(isOfKind(question, 'The ceiling is 2.10 metres high.', new Map([['litres', 0.34]]))).toBe(false)
  expect(isOfKind(question, 'They brew 90,000 l.', new Map([['litres', 0.74]]))).toBe(true)
})
