import ort from 'onnxruntime-node'
import { expect, it } from 'vitest'
import type { Decoder } from './decoding.ts'
import { expectWords } from './expected.ts'
import { generate } from './search.ts'

const END = 4
/** For each sound, how likely each first token is. In the first sound, 1 is the likeliest but has no likely next token. */
const FIRST = [
  [0, 0.55, 0.45, 0, 0],
  [0, 0, 0.4, 0.6, 0],
]
/** After each token, how likely the others are. */
const NEXT: Record<number, number[]> = {
  1: [0, 0.3, 0.2, 0.3, 0.2],
  2: [0, 0, 0, 1, 0],
  3: [0, 0, 0, 0, 1],
}

/** Its only state is the cache of its inputs, so that a mixed-up cache changes the result. */
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
      const sound = feeds.encoder_hidden_states!
      shared.push(sound.dims[0], feeds['past_key_values.0.encoder.key']!.dims[0])
      const first = FIRST[Number(sound.data[0])]!
      const logits = rows.flatMap(row => (NEXT[row.at(-1)!] ?? first).map(chance => Math.log(chance + 1e-9)))
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
let shared: (number | undefined)[] = []
const sounds = FIRST.map((_, i) => new ort.Tensor('float32', [i], [1, 1, 1]))

it.each([
  [1, [1, 1, 1]],
  [2, [2, 3]],
  [4, [2, 3]],
])('with a beam of %i finds %j', async (width, tokens) => {
  seen = []
  shared = []
  const best = await generate(decoder, sounds.slice(0, 1), [0], { maxTokens: 3, width })
  expect(best.tokens).toEqual(tokens)
  if (width === 1) return
  expect(best.confidence).toBeCloseTo(Math.log(0.45) / 3, 3)
  expect(seen).toContain('023')
  // the state of the sound is stored once, whatever the number of beams
  expect(new Set(shared)).toEqual(new Set([1]))
})

it.each([
  [[0], [1, 1, 1], 0.55 * 0.3 * 0.3],
  [[1], [3], 0.6],
  [[0, 1], [2, 3], (0.45 + 0.4) / 2],
])('decodes the sounds %j as %j', async (indexes, tokens, chance) => {
  const variants = indexes.map(i => sounds[i]!)
  const best = await generate(decoder, variants, [0], { maxTokens: 3 })
  expect(best.tokens).toEqual(tokens)
  expect(best.confidence).toBeCloseTo(Math.log(chance) / (tokens.length + 1), 3)
})

/** In the first sound 2 3 is likelier than 1 3; words begin with 1 and 2. */
it.each([
  ['nothing', [], [2, 3], 0.45],
  ['the word 1 3', [[1, 3]], [1, 3], 0.55 * 0.3],
  ['a word that only begins so', [[1, 3, 3]], [2, 3], 0.45],
])('with expected words: %s', async (_, words: number[][], tokens, chance) => {
  const expected = expectWords(
    new Map(words.map((_word, i) => [`${i}`, 2])),
    word => words[Number(word)]!,
    token => token < 3,
  )
  const best = await generate(decoder, sounds.slice(0, 1), [0], { maxTokens: 4, width: 4, expected })
  expect(best.tokens).toEqual(tokens)
  // the confidence does not include the bonus for expected words
  expect(best.confidence).toBeCloseTo(Math.log(chance) / 3, 3)
})
