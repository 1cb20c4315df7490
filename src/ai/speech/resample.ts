/** Any sampling rate → 16 kHz, which the models need, chunk by chunk. */
import { at as item } from '../../lib/values.ts'
import { dot } from '../vectors.ts'

export const RATE = 16_000
/** Zero crossings of the sinc on each side: more than enough for speech. */
const CROSSINGS = 12

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** A filter that keeps its position between chunks. `flush` returns the rest. */
export interface Resampler {
  push(samples: Float32Array): Float32Array
  flush(): Float32Array
}

export function resampler(from: number): Resampler {
  if (from === RATE) return { push: samples => samples, flush: () => new Float32Array(0) }
  const divisor = gcd(from, RATE)
  const up = RATE / divisor
  const down = from / divisor
  const { taps, half, kernels } = kernelsOf(up, from)
  // begins with silence, so that the middle of the filter is at the first sample
  let pending: Float32Array = new Float32Array(half - 1)
  let position = 0

  function push(samples: Float32Array): Float32Array {
    const input = new Float32Array(pending.length + samples.length)
    input.set(pending)
    input.set(samples, pending.length)
    const most = Math.ceil(((input.length - taps + 1) * up - position) / down) + 1
    const output = new Float32Array(Math.max(0, most))
    let count = 0
    for (let at = Math.floor(position / up); at + taps <= input.length; at = Math.floor(position / up)) {
      output[count++] = dot(input, at, item(kernels, position % up))
      position += down
    }
    const used = Math.min(Math.floor(position / up), input.length)
    position -= used * up
    pending = input.slice(used)
    return output.subarray(0, count)
  }

  return { push, flush: () => push(new Float32Array(half)) }
}

/** For each position between two samples, the weights of its neighbours. */
function kernelsOf(up: number, from: number) {
  const cutoff = Math.min(1, RATE / from) * 0.95
  const half = Math.ceil(CROSSINGS / cutoff)
  const taps = 2 * half
  const kernels = Array.from({ length: up }, (_, phase) => {
    const kernel = new Float32Array(taps)
    for (let i = 0; i < taps; i++) {
      const x = i - half + 1 - phase / up
      const window = Math.abs(x) >= half ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * x) / half)
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * cutoff * x) / (Math.PI * cutoff * x)
      kernel[i] = sinc * window
    }
    const sum = kernel.reduce((total, weight) => total + weight, 0)
    return kernel.map(weight => weight / sum)
  })
  return { taps, half, kernels }
}
