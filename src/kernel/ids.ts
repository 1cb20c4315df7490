import { randomFillSync } from 'node:crypto'

const random = Buffer.alloc(16 * 256)
let used = random.length
let lastMs = 0
let sequence = 0

/**
 * A UUIDv7: sortable by creation time, and strictly increasing within this process (the 12 bits after the time are a
 * counter within the millisecond), so that records created one after the other sort in that order.
 */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const bytes = random.subarray(used, used + 16)
  used += 16
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    sequence = bytes.readUInt16BE(6) & 0x3ff
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
