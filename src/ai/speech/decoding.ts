/** Tokens of an encoder-decoder model; the decoder caches the state of the previous tokens. */
import ort from 'onnxruntime-node'
import { first, present } from '../../lib/values.ts'

export interface Decoder {
  session: ort.InferenceSession
  layers: number
  heads: number
  headSize: number
  /** the end token */
  end: number
}

/**
 * One thread: the other cores serve requests. `unpacked`: weights are unpacked from bytes once instead of for each
 * token, which takes more memory and less than half of the time.
 */
export const openSession = (file: Uint8Array, unpacked = false): Promise<ort.InferenceSession> =>
  ort.InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableCpuMemArena: false,
    logSeverityLevel: 3,
    extra: { session: { disable_quant_qdq: unpacked ? '1' : '0' } },
  })

/** The logits of the first token after the prompt. */
export async function firstLogits(decoder: Decoder, hidden: ort.Tensor, prompt: readonly number[]) {
  const output = await step(decoder, hidden, [prompt], emptyPast(decoder), true)
  return first(lastOf(tensorOf(output, 'logits')))
}

export type Past = Record<string, ort.Tensor>

/** One more token for each beam. */
export function step(
  decoder: Decoder,
  hidden: ort.Tensor,
  inputs: readonly (readonly number[])[],
  past: Past,
  isFirst: boolean,
) {
  const { length } = first(inputs)
  const feeds = {
    input_ids: new ort.Tensor('int64', BigInt64Array.from(inputs.flat(), BigInt), [inputs.length, length]),
    encoder_hidden_states: hidden,
    use_cache_branch: new ort.Tensor('bool', [!isFirst], [1]),
    ...past,
  }
  // listed, because some models also return their attentions, which take hundreds of megabytes
  const outputs = ['logits', ...names(decoder, isFirst ? ['decoder', 'encoder'] : ['decoder']).map(presentOf)]
  return decoder.session.run(feeds, outputs)
}

/** For each beam, the logits of the next token. */
export function lastOf(tensor: ort.Tensor): Float32Array[] {
  const [beams = 0, length = 0, size = 0] = tensor.dims
  return Array.from({ length: beams }, (_, beam) => {
    const from = (beam * length + length - 1) * size
    return floatsOf(tensor).subarray(from, from + size)
  })
}

/** An output that the model must have. */
export const tensorOf = (output: Past, name: string): ort.Tensor => present(output[name], name)

function floatsOf({ data }: ort.Tensor): Float32Array {
  if (data instanceof Float32Array) return data
  throw new Error('the model did not return numbers')
}

const names = ({ layers }: Decoder, parts: readonly string[]): string[] =>
  Array.from({ length: layers }, (_, layer) =>
    parts.flatMap(part => ['key', 'value'].map(kind => `${layer}.${part}.${kind}`)),
  ).flat()
const pastOf = (name: string) => `past_key_values.${name}`
const presentOf = (name: string) => `present.${name}`

export function emptyPast(decoder: Decoder): Past {
  const nothing = () =>
    new ort.Tensor('float32', new Float32Array(0), [1, decoder.heads, 0, decoder.headSize])
  return Object.fromEntries(names(decoder, ['decoder', 'encoder']).map(name => [pastOf(name), nothing()]))
}

/**
 * `rows`: the beam that each new beam continues. The state of the recording is computed with the first token and does
 * not change: all beams share one row of it, which saves a fifth of the time of four beams.
 */
export function nextPast(
  decoder: Decoder,
  past: Past,
  output: Past,
  isFirst: boolean,
  rows: readonly number[],
): Past {
  const next = { ...past }
  for (const name of names(decoder, ['decoder']))
    next[pastOf(name)] = picked(tensorOf(output, presentOf(name)), rows)
  if (isFirst)
    for (const name of names(decoder, ['encoder'])) next[pastOf(name)] = tensorOf(output, presentOf(name))
  return next
}

/** Some of the rows of a tensor, in this order. */
function picked(tensor: ort.Tensor, rows: readonly number[]): ort.Tensor {
  if (rows.length === tensor.dims[0] && rows.every((row, i) => row === i)) return tensor
  const data = floatsOf(tensor)
  const size = data.length / first(tensor.dims)
  const all = new Float32Array(size * rows.length)
  for (const [i, row] of rows.entries()) all.set(data.subarray(row * size, (row + 1) * size), i * size)
  return new ort.Tensor('float32', all, [rows.length, ...tensor.dims.slice(1)])
}

export const logProbability = (logits: Float32Array, token: number): number => logits[token]! - logSum(logits)

/** The logarithm of the sum of their exponentials. */
export function logSum(logits: Float32Array): number {
  let top = Number.NEGATIVE_INFINITY
  // an index loop, because an iterator takes twice as long
  for (let i = 0; i < logits.length; i++) if (logits[i]! > top) top = logits[i]!
  let sum = 0
  for (let i = 0; i < logits.length; i++) {
    const below = logits[i]! - top
    // values far below add nothing, and the exponential is the expensive part
    if (below > -12) sum += Math.exp(below)
  }
  return top + Math.log(sum)
}
