/** Samples as files store them → numbers from -1 to 1. */

const ulaw = (byte: number): number => {
  const bits = ~byte & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84
  return (bits & 0x80 ? -magnitude : magnitude) / 32768
}

const alaw = (byte: number): number => {
  const bits = byte ^ 0x55
  const exponent = (bits & 0x70) >> 4
  const mantissa = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80 ? magnitude : -magnitude) / 32768
}

const readers: Record<string, { bytes: number; read: (view: DataView, at: number) => number }> = {
  'pcm-u8': { bytes: 1, read: (view, at) => (view.getUint8(at) - 128) / 128 },
  'pcm-s8': { bytes: 1, read: (view, at) => view.getInt8(at) / 128 },
  ulaw: { bytes: 1, read: (view, at) => ulaw(view.getUint8(at)) },
  alaw: { bytes: 1, read: (view, at) => alaw(view.getUint8(at)) },
  'pcm-s16': { bytes: 2, read: (view, at) => view.getInt16(at, true) / 32768 },
  'pcm-s16be': { bytes: 2, read: (view, at) => view.getInt16(at) / 32768 },
  'pcm-s24': {
    bytes: 3,
    read: (view, at) => (view.getInt8(at + 2) * 65536 + view.getUint16(at, true)) / 8388608,
  },
  'pcm-s24be': { bytes: 3, read: (view, at) => (view.getInt16(at) * 256 + view.getUint8(at + 2)) / 8388608 },
  'pcm-s32': { bytes: 4, read: (view, at) => view.getInt32(at, true) / 2147483648 },
  'pcm-s32be': { bytes: 4, read: (view, at) => view.getInt32(at) / 2147483648 },
  'pcm-f32': { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  'pcm-f32be': { bytes: 4, read: (view, at) => view.getFloat32(at) },
  'pcm-f64': { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  'pcm-f64be': { bytes: 8, read: (view, at) => view.getFloat64(at) },
}

/** Interleaved channels → one; undefined for a codec that is not plain samples. */
export function pcmReader(
  codec: string,
  channels: number,
): ((packet: Uint8Array) => Float32Array) | undefined {
  const reader = readers[codec]
  if (!reader) return undefined
  const { bytes, read } = reader
  return packet => {
    const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength)
    const mono = new Float32Array(Math.floor(packet.byteLength / bytes / channels))
    for (let i = 0, at = 0; i < mono.length; i++) {
      let sum = 0
      for (let channel = 0; channel < channels; channel++, at += bytes) sum += read(view, at)
      mono[i] = sum / channels
    }
    return mono
  }
}

export function mixed(channels: readonly Float32Array[]): Float32Array {
  const [first, ...others] = channels
  if (!first) return new Float32Array(0)
  if (others.length === 0) return first
  const mono = first.map(sample => sample / channels.length)
  for (const channel of others)
    for (let i = 0; i < mono.length; i++) mono[i]! += channel[i]! / channels.length
  return mono
}

export function joined(parts: readonly Float32Array[]): Float32Array {
  const [only] = parts
  if (only && parts.length === 1) return only
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
