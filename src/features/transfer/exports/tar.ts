/** The part of the tar format that archives of accounts need: plain files with short names. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { codeOf } from '../../../lib/thrown.ts'

const BLOCK = 512
const NAME_LENGTH = 100
/** Eleven octal digits. */
const MAX_SIZE = 8 ** 11 - 1

export function tarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > NAME_LENGTH) throw new Error(`${name} is too long a name for the archive`)
  if (size > MAX_SIZE) throw new Error(`${name} is too large for the archive`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(Math.floor(Date.now() / 1000), 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The padding after a file of this size. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

/**
 * What an archive may unpack to. Lines of JSON compress by a factor of 5 to 20, zeros by 1000: beyond `ratio` the
 * archive was made to fill the disk. Small archives are exempt, because a few hundred equal rows compress well, too.
 */
export interface UnpackLimits {
  bytes: number
  entries: number
  ratio: number
  ratioFrom: number
}

export const unpackLimits = (bytes: number): UnpackLimits => ({
  bytes,
  entries: 1_000_000,
  ratio: 200,
  ratioFrom: 64 * 1024 * 1024,
})

/** Unpacks an archive into a folder. Refuses names that a takeout does not write. */
export async function extract(
  archive: string,
  folder: string,
  limits: UnpackLimits,
  names: RegExp = ACCOUNT_NAMES,
): Promise<void> {
  try {
    const { size } = await stat(archive)
    const allowed = Math.min(limits.bytes, Math.max(limits.ratioFrom, size * limits.ratio))
    await pipeline(createReadStream(archive), createGunzip(), (unzipped: AsyncIterable<Buffer>) =>
      unpack(bounded(unzipped, allowed, limits), folder, limits.entries, names),
    )
  } catch (error) {
    throw asSentence(error)
  }
}

function asSentence(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') return new Error('There is no such file.')
  if (code?.startsWith('Z_')) return new Error('This is not an archive of an account.')
  return error
}

async function* bounded(
  stream: AsyncIterable<Buffer>,
  allowed: number,
  limits: UnpackLimits,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > allowed) throw tooLarge(allowed, limits)
    yield chunk
  }
}

const tooLarge = (allowed: number, { bytes, ratio }: UnpackLimits): Error =>
  new Error(
    allowed === bytes
      ? `The archive unpacks to more than ${bytes} bytes: set KITH_RESTORE_LIMIT to allow more.`
      : `The archive unpacks to more than ${ratio} times its size: it was made to fill the disk.`,
  )

const ACCOUNT_NAMES = /^(manifest\.json|tables\/[a-z_0-9]+\/\d+\.jsonl|files\/[a-z_0-9-]+\/[0-9a-f-]{36})$/

/** Enough for the compressed header of the first file. */
const HEAD_BYTES = 4096

/** The name of the first file in an archive, which shows its kind; undefined if it is no archive. */
export async function firstName(archive: string): Promise<string | undefined> {
  const file = await open(archive).catch(error => {
    throw asSentence(error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = gunzipSync(buffer.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH })
    return nameIn(head) || undefined
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_')) return undefined
    throw error
  } finally {
    await file.close()
  }
}

const nameIn = (header: Buffer): string => header.toString('utf8', 0, NAME_LENGTH).replace(/\0.*$/s, '')

async function unpack(
  stream: AsyncIterable<Buffer>,
  folder: string,
  maxEntries: number,
  names: RegExp,
): Promise<void> {
  const reader = byteReader(stream)
  for (let entries = 0; ; entries++) {
    const header = await reader.take(BLOCK)
    if (!header || header[0] === 0) return reader.drain()
    if (entries === maxEntries) throw new Error(`The archive has more than ${maxEntries} files.`)
    const name = nameIn(header)
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
    if (!names.test(name) || !(size >= 0)) throw new Error('This is not an archive of an account.')
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await pipeline(reader.next(size), createWriteStream(path, { mode: 0o600 }))
    await reader.take((BLOCK - (size % BLOCK)) % BLOCK)
  }
}

/** Reads a given number of bytes at a time from a stream of chunks of any size. */
function byteReader(stream: AsyncIterable<Buffer>) {
  const pieces = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const { value, done } = await pieces.next()
    if (done) return false
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }

  return {
    async take(count: number): Promise<Buffer | undefined> {
      while (rest.length < count) if (!(await more())) return undefined
      const taken = rest.subarray(0, count)
      rest = rest.subarray(count)
      return taken
    },
    async *next(count: number): AsyncGenerator<Buffer> {
      for (let left = count; left > 0; ) {
        if (rest.length === 0 && !(await more())) throw new Error('The archive ends too early.')
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
    async drain(): Promise<void> {
      rest = Buffer.alloc(0)
      while (await more()) rest = Buffer.alloc(0)
    },
  }
}
