/**
 * AAC and Vorbis by the decoders of the Symphonia project in WebAssembly; `symphonia/` holds the module and what it is
 * made of. Each recording has an instance to itself: one that a damaged packet brings down takes nothing along.
 */
import { readFileSync } from 'node:fs'
import { present } from '../../lib/values.ts'
import type { PacketDecoder } from './packet-decoder.ts'
import { joined } from './pcm.ts'

/** Node has it; its types do not. */
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

/** `description` is what the container says of the codec. undefined: a kind that is not decoded here. */
export function symphoniaDecoder(
  codec: 'aac' | 'vorbis',
  description: Uint8Array,
): PacketDecoder | undefined {
  const header = codec === 'vorbis' ? vorbisHeaders(description) : description
  const open = (): Exports | undefined => {
    const fresh = instance()
    put(fresh, header)
    return fresh.open(codec === 'vorbis' ? 1 : 0) === 0 ? undefined : fresh
  }
  const opened = orNothing(open)
  if (!opened) return undefined
  let decoder = opened

  function decodeOne(packet: Uint8Array): Float32Array {
    try {
      put(decoder, packet)
      const count = decoder.decode()
      return new Float32Array(decoder.memory.buffer, decoder.samples(), count).slice()
    } catch {
      // it is of no more use after that; a new one goes on with the next packet
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

function orNothing<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** Containers keep three headers with their lengths before them; of these the first and the last are needed. */
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
