/** Vectors as the database stores them: one byte per dimension for ranking, one bit for finding candidates. */

export function toBytes(vector: Float32Array): Buffer {
  let largest = 1e-9
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  return Buffer.from(Int8Array.from(vector, value => Math.round((value / largest) * 127)).buffer)
}

export const toSigns = (vector: Float32Array): string =>
  Array.from(vector, value => (value > 0 ? '1' : '0')).join('')

export function fromBytes(bytes: Buffer): Float32Array {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let sum = 0
  for (const value of values) sum += value * value
  const norm = Math.sqrt(sum) || 1
  return Float32Array.from(values, value => value / norm)
}

/** The cosine of two unit vectors. */
export const cosine = (a: Float32Array, b: Float32Array): number => dot(a, 0, b)

/** The dot product of `b` and `a` from position `from` on. An index loop, because an iterator takes twice as long. */
export function dot(a: Float32Array, from: number, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < b.length; i++) sum += a[from + i]! * b[i]!
  return sum
}
