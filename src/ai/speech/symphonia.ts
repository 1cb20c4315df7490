/**
 * AAC and Vorbis by the decoders of the Symphonia project in WebAssembly; `symphonia/` has the module and its
 * source. Each recording has its own instance, so a damaged packet that crashes it affects no other recording.
 */
import { readFileSync } from 'node:fs'
import { present } from '../../lib/values.ts'
import type { PacketDecoder } from './packet-decoder.ts'
import { joined } from './pcm.ts'

/** The types of Node lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: Exports }
}

interface Exports {
  memory: { buffer: ArrayBuffer }
  input(length: number): number
  open(isVorbis: number): number
  decode(): number
  samples(): number
  rate(): number
}

let compiled: object | undefined

function instance(): Exports {
  compiled ??= new WebAssembly.Module(
    readFileSync(new URL('./symphonia/packet-decoder.wasm', import.meta.url)),
  )
  return new WebAssembly.Instance(compiled).exports
}

/** `description`: the container's codec configuration. undefined: a codec that is not decoded here. */
export function symphoniaDecoder(
  codec: 'aac' | 'vorbis',
  description: Uint8Array,
): PacketDecoder | undefined {
  const header = codec === 'vorbis' ? vorbisHeaders(description) : description
  const open = (): Exports | undefined => {
    const created = instance()
    put(created, header)
    return created.open(codec === 'vorbis' ? 1 : 0) === 0 ? undefined : created
  }
  const opened = orUndefined(open)
  if (!opened) return undefined
  let decoder = opened

  function decodeOne(packet: Uint8Array): Float32Array {
    try {
      put(decoder, packet)
      const count = decoder.decode()
      return new Float32Array(decoder.memory.buffer, decoder.samples(), count).slice()
    } catch {
      // a crashed instance cannot be reused; a new one continues with the next packet
      decoder = present(open(), 'the decoder that opened before')
      return new Float32Array(0)
    }
  }

  return {
    decode: async packets => {
      const mono = joined(packets.map(decodeOne))
      return { mono, rate: decoder.rate() }
    },
    free: () => {},
  }
}

function put(decoder: Exports, bytes: Uint8Array): void {
  const at = decoder.input(bytes.length)
  new Uint8Array(decoder.memory.buffer, at, bytes.length).set(bytes)
}

function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** Containers store three headers, preceded by their lengths; the first and the last are needed. */
function vorbisHeaders(description: Uint8Array): Uint8Array {
  let at = 1
  const length = () => {
    let sum = 0
    for (; description[at] === 255; at++) sum += 255
    return sum + (description[at++] ?? 0)
  }
  const identification = length()
  const comment = length()
  const first = description.subarray(at, at + identification)
  const last = description.subarray(at + identification + comment)
  const headers = new Uint8Array(first.length + last.length)
  headers.set(first)
  headers.set(last, first.length)
  return headers
}
