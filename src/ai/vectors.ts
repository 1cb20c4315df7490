/** Vectors as the database stores them: one byte per dimension for ranking, one bit for finding candidates. */

export function toBytes(vector: Float32Array): Buffer {
  let largest = 1e-9
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  return Buffer.from(Int8Array.from(vector, value => Math.round((value / largest) * 127)).buffer)
}

export const toSigns = (vector: Float32Array): string =>
  Array.from(vector, value => (value > 0 ? '1' : '0')).join('')

/**
 * How much the sign of each dimension counts, from 0 to 3 by the quarter that its value is in, as two masks: dimensions
 * of `twos` count two, those of `ones` one more. The sign of a value near zero says little: of 100,000 vectors, the 300
 * nearest by weighted signs have 94 % of the ten nearest by cosine; with all signs alike they have 80 %.
 */
export function signWeights(vector: Float32Array): { twos: string; ones: string } {
  const sizes = vector.map(Math.abs)
  const sorted = sizes.toSorted()
  const quarters = [1, 2, 3].map(quarter => sorted[Math.floor((sorted.length * quarter) / 4)] ?? 0)
  const weights = Array.from(sizes, size => quarters.filter(least => size >= least).length)
  return {
    twos: weights.map(weight => (weight >= 2 ? '1' : '0')).join(''),
    ones: weights.map(weight => (weight % 2 === 1 ? '1' : '0')).join(''),
  }
}

export function fromBytes(bytes: Buffer): Float32Array {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let sum = 0
  for (const value of values) sum += value * value
  const norm = Math.sqrt(sum) || 1
  return Float32Array.from(values, value => value / norm)
}

/**
 * The cosine of a unit vector and a stored one: `cosine(vector, fromBytes(bytes))` without the vector in between. The 600
 * of a search take 0.8 ms instead of 33.
 */
export function cosineOfBytes(vector: Float32Array, bytes: Buffer): number {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let product = 0
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    product += vector[i]! * value
    squares += value * value
  }
  return product / (Math.sqrt(squares) || 1)
}

/** The cosine of two unit vectors. */
export const cosine = (a: Float32Array, b: Float32Array): number => dot(a, 0, b)

/** The dot product of `b` and `a` from position `from` on. An index loop, because an iterator takes twice as long. */
export function dot(a: Float32Array, from: number, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < b.length; i++) sum += a[from + i]! * b[i]!
  return sum
}
