/** A recording → its samples at 16 kHz in one channel, a little at a time: an hour takes no more memory than a minute. */
import { open } from 'node:fs/promises'
import {
  EncodedPacketSink,
  FilePathSource,
  FLAC,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import { property } from '../../lib/values.ts'
import { decoderFor } from './codecs.ts'
import { ffmpegSamples } from './ffmpeg.ts'
import type { Format } from './formats.ts'
import type { PacketDecoder, Samples } from './packet-decoder.ts'
import { SpeechFailed } from './recognizer.ts'
import { type Resampler, resampler } from './resample.ts'

export interface Audio {
  /** seconds, as the file says; what is decoded may differ */
  duration: number | undefined
  chunks: AsyncIterable<Float32Array>
  close(): void
}

/** Only the demuxers for the detected format. */
const READERS = {
  wav: [WAVE],
  mp3: [MP3],
  m4a: [MP4, QTFF],
  ogg: [OGG],
  flac: [FLAC],
  webm: [WEBM, MATROSKA],
}

/** Packets that are decoded at a time: one to four seconds. */
const BATCH = 64

/** `onTrack` is called when the audio track has been found; the steps after it may take long for a good file, too. */
export async function openAudio(
  path: string,
  format: Format['name'],
  useFfmpeg: boolean,
  onTrack: () => void = () => {},
): Promise<Audio> {
  if (format === 'webm') await checkSegments(path)
  const input = new Input({ formats: READERS[format], source: new FilePathSource(path) })
  try {
    const track = await input.getPrimaryAudioTrack()
    onTrack()
    if (!track) throw new SpeechFailed('There is no sound in this file')
    if (!(track.numberOfChannels >= 1)) throw damaged()
    const duration = await durationOf(input)
    const chunks = await chunksOf(path, format, track, duration, useFfmpeg)
    return { duration, chunks: readable(chunks), close: () => input.dispose() }
  } catch (error) {
    input.dispose()
    throw asFileError(error)
  }
}

const damaged = () => new SpeechFailed('This file is damaged: it cannot be read')

/** An error of the demuxers is permanent, because it is caused by the file; an error of the system may be temporary. */
const asFileError = (error: unknown): unknown =>
  error instanceof SpeechFailed || property(error, 'code') !== undefined ? error : damaged()

async function* readable(chunks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  try {
    yield* chunks
  } catch (error) {
    throw asFileError(error)
  }
}

const SEGMENT = Buffer.from('18538067', 'hex')
const CHECKED_BYTES = 4096

/** mediabunny 1.61 loops for ever over a Segment of unknown size within another. A good file has one Segment. */
async function checkSegments(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHECKED_BYTES), 0, CHECKED_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    if (head.indexOf(SEGMENT) !== head.lastIndexOf(SEGMENT)) throw damaged()
  } finally {
    await file.close()
  }
}

async function durationOf(input: Input): Promise<number | undefined> {
  const declared = await input.getDurationFromMetadata().catch(() => null)
  return declared ?? (await input.computeDuration().catch(() => undefined))
}

/** Shorter files are decoded before ffmpeg could start. */
const SHORT_SECONDS = 30

/**
 * Decoding ten minutes in this thread took 6 s for mp3, 3 s for FLAC, 2 s for AAC and Opus; by ffmpeg it took 1 s.
 * Plain samples need no decoding.
 */
async function chunksOf(
  path: string,
  format: Format['name'],
  track: InputAudioTrack,
  duration: number | undefined,
  useFfmpeg: boolean,
): Promise<AsyncIterable<Float32Array>> {
  const decoder = await decoderFor(track)
  const isQuick = decoder && (format === 'wav' || (duration ?? 0) < SHORT_SECONDS)
  const native = useFfmpeg && !isQuick ? await ffmpegSamples(path, format) : undefined
  if (native) {
    decoder?.free()
    return native
  }
  if (!decoder)
    throw new SpeechFailed(`Audio of this kind (${track.codec ?? 'unknown'}) cannot be decoded here`)
  return resampled(samplesOf(track, decoder))
}

async function* samplesOf(track: InputAudioTrack, decoder: PacketDecoder): AsyncGenerator<Samples> {
  try {
    let packets: Uint8Array[] = []
    for await (const packet of new EncodedPacketSink(track).packets()) {
      if (packet.byteLength === 0) continue
      packets.push(packet.data)
      if (packets.length < BATCH) continue
      yield await decoder.decode(packets)
      packets = []
    }
    if (packets.length > 0) yield await decoder.decode(packets)
  } finally {
    decoder.free()
  }
}

const MIN_RATE = 4000
const MAX_RATE = 768_000

async function* resampled(samples: AsyncIterable<Samples>): AsyncGenerator<Float32Array> {
  let filter: Resampler | undefined
  let rate = 0
  for await (const part of samples) {
    if (part.mono.length === 0) continue
    if (part.rate !== rate || !filter) {
      if (!(part.rate >= MIN_RATE && part.rate <= MAX_RATE))
        throw new SpeechFailed('This file is damaged: its sampling rate is impossible')
      // the rate may change within concatenated files
      if (filter) yield filter.flush()
      rate = part.rate
      filter = resampler(Math.round(rate))
    }
    yield filter.push(part.mono)
  }
  if (filter) yield filter.flush()
}
