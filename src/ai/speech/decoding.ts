/** Tokens from a model of two parts: what its encoder made of the sound, and a decoder that remembers what it has said. */
import ort from 'onnxruntime-node'

export interface Decoder {
  session: ort.InferenceSession
  layers: number
  heads: number
  headSize: number
  /** the token that says: this is all */
  end: number
}

export interface Said {
  tokens: number[]
  /** mean log-probability of the tokens */
  confidence: number
}

/** Below this it is taken for no speech: a guess, not tuned on recordings. */
const DOUBT = -1

/** One thread: the other cores are for the people who wait for something else. */
export const openSession = (file: Uint8Array): Promise<ort.InferenceSession> =>
  ort.InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  })

/** The likeliest token, again and again, until the model says that it is done. `bar` lowers what may not be said. */
export async function generate(
  decoder: Decoder,
  hidden: ort.Tensor,
  prompt: readonly number[],
  most: number,
  bar: (logits: Float32Array, isFirst: boolean) => void = () => {},
): Promise<Said> {
  let past = emptyPast(decoder)
  let input = prompt
  let sum = 0
  const tokens: number[] = []
  while (tokens.length < most) {
    const isFirst = tokens.length === 0
    const output = await step(decoder, hidden, input, past, isFirst)
    const logits = lastOf(output.logits!, input.length)
    bar(logits, isFirst)
    const { token, logProbability } = likeliest(logits)
    sum += logProbability
    if (token === decoder.end) break
    tokens.push(token)
    input = [token]
    past = nextPast(decoder, past, output, isFirst)
  }
  return { tokens, confidence: sum / (tokens.length + 1) }
}

/** How likely each token is to come first after the prompt. */
export async function firstLogits(decoder: Decoder, hidden: ort.Tensor, prompt: readonly number[]) {
  const output = await step(decoder, hidden, prompt, emptyPast(decoder), true)
  return lastOf(output.logits!, prompt.length)
}

/** What a model says when there is nothing to hear: what it does not believe itself, or the same over and over. */
export function isNoSpeech({ tokens, confidence }: Said): boolean {
  if (tokens.length === 0 || confidence < DOUBT) return true
  if (tokens.length < 12) return false
  const runs = new Set<string>()
  for (let i = 0; i + 3 <= tokens.length; i++) runs.add(tokens.slice(i, i + 3).join())
  return runs.size < (tokens.length - 2) / 3
}

type Past = Record<string, ort.Tensor>

function step(decoder: Decoder, hidden: ort.Tensor, input: readonly number[], past: Past, isFirst: boolean) {
  const feeds = {
    input_ids: new ort.Tensor('int64', BigInt64Array.from(input, BigInt), [1, input.length]),
    encoder_hidden_states: hidden,
    use_cache_branch: new ort.Tensor('bool', [!isFirst], [1]),
    ...past,
  }
  // named, because some models also give their attentions, which take hundreds of megabytes
  const wanted = ['logits', ...names(decoder, isFirst ? ['decoder', 'encoder'] : ['decoder']).map(presentOf)]
  return decoder.session.run(feeds, wanted)
}

const lastOf = (logits: ort.Tensor, count: number): Float32Array => {
  const all = logits.data as Float32Array
  return all.subarray((all.length / count) * (count - 1))
}

const names = ({ layers }: Decoder, parts: readonly string[]): string[] =>
  Array.from({ length: layers }, (_, layer) =>
    parts.flatMap(part => ['key', 'value'].map(kind => `${layer}.${part}.${kind}`)),
  ).flat()
const pastOf = (name: string) => `past_key_values.${name}`
const presentOf = (name: string) => `present.${name}`

function emptyPast(decoder: Decoder): Past {
  const nothing = () =>
    new ort.Tensor('float32', new Float32Array(0), [1, decoder.heads, 0, decoder.headSize])
  return Object.fromEntries(names(decoder, ['decoder', 'encoder']).map(name => [pastOf(name), nothing()]))
}

/** What the model makes of the recording is worked out with the first token and stays. */
function nextPast(decoder: Decoder, past: Past, output: Past, isFirst: boolean): Past {
  const next = { ...past }
  for (const name of names(decoder, isFirst ? ['decoder', 'encoder'] : ['decoder']))
    next[pastOf(name)] = output[presentOf(name)]!
  return next
}

function likeliest(logits: Float32Array): { token: number; logProbability: number } {
  let token = 0
  for (let i = 1; i < logits.length; i++) if (logits[i]! > logits[token]!) token = i
  return { token, logProbability: logProbability(logits, token) }
}

export function logProbability(logits: Float32Array, token: number): number {
  let top = Number.NEGATIVE_INFINITY
  for (const logit of logits) if (logit > top) top = logit
  let sum = 0
  for (const logit of logits) {
    // what is far below adds nothing, and the exponential is what costs
    if (logit - top > -12) sum += Math.exp(logit - top)
  }
  return logits[token]! - top - Math.log(sum)
}
