/** Cuts a stream of samples into pieces at its pauses, and leaves silence out. */
import { at } from '../../lib/values.ts'
import { RATE } from './resample.ts'

export interface Piece {
  /** seconds from the beginning */
  start: number
  end: number
  samples: Float32Array
}

const FRAME = RATE / 50
const FRAMES_PER_SECOND = RATE / FRAME
const seconds = (count: number) => Math.round(count * FRAMES_PER_SECOND)
/** A pause as between two sentences ends a piece that is long enough; a long pause ends any piece. */
const PAUSE = seconds(0.3)
const LONG_PAUSE = seconds(1)
/** Included before and after speech: consonants begin and end quietly. */
const MARGIN = seconds(0.2)
/** A shorter sound is not a word. */
const MIN_SOUND = seconds(0.12)
/** Mean power of a frame: silence is below -56 dB, or less than 12 dB above the quietest part of the recording. */
const SILENCE = 10 ** (-56 / 10)
const ABOVE_FLOOR = 10 ** (12 / 10)
const LOUD = 10 ** (-38 / 10)

export interface Cutter {
  push(samples: Float32Array): Piece[]
  flush(): Piece[]
}

/** A piece of a few seconds gives the model a sentence as context; `max` is the model's limit. Both in seconds. */
export function cutter(length = { min: 6, max: 16 }): Cutter {
  const minPiece = seconds(length.min)
  const maxPiece = seconds(length.max)
  let frames: Float32Array[] = []
  let powers: number[] = []
  let begin = 0
  let part = new Float32Array(0)
  const threshold = floorOf()

  function take(frame: Float32Array): Piece | undefined {
    let power = 0
    for (const sample of frame) power += sample * sample
    power /= frame.length
    frames.push(frame)
    powers.push(power)
    const limit = threshold(power)
    const quiet = quietAtEnd(powers, limit)
    if (quiet === powers.length) {
      // no sound so far: the beginning moves forward
      if (quiet > MARGIN) drop(quiet - MARGIN)
      return undefined
    }
    const isEnd = quiet >= LONG_PAUSE || (quiet >= PAUSE && powers.length >= minPiece)
    if (isEnd) return cutAt(powers.length - (quiet - Math.min(quiet >> 1, MARGIN)), limit)
    return powers.length >= maxPiece ? cutAt(quietest(powers, minPiece), limit) : undefined
  }

  function drop(count: number): void {
    frames = frames.slice(count)
    powers = powers.slice(count)
    begin += count
  }

  function cutAt(end: number, limit: number): Piece | undefined {
    const sound = powers.slice(0, end).filter(power => power > limit).length
    const samples = new Float32Array(end * FRAME)
    for (const [i, frame] of frames.slice(0, end).entries()) samples.set(frame, i * FRAME)
    const start = begin / FRAMES_PER_SECOND
    drop(end)
    return sound < MIN_SOUND ? undefined : { start, end: begin / FRAMES_PER_SECOND, samples }
  }

  function push(samples: Float32Array): Piece[] {
    const input = new Float32Array(part.length + samples.length)
    input.set(part)
    input.set(samples, part.length)
    const pieces: Piece[] = []
    let at = 0
    for (; at + FRAME <= input.length; at += FRAME) {
      const piece = take(input.slice(at, at + FRAME))
      if (piece) pieces.push(piece)
    }
    part = input.slice(at)
    return pieces
  }

  return {
    push,
    flush() {
      const pieces = push(new Float32Array((FRAME - (part.length % FRAME)) % FRAME))
      const last = powers.length > 0 ? cutAt(powers.length, threshold(0)) : undefined
      return last ? [...pieces, last] : pieces
    },
  }
}

/** The power from which a frame counts as sound, by the quietest tenth of the last half minute. */
function floorOf(): (power: number) => number {
  const recent: number[] = []
  let limit = SILENCE
  let count = 0
  return power => {
    if (power > 0) recent.push(power)
    if (recent.length > seconds(30)) recent.shift()
    if (++count % FRAMES_PER_SECOND === 0 && recent.length >= seconds(2)) {
      const floor = at(
        [...recent].sort((a, b) => a - b),
        Math.floor(recent.length / 10),
      )
      limit = Math.min(LOUD, Math.max(SILENCE, floor * ABOVE_FLOOR))
    }
    return limit
  }
}

function quietAtEnd(powers: readonly number[], limit: number): number {
  return powers.length - 1 - powers.findLastIndex(power => power > limit)
}

/** The middle of the quietest fifth of a second that is not too close to the beginning. */
function quietest(powers: readonly number[], minPiece: number): number {
  const width = seconds(0.2)
  let best = minPiece
  let least = Number.POSITIVE_INFINITY
  for (let from = minPiece; from + width <= powers.length; from++) {
    const sum = powers.slice(from, from + width).reduce((total, power) => total + power, 0)
    if (sum < least) {
      least = sum
      best = from + width / 2
    }
  }
  return best
}
