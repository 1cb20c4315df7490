/** How much an account may store as files: uploads, recordings, attachments and exports together. */
import type { Ctx } from './context.ts'
import { errors, type HttpError } from './errors.ts'

const MB = 1024 * 1024

/** What each kind of file takes, in bytes; each store adds itself. */
const counted: ((ctx: Ctx) => Promise<number>)[] = []

export const countAsStorage = (bytesOf: (ctx: Ctx) => Promise<number>): void => void counted.push(bytesOf)

/** What is left to the account, in bytes; below 0 after the limit has been lowered. */
export async function storageLeft(ctx: Ctx): Promise<number> {
  const { storageBytes } = ctx.services.config.limits
  if (storageBytes === 0) return Number.POSITIVE_INFINITY
  const used = await Promise.all(counted.map(bytesOf => bytesOf(ctx)))
  return storageBytes - used.reduce((sum, bytes) => sum + bytes, 0)
}

export interface UploadLimit {
  bytes: number
  /** the error for an upload with more */
  exceeded(): HttpError
}

/** What an upload may have: the limit of its kind, or what is left of the account's storage if that is less. */
export async function uploadLimit(ctx: Ctx, bytes: number): Promise<UploadLimit> {
  const left = await storageLeft(ctx)
  if (left >= bytes) return { bytes, exceeded: () => errors.tooLarge(sizeText(bytes)) }
  return { bytes: Math.max(0, left), exceeded: () => storageFull(ctx) }
}

export const storageFull = (ctx: Ctx): HttpError =>
  errors.storageFull(sizeText(ctx.services.config.limits.storageBytes))

const sizeText = (bytes: number): string =>
  bytes >= MB ? `${Math.round((bytes / MB) * 10) / 10} MB` : `${bytes} bytes`
