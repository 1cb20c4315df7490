/** Packets of one codec → samples, by decoders in WebAssembly, so that a damaged file cannot affect anything outside of them. */
import { FLACDecoder } from '@wasm-audio-decoders/flac'
import type { InputAudioTrack } from 'mediabunny'
import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import type { PacketDecoder, Samples } from './packet-decoder.ts'
import { joined, mixed, pcmReader } from './pcm.ts'
import { RATE } from './resample.ts'
import { symphoniaDecoder } from './symphonia.ts'

interface Decoded {
  channelData: Float32Array[]
  samplesDecoded: number
  sampleRate: number
}

const samplesOf = ({ channelData, samplesDecoded, sampleRate }: Decoded): Samples =>
  samplesDecoded > 0
    ? { mono: mixed(channelData), rate: sampleRate }
    : { mono: new Float32Array(0), rate: sampleRate }

/** undefined: a codec that is not decoded in process. */
export async function decoderFor(track: InputAudioTrack): Promise<PacketDecoder | undefined> {
  const config = await track.getDecoderConfig()
  const codec = track.codec
  if (!config || codec === null) return undefined
  const description = config.description ? bytesOf(config.description) : undefined
  if (codec === 'mp3') {
    const decoder = new MPEGDecoder({ enableGapless: false })
    await decoder.ready
    return { decode: async packets => samplesOf(decoder.decodeFrames(packets)), free: () => decoder.free() }
  }
  if (codec === 'flac') {
    const decoder = new FLACDecoder()
    await decoder.ready
    return {
      decode: async packets => samplesOf(await decoder.decodeFrames(packets)),
      free: () => decoder.free(),
    }
  }
  if (codec === 'opus') return opusDecoder(config.numberOfChannels, description)
  if (codec === 'aac' || codec === 'vorbis')
    return description ? symphoniaDecoder(codec, description) : undefined
  const read = pcmReader(codec, config.numberOfChannels)
  if (!read) return undefined
  return {
    decode: async packets => ({ mono: joined(packets.map(read)), rate: config.sampleRate }),
    free: () => {},
  }
}

/** `head` is the OpusHead of the stream, which has the number of channels and their mapping. */
async function opusDecoder(channels: number, head: Uint8Array | undefined): Promise<PacketDecoder> {
  const [family, streamCount, coupledStreamCount, ...table] = head?.subarray(18) ?? []
  const isMapped = family !== 0 && table.length >= channels
  const layout =
    isMapped && streamCount !== undefined && coupledStreamCount !== undefined
      ? {
          streamCount,
          coupledStreamCount,
          channelMappingTable: table.slice(0, channels),
        }
      : {
          streamCount: 1,
          coupledStreamCount: channels - 1,
          channelMappingTable: channels === 2 ? [0, 1] : [0],
        }
  const decoder = new OpusDecoder({ sampleRate: RATE, channels, ...layout })
  await decoder.ready
  return { decode: async packets => samplesOf(decoder.decodeFrames(packets)), free: () => decoder.free() }
}

const bytesOf = (source: ArrayBuffer | SharedArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
