import { describe, expect, it } from 'vitest'
import { nearestBySigns, type SignedVectors, signBytes } from './sign-scan.ts'

/** Numbers between -1 and 1, the same in every run. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
}

const vectorsOf = (count: number, dimensions: number, next: () => number) =>
  Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next))

/** With room for one more, whose id must never be returned. */
function signed(vectors: readonly Float32Array[], firstId: number): SignedVectors {
  const width = signBytes(vectors[0]?.length ?? 0)
  const signs = new Uint8Array((vectors.length + 1) * width).fill(255)
  for (const [i, vector] of vectors.entries()) {
    const bits = Array.from(vector, value => (value > 0 ? '1' : '0')).join('')
    for (let at = 0; at < width; at++)
      signs[i * width + at] = Number.parseInt(bits.slice(8 * at, 8 * at + 8).padEnd(8, '0'), 2)
  }
  const ids = Float64Array.from({ length: vectors.length + 1 }, (_, i) => firstId + i)
  return { ids, signs, count: vectors.length }
}

const score = (question: Float32Array, vector: Float32Array) =>
  vector.reduce((sum, value, i) => sum + (value > 0 ? (question[i] ?? 0) : 0), 0)

describe('the nearest by signs', () => {
  it.each([[384], [16], [20]])(
    'are those whose signs agree with the largest values: %i dimensions',
    dimensions => {
      const next = numbers(dimensions)
      const [question = new Float32Array(), ...vectors] = vectorsOf(301, dimensions, next)
      const groups = [signed(vectors.slice(0, 100), 0), signed(vectors.slice(100), 100)]
      const nearest = nearestBySigns(question, [groups[0]!, { ...groups[1]! }], 30)
      expect(new Set(nearest).size).toBe(30)
      const scores = vectors.map(vector => score(question, vector))
      const threshold = scores.toSorted((a, b) => b - a)[29]!
      // scores are rounded: half of a unit for each dimension, of which all values together have nearly 16,000
      const sum = question.reduce((total, value) => total + Math.abs(value), 0)
      const rounding = (dimensions * sum) / 15_000
      expect(nearest.filter(id => scores[id]! < threshold - rounding)).toEqual([])
    },
  )

  it('are all vectors where there are fewer, and none of none', () => {
    const vectors = vectorsOf(5, 16, numbers(1))
    const question = vectors[0]!
    expect(nearestBySigns(question, [signed(vectors, 7)], 10)).toEqual([7, 8, 9, 10, 11])
    expect(nearestBySigns(question, [], 10)).toEqual([])
  })

  it('are as many as requested although more are equally near', () => {
    const [vector = new Float32Array()] = vectorsOf(1, 16, numbers(2))
    expect(nearestBySigns(vector, [signed([vector, vector, vector], 1)], 2)).toEqual([1, 2])
    expect(nearestBySigns(new Float32Array(16), [signed([vector, vector, vector], 1)], 2)).toEqual([1, 2])
  })
})
