/** Receives the file and the fields of a multipart upload. */
import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { piped } from '../lib/piped.ts'
import type { UploadPart } from './endpoint.ts'
import { errors } from './errors.ts'
import type { Issue, RecordSchema } from './schema/index.ts'
import type { UploadLimit } from './storage.ts'

export type FilePart = Extract<UploadPart, { type: 'file' }>

/** The fields may come before or after the file, so they are checked at the end. Other files are skipped. */
export async function readUpload<File, Fields>(
  parts: AsyncIterable<UploadPart>,
  schema: RecordSchema<Fields>,
  store: (part: FilePart) => Promise<File>,
): Promise<{ file: File; fields: Fields }> {
  const input: Record<string, unknown> = {}
  const issues: Issue[] = []
  let stored: { file: File } | undefined
  for await (const part of parts) {
    if (part.type === 'field') {
      if (Object.hasOwn(schema.fields, part.fieldname)) input[part.fieldname] = part.value
    } else if (part.fieldname === 'file' && !stored) stored = { file: await store(part) }
    else part.file.resume()
  }
  const fields = schema.check(input, ['body'], issues)
  if (!stored) issues.unshift({ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null })
  if (!stored || issues.length > 0) throw errors.invalid(issues)
  return { ...stored, fields }
}

/** Streams an upload to a new file and returns its size. `inspect` gets each chunk, and refuses the upload by throwing. */
export async function storeUpload(
  upload: Readable,
  path: string,
  limit: UploadLimit,
  inspect: (chunk: Buffer) => void,
): Promise<number> {
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      try {
        if (size > limit.bytes) throw limit.exceeded()
        inspect(chunk)
        done(null, chunk)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  try {
    await pipeline(piped(upload, meter), createWriteStream(path, { mode: 0o600 }))
    return size
  } catch (error) {
    // The rest of the upload is read, so that the client gets the response.
    upload.unpipe(meter).resume()
    throw error
  }
}

/** A file name for display: without folders, which some clients send, and without characters that cannot be stored. */
export function displayName(fileName: string | undefined, otherwise: string): string {
  const last = (fileName ?? '').replace(/^.*[/\\]/s, '')
  const clean = last.replace(/\p{Cc}|\p{Cs}|[\u2028\u2029]/gu, '').trim()
  return [...clean].slice(0, 255).join('') || otherwise
}
