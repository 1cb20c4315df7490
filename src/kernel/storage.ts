/** How much an account may store as files: uploads, recordings, attachments and exports together. */
import type { Ctx } from './context.ts'
import { errors, type HttpError } from './errors.ts'

const MB = 1024 * 1024

/** Functions that return the bytes in use, one per kind of file; each store adds its own. */
const counted: ((ctx: Ctx) => Promise<number>)[] = []

export const countAsStorage = (bytesOf: (ctx: Ctx) => Promise<number>): void => void counted.push(bytesOf)

/** The account's remaining storage in bytes; negative after the limit was lowered. */
export async function storageLeft(ctx: Ctx): Promise<number> {
  const { storageBytes } = ctx.services.config.limits
  if (storageBytes === 0) return Number.POSITIVE_INFINITY
  const used = await Promise.all(counted.map(bytesOf => bytesOf(ctx)))
  return storageBytes - used.reduce((sum, bytes) => sum + bytes, 0)
}

export interface UploadLimit {
  bytes: number
  /** the error for a larger upload */
  exceeded(): HttpError
}

/** The size limit of an upload: that of its kind, or the account's remaining storage if that is less. */
export async function uploadLimit(ctx: Ctx, bytes: number): Promise<UploadLimit> {
  const remaining = await storageLeft(ctx)
  if (remaining >= bytes) return { bytes, exceeded: () => errors.tooLarge(sizeText(bytes)) }
  return { bytes: Math.max(0, remaining), exceeded: () => storageFull(ctx) }
}

export const storageFull = (ctx: Ctx): HttpError =>
  errors.storageFull(sizeText(ctx.services.config.limits.storageBytes))

const sizeText = (bytes: number): string =>
  bytes >= MB ? `${Math.round((bytes / MB) * 10) / 10} MB` : `${bytes} bytes`
