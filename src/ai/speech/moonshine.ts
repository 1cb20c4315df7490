/** Moonshine tiny in int8: up to some twenty seconds of English at 16 kHz → its words. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tokenizer from 'llama-tokenizer-js'
import ort from 'onnxruntime-node'
import { RATE } from './resample.ts'

/** Of the files that the model is; anything else is not loaded. */
const HASHES = {
  'encoder_model.onnx': 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
  'decoder_model_merged.onnx': 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
}

const LAYERS = 6
const HEADS = 8
const HEAD_SIZE = 36
const BEGIN = 1
const END = 2
/** Nobody speaks faster than this many tokens a second; what comes beyond goes round in circles. */
const TOKENS_PER_SECOND = 6.5
/** Below this mean log-probability of the tokens it is taken for no speech: a guess, not tuned on recordings. */
const DOUBT = -1

export interface Model {
  /** The words in these samples; empty when there are none. */
  words(samples: Float32Array): Promise<string>
}

function checked(name: keyof typeof HASHES): Buffer {
  const main = fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))
  const bytes = readFileSync(join(dirname(main), 'model/tiny/quantized', name))
  if (createHash('sha256').update(bytes).digest('hex') !== HASHES[name])
    throw new Error(`${name} is damaged: its SHA-256 is not that of the model`)
  return bytes
}

export async function loadMoonshine(): Promise<Model> {
  // One thread: the other cores are for the people who wait for something else.
  const options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  } as const
  const encoder = await ort.InferenceSession.create(checked('encoder_model.onnx'), options)
  const decoder = await ort.InferenceSession.create(checked('decoder_model_merged.onnx'), options)
  return {
    async words(samples) {
      const input = new ort.Tensor('float32', samples, [1, samples.length])
      const { last_hidden_state: hidden } = await encoder.run({ input_values: input })
      const most = Math.ceil((samples.length / RATE) * TOKENS_PER_SECOND)
      const { tokens, confidence } = await generate(decoder, hidden!, most)
      if (tokens.length === 0 || confidence < DOUBT || goesRound(tokens)) return ''
      return tokenizer
        .decode([BEGIN, ...tokens])
        .replace(/\s+/g, ' ')
        .replaceAll('\0', '')
        .trim()
    },
  }
}

/** The likeliest token, again and again, until the model says that it is done. */
async function generate(decoder: ort.InferenceSession, hidden: ort.Tensor, most: number) {
  let past: Record<string, ort.Tensor> = emptyPast()
  let last = BEGIN
  let sum = 0
  const tokens: number[] = []
  while (tokens.length < most) {
    const isFirst = last === BEGIN && tokens.length === 0
    const output = await decoder.run({
      input_ids: new ort.Tensor('int64', BigInt64Array.of(BigInt(last)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: new ort.Tensor('bool', [!isFirst], [1]),
      ...past,
    })
    const { token, logProbability } = likeliest(output.logits!.data as Float32Array)
    sum += logProbability
    if (token === END) break
    tokens.push(token)
    last = token
    past = nextPast(past, output, isFirst)
  }
  return { tokens, confidence: sum / (tokens.length + 1) }
}

const names = (part: 'decoder' | 'encoder') =>
  Array.from({ length: LAYERS }, (_, layer) =>
    ['key', 'value'].map(kind => `${layer}.${part}.${kind}`),
  ).flat()
const OWN = names('decoder')
const HEARD = names('encoder')

const emptyPast = () =>
  Object.fromEntries(
    [...OWN, ...HEARD].map(name => [
      `past_key_values.${name}`,
      new ort.Tensor('float32', new Float32Array(0), [1, HEADS, 0, HEAD_SIZE]),
    ]),
  )

/** What the model makes of the recording is worked out with the first token and stays. */
function nextPast(past: Record<string, ort.Tensor>, output: Record<string, ort.Tensor>, isFirst: boolean) {
  const next = { ...past }
  for (const name of isFirst ? [...OWN, ...HEARD] : OWN)
    next[`past_key_values.${name}`] = output[`present.${name}`]!
  return next
}

function likeliest(logits: Float32Array): { token: number; logProbability: number } {
  let token = 0
  for (let i = 1; i < logits.length; i++) if (logits[i]! > logits[token]!) token = i
  const top = logits[token]!
  let sum = 0
  for (let i = 0; i < logits.length; i++) {
    const below = logits[i]! - top
    // what is far below adds nothing, and the exponential is what costs
    if (below > -12) sum += Math.exp(below)
  }
  return { token, logProbability: -Math.log(sum) }
}

/** The same few tokens over and over: what a model says when there is nothing to hear. */
function goesRound(tokens: readonly number[]): boolean {
  if (tokens.length < 12) return false
  const runs = new Set<string>()
  for (let i = 0; i + 3 <= tokens.length; i++) runs.add(tokens.slice(i, i + 3).join())
  return runs.size < (tokens.length - 2) / 3
}
