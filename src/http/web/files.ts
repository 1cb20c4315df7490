/** Files of the build, from the disk: browsers store the assets, so a file is read once per browser and release. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../../kernel/etag.ts'
import { codeOf } from '../../lib/thrown.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** No segment begins with a dot, so that none leads out of the folder. */
const PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/
const MAX_PATH = 300

const CODINGS = [
  { name: 'br', suffix: '.br', accepted: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/ },
  { name: 'gzip', suffix: '.gz', accepted: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/ },
]

interface Content {
  bytes: Buffer
  coding: string | undefined
}

/** The smallest copy that the client accepts. */
async function contentOf(file: string, acceptEncoding: string): Promise<Content | undefined> {
  const accepted = CODINGS.filter(coding => coding.accepted.test(acceptEncoding))
  for (const { name, suffix } of accepted) {
    const bytes = await bytesOf(file + suffix)
    if (bytes) return { bytes, coding: name }
  }
  const bytes = await bytesOf(file)
  return bytes && { bytes, coding: undefined }
}

const bytesOf = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch(error => {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined
    throw error
  })

/** Names of assets contain a hash of their content. */
const isHashed = (path: string): boolean => path.startsWith('assets/')

/** Sends a file of the folder; false if there is none. */
export async function sendFrom(
  dir: string,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const type = TYPES[extname(path)]
  if (type === undefined || path.length > MAX_PATH || !PATH.test(path)) return false
  const content = await contentOf(join(dir, path), request.headers['accept-encoding'] ?? '')
  if (!content) return false
  const { bytes, coding } = content
  // Programs get JSON at the same addresses.
  reply.header('vary', path === 'index.html' ? 'accept, accept-encoding' : 'accept-encoding')
  if (isHashed(path)) reply.header('cache-control', 'public, max-age=31536000, immutable')
  else {
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    reply.headers({ etag, 'cache-control': 'no-cache' })
    const ifNoneMatch = request.headers['if-none-match']
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) {
      await reply.code(304).send()
      return true
    }
  }
  if (coding !== undefined) reply.header('content-encoding', coding)
  await reply.type(type).send(bytes)
  return true
}
