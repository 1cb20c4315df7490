import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tradeWorld } from '../testing/trade-world.testing.ts'
import { inMemory } from '../testing/wordings.testing.ts'

const oneOf = (list: string) => fc.constantFrom(...list.split('|'))

const head = oneOf(
  'how many|which|what|who|list|total|average|how much|when|whose|is there|the biggest|top 3|median|the lowest',
)
const kind = oneOf(
  'deals|companies|contacts|activities|calls|tasks|notes|customers|pipeline|won deals|lost deals|people|emails|employees|amount|revenue|win rate|probability|pallets per week|nps score',
)
const said = oneOf(
  'in Hull|in Negotiation|this month|last year|over 10k|between 5k and 20k|by owner|by stage|per month|each quarter|by industry|with no owner|without email|owned by Ravi|at Woldgate Poultry|with Kestrel|closing next week|since March|more than 3 contacts|with open deals|lost to a competitor|on the Signature plan|with the most deals|for more than two weeks|not in Switzerland|from Portugal|who opted out|high priority|in dollars|per person|each of us|expected to close|won|lost|sorted by amount|and their owners|did we win|did we lose|have been stuck|with a phone number|per week and owner',
)

inMemory('whatever is asked', tradeWorld, account => {
  it.each(['how many people who lost per month', 'is there win rate in Hull with Kestrel per person'])(
    '%s',
    async question => {
      await expect(account().answer(question)).resolves.not.toThrow()
    },
  )

  it('is answered or refused', async () => {
    const questions = fc.tuple(head, kind, fc.array(said, { minLength: 1, maxLength: 3 }))
    await fc.assert(
      fc.asyncProperty(questions, async ([first, what, rest]) => {
        const answer = await account().answer([first, what, ...rest].join(' '))
        if (answer?.grounded) expect(answer.data?.query).toBeDefined()
      }),
      { numRuns: 100 },
    )
  })
})
