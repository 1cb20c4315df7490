/** Moonshine tiny in int8: up to some twenty seconds of English at 16 kHz → its words. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tokenizer from 'llama-tokenizer-js'
import ort from 'onnxruntime-node'
import { type Decoder, generate, isNoSpeech, openSession } from './decoding.ts'
import { checkedFile, type Model } from './model.ts'
import { RATE } from './resample.ts'

const HASHES = {
  'encoder_model.onnx': 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
  'decoder_model_merged.onnx': 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
}

const BEGIN = 1
const END = 2
/** Nobody speaks faster than this many tokens a second; what comes beyond goes round in circles. */
const TOKENS_PER_SECOND = 6.5
/**
 * Silence before and after each piece, as around the short recordings that the model has learnt from. In four voices
 * of flite it took the errors from 71 to 49 of 1228 words, in nine of espeak-ng it left them at 363 of 2763.
 */
const QUIET = RATE / 4

export async function loadMoonshine(): Promise<Model> {
  const main = fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))
  const file = (name: keyof typeof HASHES) =>
    checkedFile(join(dirname(main), 'model/tiny/quantized', name), HASHES[name])
  const encoder = await openSession(file('encoder_model.onnx'))
  const session = await openSession(file('decoder_model_merged.onnx'))
  const decoder: Decoder = { session, layers: 6, heads: 8, headSize: 36, end: END }
  return {
    pieces: { min: 6, max: 16 },
    async words(sound) {
      const samples = new Float32Array(sound.length + 2 * QUIET)
      samples.set(sound, QUIET)
      const input = new ort.Tensor('float32', samples, [1, samples.length])
      const { last_hidden_state: hidden } = await encoder.run({ input_values: input })
      const most = Math.ceil((samples.length / RATE) * TOKENS_PER_SECOND)
      const said = await generate(decoder, hidden!, [BEGIN], most)
      const text = isNoSpeech(said) ? '' : tokenizer.decode([BEGIN, ...said.tokens])
      return { text, language: 'en' }
    },
  }
}
