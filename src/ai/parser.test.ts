import { afterAll, describe, expect, it } from 'vitest'
import { endLocalModels, localEmbedder } from './local-embedder.ts'

const ITEMS = ['value company country Germany (german)', 'field deal Amount, a number', 'number 5000']

describe('the parser', () => {
  const parse = (question: string, items: readonly string[]) =>
    localEmbedder(undefined).parse?.(question, items) ?? Promise.resolve([])
  afterAll(endLocalModels)

  it('writes lines, the likeliest first', async () => {
    const lines = await parse('How many open deals do our German customers have?', ITEMS)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.length).toBeLessThanOrEqual(12)
    expect(lines.map(({ logp }) => logp)).toEqual(lines.map(({ logp }) => logp).sort((a, b) => b - a))
    expect(lines[0]?.tokens).toEqual(expect.arrayContaining(['of deal', 'count', '@0']))
    const sum = lines.reduce((total, { logp }) => total + Math.exp(logp), 0)
    expect(sum).toBeLessThan(1.001)
  })

  it('points to items wherever they are in the list', async () => {
    const [line] = await parse('How many open deals do our German customers have?', ITEMS.toReversed())
    expect(line?.tokens).toEqual(expect.arrayContaining(['of deal', 'count', '@2']))
  })

  it('takes questions without items, and more of both than it can read', async () => {
    expect((await parse('How many deals are open?', [])).length).toBeGreaterThan(0)
    const many = Array.from({ length: 60 }, (_, i) => `value company called ${'long name '.repeat(20)}${i}`)
    const lines = await parse('deals '.repeat(200), many)
    for (const { tokens } of lines) expect(tokens.length).toBeLessThanOrEqual(48)
  })

  it('writes the same for the same question', async () => {
    const twice = await Promise.all([parse('won deals', ITEMS), parse('won deals', ITEMS)])
    expect(twice[0]).toEqual(twice[1])
  })
})
