import { expect, it } from 'vitest'
import { smallWorld } from '../testing/small-world.testing.ts'
import { inMemory } from '../testing/wordings.testing.ts'
import { memoryFrom, type Memory as Remembered } from '../thread/memory.ts'

type Exchange = [asked: string, said: string, cited?: string[]]

const THREADS: Exchange[][] = [
  [
    ['Which deals do we have?', '6 deals'],
    ['only the open ones', '4 deals'],
    ['Only those over 10k', '3 deals', ['Acme renewal', 'Globex rollout', 'Initech audit']],
    ['How many are there?', '3 deals'],
    ['what is the total value?', '60000 USD'],
    [
      'sort by amount',
      'Globex rollout (amount 30000 USD',
      ['Acme renewal', 'Globex rollout', 'Initech audit'],
    ],
    ['without Acme', '2 deals', ['Globex rollout', 'Initech audit']],
    ['who owns them?', 'Initech audit: owner Mia Wong', ['Globex rollout', 'Initech audit']],
  ],
  [
    ['how many open deals are there in Germany?', '2 deals', ['Acme pilot', 'Acme renewal']],
    ['and in Norway?', '1 deal', ['Globex rollout']],
    ['and the won ones?', '1 deal', ['Globex start']],
    ['what about last year?', '0 deals', []],
  ],
  [
    ['open deals', '4 deals'],
    ['by stage', 'Proposal: 3 deals'],
    ['which is the largest?', 'Globex rollout', ['Globex rollout']],
    ['when does it close?', 'expected close', ['Globex rollout']],
    ['which company is it with?', 'company Globex', ['Globex rollout']],
    ['and their website?', 'do not hold'],
  ],
  [
    ['Who works at Acme?', '2 contacts', ['Ann Smith', 'Bob Jones']],
    ['and Globex?', '1 contact', ['Cy Grey']],
    ['what is their email?', 'cy@globex.test', ['Cy Grey']],
    ['which company does she work for?', 'company Globex', ['Cy Grey']],
  ],
  [
    ['which companies are in Germany?', '1 company', ['Acme Corp']],
    ['how many deals do they have?', '2 deals', ['Acme pilot', 'Acme renewal']],
    ['which of them are over 10k?', '1 deal', ['Acme renewal']],
  ],
]

inMemory('what leans on the question before', smallWorld, account => {
  it.each(THREADS.map(thread => [thread[0]?.[0] ?? '', thread] as const))('after %s', async (_, thread) => {
    let before: Remembered | undefined
    for (const [question, said, cited] of thread) {
      const understood = await account().understand(question, before)
      const answer = await account().answer(question, before)
      expect(answer?.answer, question).toContain(said)
      if (cited)
        expect([question, answer?.citations.map(({ name }) => name).sort()]).toEqual([question, cited])
      before = answer && memoryFrom(understood?.meaning, [], answer, before)
    }
  })

  it.each([
    'how many contacts do we have?',
    'Which contacts at Globex have their email?',
    'And who works at Globex?',
  ])('stands alone: %s', async question => {
    const first = await account().answer('open deals in Germany')
    const understood = await account().understand('open deals in Germany')
    const before = first && memoryFrom(understood?.meaning, [], first, undefined)
    expect(await account().answer(question, before)).toEqual(await account().answer(question))
  })
})
