/** Probabilities as shares of 1 and as percentages. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { done, errorsOf, uploaded } from './testing.ts'

interface Case {
  header?: string
  hubspot?: true
  cells: string[]
  probabilities: (number | null)[]
  warning?: true
}

const cases: Case[] = [
  { hubspot: true, cells: ['0.2', '1.0', '0.07'], probabilities: [20, 100, 7] },
  { hubspot: true, cells: ['1', '0'], probabilities: [100, 0] },
  { hubspot: true, cells: ['20', '1'], probabilities: [20, 1] },
  { cells: ['0,5', '1'], probabilities: [50, 100] },
  { cells: ['1', '0'], probabilities: [1, 0], warning: true },
  { cells: ['25 %', '100'], probabilities: [25, 100] },
  { cells: ['0.2', '50'], probabilities: [null, 50] },
  { cells: ['0.125', '1'], probabilities: [null, 100] },
  { header: 'Probability (%)', cells: ['1', '0'], probabilities: [1, 0] },
]

onAnyEngine('probabilities of an import', account => {
  it('are shares where all are from 0 to 1', async () => {
    const me = await account()
    for (const [
      n,
      { header = 'Deal probability', hubspot, cells, probabilities, warning },
    ] of cases.entries()) {
      const rows = cells.map((cell, i) => `${n}-${i};${n}${i};${cell}\n`).join('')
      const upload = await uploaded(me, `Deal name;${hubspot ? 'Record ID' : 'Number'};${header}\n${rows}`, {
        entity_type: 'deal',
      })
      expect(upload.options.profile ?? null).toBe(hubspot ? 'hubspot' : null)
      await done(me, upload.id, 'start')
      const { items } = (await me.get(`/api/deals?page_size=100`)).body
      const read = cells.map(
        (_, i) => items.find(({ name }: { name: string }) => name === `${n}-${i}`)?.probability ?? null,
      )
      expect(read, cells.join()).toEqual(probabilities)
      const codes = upload.warnings.map(({ code }: { code: string }) => code)
      expect(codes.includes('probability_scale'), cells.join()).toBe(warning === true)
      for (const { message } of await errorsOf(me, upload.id))
        expect(message).toMatch(/whole number of percent/)
    }
  })
})
