/** Whisper base or small in int8: up to thirty seconds of speech in a hundred languages → its words. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'
import { type Decoder, firstLogits, logProbability, openSession, tensorOf } from './decoding.ts'
import { BANDS, FRAMES, melSpectrogram } from './mel.ts'
import { checkedFile, type Model } from './model.ts'
import { SpeechFailed } from './recognizer.ts'
import { generate, isNoSpeech } from './search.ts'
import type { WhisperName } from './whisper-files.ts'

const MODELS: Record<WhisperName, { layers: number; heads: number; encoder: string; decoder: string }> = {
  'whisper-base': {
    layers: 6,
    heads: 8,
    encoder: '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
    decoder: 'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
  },
  'whisper-small': {
    layers: 12,
    heads: 12,
    encoder: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
    decoder: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
  },
}

const END = 50257
const BEGIN = 50258
const TRANSCRIBE = 50359
const NO_SPEECH = 50362
const NO_TIMES = 50363
/** Its context has 448 tokens, including the prompt. */
const MAX_TOKENS = 440
const TOKENS_PER_SECOND = 12
/** The probability of silence from which a piece counts as silent; its authors' threshold. */
const SILENT = Math.log(0.6)

interface Generation {
  lang_to_id: Record<string, number>
  suppress_tokens: number[]
  begin_suppress_tokens: number[]
}

export async function loadWhisper(name: WhisperName, folder: string): Promise<Model> {
  const { layers, heads, encoder: encoderHash, decoder: decoderHash } = MODELS[name]
  const json = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const weights = (file: string, hash: string) => openSession(checkedFile(join(folder, 'onnx', file), hash))
  const encoder = await weights('encoder_model_quantized.onnx', encoderHash)
  const session = await weights('decoder_model_merged_quantized.onnx', decoderHash)
  const decoder: Decoder = { session, layers, heads, headSize: 64, end: END }
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'))
  const rules: Generation = json('generation_config.json')

  function suppress(logits: Float32Array, isFirst: boolean): void {
    for (const token of rules.suppress_tokens) logits[token] = Number.NEGATIVE_INFINITY
    if (isFirst) for (const token of rules.begin_suppress_tokens) logits[token] = Number.NEGATIVE_INFINITY
    // tokens above the vocabulary are special tokens
    logits.fill(Number.NEGATIVE_INFINITY, END + 1)
  }

  return {
    // each piece costs as much as thirty seconds
    pieces: { min: 15, max: 28 },
    async words(samples, language) {
      const requested = language === null ? undefined : languageToken(rules, language)
      const spectrogram = new ort.Tensor('float32', melSpectrogram(samples), [1, BANDS, FRAMES])
      const encoded = await encoder.run({ input_features: spectrogram }, ['last_hidden_state'])
      const hidden = tensorOf(encoded, 'last_hidden_state')
      const first = await firstLogits(decoder, hidden, [BEGIN])
      const used = requested ?? likeliestLanguage(rules, first)
      const maxTokens = Math.min(MAX_TOKENS, Math.ceil((samples.length / 16_000) * TOKENS_PER_SECOND) + 8)
      const best = await generate(decoder, [hidden], [BEGIN, used.token, TRANSCRIBE, NO_TIMES], {
        maxTokens,
        suppress,
      })
      const isSilent = logProbability(first, NO_SPEECH) > SILENT || isNoSpeech(best)
      const text = isSilent ? '' : tokenizer.decode(best.tokens, { skip_special_tokens: true })
      return { text, language: used.language }
    },
  }
}

/** `de`, `de-CH` and the like. */
function languageToken({ lang_to_id: ids }: Generation, requested: string) {
  const language = requested.toLowerCase().replace(/[-_].*$/s, '')
  const token = ids[`<|${language}|>`]
  if (token === undefined)
    throw new SpeechFailed(`The speech model does not know the language "${requested}"`)
  return { language, token }
}

function likeliestLanguage({ lang_to_id: ids }: Generation, logits: Float32Array) {
  const [name, token] = Object.entries(ids).reduce((best, next) =>
    logits[next[1]]! > logits[best[1]]! ? next : best,
  )
  return { language: name.replace(/[<|>]/g, ''), token }
}
