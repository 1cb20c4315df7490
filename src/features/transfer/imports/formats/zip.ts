/**
 * The entries of a zip file, inflated as they are read. Sizes are those that the bytes have, not those that the file
 * claims: an entry that inflates to too much is refused when the bound is reached.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { errors } from '../../../../kernel/errors.ts'
import { CsvError } from '../csv-parser.ts'

interface Entry {
  method: number
  /** where its local header begins, and how long its compressed bytes are */
  offset: number
  size: number
}

export interface Zip {
  names(): string[]
  has(name: string): boolean
  /** The bytes of an entry, some at a time. */
  read(name: string): AsyncGenerator<Buffer>
}

const END = 0x06054b50
const DIRECTORY = 0x02014b50
const END_BYTES = 22
const MAX_COMMENT = 65_535
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024
const LOCAL_HEADER_BYTES = 30
/** Sheets inflate to 10 to 50 times their size; deflate could do 1,000. */
const MAX_RATIO = 200
/** Below this a high ratio does no harm. */
const HARMLESS_BYTES = 16 * 1024 * 1024

const STORED = 0
const DEFLATED = 8

const broken = () => errors.unsupportedMedia('This zip file is damaged: save the table again as XLSX or CSV')

export async function openZip(path: string): Promise<Zip> {
  const file = await open(path)
  let entries: Map<string, Entry>
  try {
    entries = await directoryOf(file)
  } catch (error) {
    if (error instanceof RangeError) throw broken()
    throw error
  } finally {
    await file.close()
  }
  return {
    names: () => [...entries.keys()],
    has: name => entries.has(name),
    read: name => inflated(path, name, entries.get(name)),
  }
}

async function directoryOf(file: FileHandle): Promise<Map<string, Entry>> {
  const { size } = await file.stat()
  const tail = await bytesAt(file, Math.max(0, size - END_BYTES - MAX_COMMENT), END_BYTES + MAX_COMMENT)
  let end = tail.length - END_BYTES
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--
  if (end < 0) throw broken()
  const length = tail.readUInt32LE(end + 12)
  const from = tail.readUInt32LE(end + 16)
  if (length > MAX_DIRECTORY_BYTES) throw broken()
  const directory = await bytesAt(file, from, length)
  const entries = new Map<string, Entry>()
  for (let at = 0; at < directory.length; ) {
    if (directory.readUInt32LE(at) !== DIRECTORY) throw broken()
    const isEncrypted = (directory.readUInt16LE(at + 8) & 1) === 1
    if (isEncrypted) throw errors.unsupportedMedia('This file has a password: save it without one')
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
    const name = directory.toString('utf8', at + 46, nameEnd)
    entries.set(name, {
      method: directory.readUInt16LE(at + 10),
      size: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    })
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

async function* inflated(path: string, name: string, entry: Entry | undefined): AsyncGenerator<Buffer> {
  if (!entry || (entry.method !== STORED && entry.method !== DEFLATED)) throw broken()
  const file = await open(path)
  let start: number
  try {
    const header = await bytesAt(file, entry.offset, LOCAL_HEADER_BYTES)
    if (header.length < LOCAL_HEADER_BYTES) throw broken()
    start = entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    await file.close()
  }
  if (entry.size === 0) return
  const source = createReadStream(path, { start, end: start + entry.size - 1 })
  const stream = entry.method === STORED ? source : source.pipe(createInflateRaw({ chunkSize: 64 * 1024 }))
  const chunks: AsyncIterable<Buffer> = stream
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > HARMLESS_BYTES && bytes > entry.size * MAX_RATIO)
        throw new CsvError(1, `“${name}” in this file inflates to more than ${MAX_RATIO} times its size`)
      yield chunk
    }
  } catch (error) {
    // the error of zlib for bytes that are not compressed by it
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) throw broken()
    throw error
  } finally {
    source.destroy()
    stream.destroy()
  }
}
