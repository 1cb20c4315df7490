/** Moonshine tiny in int8: up to some twenty seconds of English at 16 kHz → its words. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tokenizer from 'llama-tokenizer-js'
import ort from 'onnxruntime-node'
import { type Decoder, openSession } from './decoding.ts'
import { checkedFile, type Model } from './model.ts'
import { RATE } from './resample.ts'
import { generate, isNoSpeech, type Said } from './search.ts'

const HASHES = {
  'encoder_model.onnx': 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
  'decoder_model_merged.onnx': 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
}

const BEGIN = 1
const END = 2
/** Nobody speaks faster than this many tokens a second; what comes beyond goes round in circles. */
const TOKENS_PER_SECOND = 6.5
/** Ways of going on that are kept in mind: each costs little, since the weights are read once for all of them. */
const WIDTH = 4
/** Silence before and after each piece, as around the short recordings that the model has learnt from. */
const QUIET = RATE / 4
/** What is heard with less confidence is heard once more with its high tones lifted, and the surer of both is taken. */
const SURE = -0.15
/**
 * How much of the sample before is taken off each sample: that lifts the high tones, by which consonants are told
 * apart, over the low ones. It halves the errors in espeak-ng's voices; in some noise people are heard worse by it.
 */
const LIFT = 0.9
const PEAK = 0.95

export async function loadMoonshine(): Promise<Model> {
  const main = fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))
  const file = (name: keyof typeof HASHES) =>
    checkedFile(join(dirname(main), 'model/tiny/quantized', name), HASHES[name])
  const encoder = await openSession(file('encoder_model.onnx'))
  const session = await openSession(file('decoder_model_merged.onnx'), true)
  const decoder: Decoder = { session, layers: 6, heads: 8, headSize: 36, end: END }

  async function hear(samples: Float32Array): Promise<Said> {
    const input = new ort.Tensor('float32', samples, [1, samples.length])
    const { last_hidden_state: hidden } = await encoder.run({ input_values: input })
    const most = Math.ceil((samples.length / RATE) * TOKENS_PER_SECOND)
    return generate(decoder, hidden!, [BEGIN], { most, width: WIDTH })
  }

  return {
    pieces: { min: 6, max: 16 },
    async words(sound) {
      const plain = await hear(prepared(sound, 0))
      const lifted = plain.confidence < SURE ? await hear(prepared(sound, LIFT)) : plain
      const said = lifted.confidence > plain.confidence ? lifted : plain
      const text = isNoSpeech(said) ? '' : tokenizer.decode([BEGIN, ...said.tokens])
      return { text, language: 'en' }
    },
  }
}

/** With silence around it, at the same loudness whatever the recording's. */
function prepared(sound: Float32Array, lift: number): Float32Array {
  const samples = new Float32Array(sound.length + 2 * QUIET)
  let peak = 1e-6
  for (let i = 0; i < sound.length; i++) {
    const sample = sound[i]! - lift * (sound[i - 1] ?? 0)
    samples[QUIET + i] = sample
    peak = Math.max(peak, Math.abs(sample))
  }
  for (let i = 0; i < samples.length; i++) samples[i]! *= PEAK / peak
  return samples
}
