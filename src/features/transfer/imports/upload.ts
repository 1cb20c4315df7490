/** Streams an uploaded file to the disk, and removes it when it is refused. */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import type { ApiRequest } from '../../../kernel/resource.ts'
import {
  boolean,
  dict,
  type Infer,
  type Issue,
  object,
  oneOf,
  optional,
  text,
} from '../../../kernel/schema/index.ts'
import { uploadLimit } from '../../../kernel/storage.ts'
import { unknownKeys } from '../../../kernel/strict.ts'
import { syncWritten } from '../../../lib/durable.ts'
import { transferFiles } from '../exports/files.ts'
import { EXPORTED } from '../exports/record.ts'
import { storedFile } from './access.ts'
import { type Analysis, analyse, hasRecords } from './analyse.ts'
import { CsvError } from './csv-parser.ts'
import { type Encoding, encodingSniffer } from './encoding.ts'
import { detectFormat, type Format } from './formats/detect.ts'
import { type Converted, convert } from './formats/index.ts'
import { importOptions } from './options.ts'
import { parsed } from './values.ts'

/** The parts of the upload besides the file. */
export const uploadFields = object({
  entity_type: oneOf(EXPORTED),
  mapping: optional(dict({ description: 'As JSON' })),
  value_mapping: optional(dict({ description: 'As JSON' })),
  options: optional(importOptions),
  has_header: optional(boolean()),
  sheet: optional(
    text({ max: 255, description: 'The sheet of a workbook to import; the first visible one unless set' }),
  ),
})

const MAX_FIELD = 1_000_000
const JSON_FIELDS = ['mapping', 'value_mapping', 'options']

interface StoredFile {
  fileName: string
  fileSize: number
  /** SHA-256 */
  fileHash: string
  format: Format
  encoding: Encoding
}

export interface Upload extends StoredFile, Converted {
  fields: Infer<typeof uploadFields>
}

/** Stores the whole file, or nothing. */
export async function receive(ctx: Ctx, request: ApiRequest, id: string): Promise<Upload> {
  await transferFiles.makeFolder(ctx)
  try {
    const { file, fields } = await readParts(ctx, request, id)
    if (file.format !== 'csv') return { ...file, ...(await asTable(ctx, id, file, fields)), fields }
    if (fields.sheet !== undefined) throw wrongPart('sheet', 'only XLSX files have sheets', fields.sheet)
    await transferFiles.publish(ctx, id)
    return { ...file, sheet: null, notices: [], fields }
  } catch (error) {
    await transferFiles.remove(ctx, [id])
    throw notATable(error)
  }
}

const wrongPart = (name: string, sentence: string, value: unknown) =>
  errors.invalidValue(['body', name], sentence, value)

/** Converts the file into a table; only the table is stored. */
async function asTable(
  ctx: Ctx,
  id: string,
  { format, encoding }: StoredFile,
  { sheet, has_header }: Upload['fields'],
): Promise<Converted & { encoding: Encoding }> {
  if (format === 'csv') throw new Error('a CSV file is stored unchanged')
  if (sheet !== undefined && format !== 'xlsx') throw wrongPart('sheet', 'only XLSX files have sheets', sheet)
  if (has_header === false && format !== 'xlsx')
    throw wrongPart('has_header', 'the records of this file name their fields', has_header)
  const part = transferFiles.partPath(ctx, id)
  const limit = await uploadLimit(ctx, ctx.services.config.files.importBytes)
  const converted = await convert(format, part, transferFiles.path(ctx, id), encoding, sheet, limit)
  await syncWritten(transferFiles.path(ctx, id))
  await rm(part, { force: true })
  return { ...converted, encoding: 'utf-8' }
}

async function readParts(
  ctx: Ctx,
  request: ApiRequest,
  id: string,
): Promise<{ file: StoredFile; fields: Upload['fields'] }> {
  const raw: Record<string, string> = {}
  let file: StoredFile | undefined
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (part.fieldname !== 'file' || file) {
        part.file.resume()
        continue
      }
      file = await store(ctx, part.file, part.filename, id)
    } else if (typeof part.value === 'string' && part.value.length <= MAX_FIELD)
      raw[part.fieldname] = part.value
  }
  const { fields, issues } = checkFields(raw)
  if (!file) issues.unshift({ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null })
  if (!file || issues.length > 0) throw errors.invalid(issues)
  return { file, fields }
}

async function store(ctx: Ctx, source: AsyncIterable<Buffer>, name: string, id: string): Promise<StoredFile> {
  const limit = await uploadLimit(ctx, ctx.services.config.files.importBytes)
  const sniffer = encodingSniffer()
  const hash = createHash('sha256')
  const file = await open(transferFiles.partPath(ctx, id), 'w', 0o600)
  let head = Buffer.alloc(0)
  let fileSize = 0
  try {
    for await (const chunk of source) {
      fileSize += chunk.length
      if (fileSize > limit.bytes + LISTENED_TO) break
      // The rest of a file that is too large is read and dropped, so that the client can read the response.
      if (fileSize > limit.bytes) continue
      sniffer.push(chunk)
      hash.update(chunk)
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)])
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  if (fileSize > limit.bytes) throw limit.exceeded()
  const encoding = sniffer.result()
  const format = detectFormat(head, encoding, name)
  const fileHash = hash.digest('hex')
  return { fileName: safeName(name), fileSize, fileHash, format, encoding: encoding ?? 'utf-8' }
}

/** Enough bytes to detect the format. */
const HEAD_BYTES = 4096

/** An upload that exceeds the limit by this much is no longer read. */
const LISTENED_TO = 1024 ** 3

const safeName = (name: string): string =>
  [
    ...basename(name.replaceAll('\\', '/'))
      .replace(/\p{Cc}/gu, '')
      .toWellFormed(),
  ]
    .slice(0, 255)
    .join('') || 'import.csv'

function checkFields(raw: Record<string, string>): { fields: Upload['fields']; issues: Issue[] } {
  const issues: Issue[] = []
  const values: Record<string, unknown> = { ...raw }
  for (const name of JSON_FIELDS) {
    const text = raw[name]
    if (text === undefined) continue
    values[name] = parsed(text)
    if (values[name] !== undefined) continue
    const ctx = { error: 'this is no JSON' }
    issues.push({
      type: 'json_invalid',
      loc: ['body', name],
      msg: 'JSON decode error',
      input: text,
      ctx,
    })
    delete values[name]
  }
  const fields = uploadFields.check(values, ['body'], issues)
  issues.push(...unknownKeys(uploadFields.json, values, ['body']))
  return { fields, issues }
}

/** Analyses the file; one that is no table is refused and removed. */
export async function examine(
  ctx: Ctx,
  id: string,
  format: Format,
  encoding: Encoding,
  requested: { delimiter?: string; has_header?: boolean },
  keep = false,
): Promise<Analysis> {
  const path = storedFile(ctx, id)
  try {
    if (format === 'csv') return await analyse(path, format, encoding, requested)
    const layout = hasRecords(format) ? { has_header: true } : requested
    return await analyse(path, format, encoding, { ...layout, delimiter: ',' })
  } catch (error) {
    if (!keep) await transferFiles.remove(ctx, [id])
    throw notATable(error)
  }
}

const notATable = (error: unknown): unknown =>
  error instanceof CsvError ? errors.invalidValue(['body', 'file'], error.message, null) : error
