/** Collects in memory which blocks of a segment contain which grams. */
import { setImmediate } from 'node:timers/promises'
import { eachGram } from '../../lib/grams.ts'
import { BLOCKS } from './tables.ts'

const WORDS = BLOCKS / 32
/** Characters between two pauses: 100,000 take about 8 ms. */
const PAUSE_AFTER = 100_000

export class Masks {
  readonly #at = new Map<number, number>()
  #words = new Uint32Array(1024 * WORDS)
  #characters = 0

  /** Yields to other work: the texts of a segment can take seconds. */
  async add(text: string, block: number): Promise<void> {
    const word = block >>> 5
    const bit = 1 << (31 - (block & 31))
    eachGram(text, gram => {
      let at = this.#at.get(gram)
      if (at === undefined) {
        at = this.#at.size * WORDS
        this.#at.set(gram, at)
        if (at >= this.#words.length) this.#grow()
      }
      this.#words[at + word] = (this.#words[at + word] ?? 0) | bit
    })
    this.#characters += text.length
    if (this.#characters < PAUSE_AFTER) return
    this.#characters = 0
    await setImmediate()
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2)
    larger.set(this.#words)
    this.#words = larger
  }

  /** The columns for `insert`, in parts, in the order of the key. */
  *parts(size: number): Generator<{ grams: number[]; blocks: string[] }> {
    const entries = [...this.#at].sort(([a], [b]) => a - b)
    for (let from = 0; from < entries.length; from += size) {
      const part = entries.slice(from, from + size)
      yield { grams: part.map(([gram]) => gram), blocks: part.map(([, at]) => this.#bits(at)) }
    }
  }

  #bits(at: number): string {
    const words = this.#words.subarray(at, at + WORDS)
    return `x${Array.from(words, word => word.toString(16).padStart(8, '0')).join('')}`
  }
}
