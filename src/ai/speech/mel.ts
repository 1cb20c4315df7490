/** Whisper's input: a mel spectrogram with 80 bands, 100 frames a second, thirty seconds. */
import { RATE } from './resample.ts'

export const BANDS = 80
export const FRAMES = 3000
const WINDOW = 400
const HOP = RATE / 100
const BINS = WINDOW / 2 + 1

const hann = Float32Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW))
const cosines = Float32Array.from({ length: WINDOW }, (_, i) => Math.cos((2 * Math.PI * i) / WINDOW))
const sines = Float32Array.from({ length: WINDOW }, (_, i) => Math.sin((2 * Math.PI * i) / WINDOW))

/** Slaney's mel scale: linear up to 1 kHz, logarithmic above. */
const STEP = Math.log(6.4) / 27
const melOf = (hertz: number) => (hertz < 1000 ? (hertz * 3) / 200 : 15 + Math.log(hertz / 1000) / STEP)
const hertzOf = (mel: number) => (mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp(STEP * (mel - 15)))

/** For each band, the weights of the frequencies in it: triangles of the same area. */
const bands = (() => {
  const top = melOf(RATE / 2)
  const edges = Array.from({ length: BANDS + 2 }, (_, i) => hertzOf((top * i) / (BANDS + 1)))
  return Array.from({ length: BANDS }, (_, band) => {
    const [low = 0, middle = 0, high = 0] = edges.slice(band, band + 3)
    return Array.from({ length: BINS }, (_, bin) => {
      const hertz = (bin * RATE) / WINDOW
      const rise = (hertz - low) / (middle - low)
      const fall = (high - hertz) / (high - middle)
      return { bin, weight: (Math.max(0, Math.min(rise, fall)) * 2) / (high - low) }
    }).filter(({ weight }) => weight > 0)
  })
})()

/** Bands × frames in one array; a shorter sound is padded with silence, a longer one is cut at thirty seconds. */
export function melSpectrogram(samples: Float32Array): Float32Array {
  const spectrogram = new Float32Array(BANDS * FRAMES).fill(-10)
  const frameCount = Math.min(FRAMES, Math.ceil((samples.length + WINDOW / 2) / HOP))
  const frame = new Float32Array(WINDOW)
  let top = -10
  for (let i = 0; i < frameCount; i++) {
    fill(frame, samples, i * HOP - WINDOW / 2)
    const power = spectrum(frame)
    for (const [band, weights] of bands.entries()) {
      let sum = 0
      for (const { bin, weight } of weights) sum += power[bin]! * weight
      const loudness = Math.log10(Math.max(sum, 1e-10))
      spectrogram[band * FRAMES + i] = loudness
      if (loudness > top) top = loudness
    }
  }
  return spectrogram.map(loudness => (Math.max(loudness, top - 8) + 4) / 4)
}

/** Before the beginning the sound is mirrored. */
function fill(frame: Float32Array, samples: Float32Array, from: number): void {
  for (let i = 0; i < WINDOW; i++) frame[i] = (samples[Math.abs(from + i)] ?? 0) * hann[i]!
}

/** The power of each frequency. The symmetry of the window saves half of the products. */
function spectrum(frame: Float32Array): Float32Array {
  const half = WINDOW / 2
  const even = new Float32Array(half)
  const odd = new Float32Array(half)
  for (let i = 1; i < half; i++) {
    even[i] = frame[i]! + frame[WINDOW - i]!
    odd[i] = frame[i]! - frame[WINDOW - i]!
  }
  const power = new Float32Array(BINS)
  for (let bin = 0; bin < BINS; bin++) {
    let real = frame[0]! + (bin % 2 === 0 ? frame[half]! : -frame[half]!)
    let imaginary = 0
    for (let i = 1, angle = bin; i < half; i++, angle += bin) {
      if (angle >= WINDOW) angle -= WINDOW
      real += even[i]! * cosines[angle]!
      imaginary += odd[i]! * sines[angle]!
    }
    power[bin] = real * real + imaginary * imaginary
  }
  return power
}
