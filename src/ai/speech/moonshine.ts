/** Moonshine tiny in int8: up to some twenty seconds of English at 16 kHz → its words. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tokenizer from 'llama-tokenizer-js'
import ort from 'onnxruntime-node'
import { type Decoder, openSession, tensorOf } from './decoding.ts'
import { type Expected, expectWords } from './expected.ts'
import { checkedFile, type Model } from './model.ts'
import { RATE, resampler } from './resample.ts'
import { SALES_WORDS } from './sales-words.ts'
import { generate, type Hypothesis, isNoSpeech } from './search.ts'

const HASHES = {
  'encoder_model.onnx': 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
  'decoder_model_merged.onnx': 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
}

const BEGIN = 1
const END = 2
/** People speak at most this many tokens a second; a model that returns more repeats itself. */
const TOKENS_PER_SECOND = 6.5
/** The beam width: a further beam costs little, because the weights are read once for all of them. */
const WIDTH = 4
/** Silence before and after each piece, as in the short recordings that the model was trained on. */
const QUIET = RATE / 4
/** A piece transcribed with less confidence is transcribed again with its high frequencies emphasised; the more confident result is used. */
const SURE = -0.12
/**
 * Pre-emphasis: this share of the previous sample is subtracted from each sample, which emphasises the high
 * frequencies that distinguish consonants. It halves the errors for espeak-ng's voices and adds errors in some noise.
 */
const LIFT = 0.9
/** With pre-emphasis, a piece is decoded at two speeds at once: an error at one is often correct at the other. */
const FASTER = 1.05
const PEAK = 0.95

export async function loadMoonshine(): Promise<Model> {
  const main = fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))
  const file = (name: keyof typeof HASHES) =>
    checkedFile(join(dirname(main), 'model/tiny/quantized', name), HASHES[name])
  const encoder = await openSession(file('encoder_model.onnx'))
  const session = await openSession(file('decoder_model_merged.onnx'), true)
  const decoder: Decoder = { session, layers: 6, heads: 8, headSize: 36, end: END }

  async function encoded(samples: Float32Array): Promise<ort.Tensor> {
    const input = new ort.Tensor('float32', samples, [1, samples.length])
    return tensorOf(await encoder.run({ input_values: input }), 'last_hidden_state')
  }

  /** Decodes these variants of the same sound together. */
  async function decodeVariants(expected: Expected, ...variants: Float32Array[]): Promise<Hypothesis> {
    const sounds: ort.Tensor[] = []
    for (const samples of variants) sounds.push(await encoded(samples))
    const maxTokens = Math.ceil(((variants[0]?.length ?? 0) / RATE) * TOKENS_PER_SECOND)
    return generate(decoder, sounds, [BEGIN], { maxTokens, width: WIDTH, expected })
  }

  function decodeLifted(expected: Expected, sound: Float32Array): Promise<Hypothesis> {
    const high = lifted(sound)
    return decodeVariants(expected, prepared(high), prepared(faster(high)))
  }

  return {
    pieces: { min: 6, max: 16 },
    async words(sound, _, names) {
      const expected = expectedWith(names)
      const plain = await decodeVariants(expected, prepared(sound))
      const best = plain.confidence < SURE ? moreConfident(plain, await decodeLifted(expected, sound)) : plain
      const text = isNoSpeech(best) ? '' : tokenizer.decode([BEGIN, ...best.tokens])
      return { text: respelt(text, names), language: 'en' }
    },
  }
}

const moreConfident = (a: Hypothesis, b: Hypothesis): Hypothesis => (b.score > a.score ? b : a)

/** The bonus for a token of an expected word, as a logarithm. */
const WORTH = { name: 2.5, salesWord: 0.5 }
const SHORTEST_NAME = 3

const expectedByNames = new WeakMap<readonly string[], Expected>()

/** Cached by list, which is the same for all pieces of a recording. */
function expectedWith(names: readonly string[]): Expected {
  const cached = expectedByNames.get(names)
  if (cached) return cached
  const forms = (words: readonly string[], worth: number) =>
    words.flatMap(word =>
      [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`].map((form): [string, number] => [
        form,
        worth,
      ]),
    )
  const spoken = wordsIn(names).map(unaccented)
  const words = new Map([...forms(SALES_WORDS, WORTH.salesWord), ...forms(spoken, WORTH.name)])
  const expected = expectWords(words, word => tokenizer.encode(word, false, true), beginsWord)
  expectedByNames.set(names, expected)
  return expected
}

const wordsIn = (names: readonly string[]): string[] =>
  names.flatMap(name => name.match(/\p{L}+/gu) ?? []).filter(word => word.length >= SHORTEST_NAME)

/** The model writes no accents. */
const unaccented = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '')

/** Restores the accents of names. */
function respelt(text: string, names: readonly string[]): string {
  const spellings = new Map(
    wordsIn(names)
      .filter(word => unaccented(word) !== word)
      .map(word => [unaccented(word).toLowerCase(), word]),
  )
  return spellings.size === 0
    ? text
    : text.replace(/\p{L}+/gu, word => spellings.get(word.toLowerCase()) ?? word)
}

/** Tokens that continue a word begin with a letter or an apostrophe. */
const beginsWord = (token: number): boolean => !/^[\p{L}']/u.test(tokenizer.vocabById[token] ?? '')

const lifted = (sound: Float32Array): Float32Array =>
  sound.map((sample, i) => sample - LIFT * (sound[i - 1] ?? 0))

function faster(sound: Float32Array): Float32Array {
  const { push, flush } = resampler(Math.round(RATE * FASTER))
  const [most, rest] = [push(sound), flush()]
  const samples = new Float32Array(most.length + rest.length)
  samples.set(most)
  samples.set(rest, most.length)
  return samples
}

/** Normalises the volume and adds silence before and after. */
function prepared(sound: Float32Array): Float32Array {
  let peak = 1e-6
  for (const sample of sound) peak = Math.max(peak, Math.abs(sample))
  const samples = new Float32Array(sound.length + 2 * QUIET)
  samples.set(
    sound.map(sample => (sample * PEAK) / peak),
    QUIET,
  )
  return samples
}
