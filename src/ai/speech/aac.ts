/** AAC-LC, as telephones and meeting software record it, in plain JavaScript. */
import { createRequire } from 'node:module'
import type { PacketDecoder } from './codecs.ts'
import { joined, mixed } from './pcm.ts'

const require = createRequire(import.meta.url)

interface Decoder {
  config: { sampleRate: number; chanConfig: number }
  bitstream: unknown
  setCookie(cookie: unknown): void
  /** one packet, its channels interleaved */
  readChunk(): Float32Array | undefined
}

interface Aurora {
  Buffer: new (bytes: Uint8Array) => unknown
  Stream: { fromBuffer(buffer: unknown): unknown }
  Bitstream: new (stream: unknown) => unknown
}

const SEED = 0x1f2e3d4c

/**
 * Where a band is noise the package draws it from a generator that multiplies by an even number, so that after
 * sixteen samples nothing but zeros come and the sound is lost in a division by them. Whatever it stores there, the
 * next number of a proper generator is what it reads.
 */
function mendNoise(stream: { prototype: object }): void {
  const states = new WeakMap<object, number>()
  Object.defineProperty(stream.prototype, 'randomState', {
    configurable: true,
    get() {
      return states.get(this) ?? SEED
    },
    set() {
      const last = states.get(this) ?? (Math.random() * 2 ** 31) | 0
      states.set(this, (Math.imul(last, 1664525) + 1013904223) | 0)
    },
  })
}

let loaded: { av: Aurora; Decoder: new (demuxer: object, format: object) => Decoder } | undefined

function load() {
  if (!loaded) {
    mendNoise(require('aac/src/ics.js'))
    loaded = { av: require('av'), Decoder: require('aac/src/decoder.js') }
  }
  return loaded
}

/** undefined: a profile beyond LC, such as HE-AAC. */
export function aacDecoder(description: Uint8Array): PacketDecoder | undefined {
  const { av, Decoder } = load()
  const decoder = new Decoder({ on() {}, once() {}, emit() {} }, {})
  try {
    decoder.setCookie(new av.Buffer(description))
  } catch {
    return undefined
  }
  const { sampleRate, chanConfig } = decoder.config
  const channels = chanConfig === 7 ? 8 : chanConfig

  function decodeOne(packet: Uint8Array): Float32Array {
    try {
      decoder.bitstream = new av.Bitstream(av.Stream.fromBuffer(new av.Buffer(packet)))
      const samples = decoder.readChunk()
      return samples ? toMono(samples, channels) : new Float32Array(0)
    } catch {
      // a damaged packet costs its own 20 ms and nothing else
      return new Float32Array(0)
    }
  }

  return {
    decode: async packets => ({ mono: joined(packets.map(decodeOne)), rate: sampleRate }),
    free: () => {},
  }
}

function toMono(samples: Float32Array, channels: number): Float32Array {
  const parts = Array.from({ length: channels }, (_, channel) => {
    const part = new Float32Array(Math.floor(samples.length / channels))
    for (let i = 0; i < part.length; i++) part[i] = samples[i * channels + channel]!
    return part
  })
  return mixed(parts)
}
