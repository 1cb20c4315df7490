import ort from 'onnxruntime-node'
import { expect, it } from 'vitest'
import type { Decoder } from './decoding.ts'
import { generate } from './search.ts'

const END = 4
/** After each token how likely the others are. The likeliest beginning, 1, leads nowhere; 2 and 3 are sure. */
const NEXT: Record<number, number[]> = {
  0: [0, 0.55, 0.45, 0, 0],
  1: [0, 0.3, 0.2, 0.3, 0.2],
  2: [0, 0, 0, 1, 0],
  3: [0, 0, 0, 0, 1],
}

/** Remembers in its cache what it was given, and knows nothing else: a cache that is mixed up shows. */
const decoder: Decoder = {
  layers: 1,
  heads: 1,
  headSize: 1,
  end: END,
  session: {
    run: async (feeds: Record<string, ort.Tensor>) => {
      const given = [...(feeds.input_ids!.data as BigInt64Array)].map(Number)
      const old = feeds['past_key_values.0.decoder.key']!
      const length = old.dims[2]!
      const rows = given.map((token, row) => [
        ...(old.data as Float32Array).slice(row * length, (row + 1) * length),
        token,
      ])
      const logits = rows.flatMap(row => NEXT[row.at(-1)!]!.map(chance => Math.log(chance + 1e-9)))
      const cache = new ort.Tensor('float32', Float32Array.from(rows.flat()), [rows.length, 1, length + 1, 1])
      for (const row of rows) seen.push(row.join(''))
      return {
        logits: new ort.Tensor('float32', Float32Array.from(logits), [rows.length, 1, 5]),
        ...Object.fromEntries(
          ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map(name => [
            `present.0.${name}`,
            cache,
          ]),
        ),
      }
    },
  } as unknown as ort.InferenceSession,
}
let seen: string[] = []
const hidden = new ort.Tensor('float32', new Float32Array(1), [1, 1, 1])

it.each([
  [1, [1, 1, 1]],
  [2, [2, 3]],
  [4, [2, 3]],
])('with %i ways in mind finds %j', async (width, tokens) => {
  seen = []
  const said = await generate(decoder, hidden, [0], { most: 3, width })
  expect(said.tokens).toEqual(tokens)
  if (width === 1) return
  expect(said.confidence).toBeCloseTo(Math.log(0.45) / 3, 3)
  expect(seen).toContain('023')
})
