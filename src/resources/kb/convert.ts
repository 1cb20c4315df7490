/**
 * Converts a page's content into its other forms. A hostile megabyte takes up to 4 seconds, so long texts are
 * converted in a separate thread, and other requests do not wait.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { errors } from '../../kernel/errors.ts'
import { type Content, contentOf, contentOfHtml, htmlOf, markdownOf } from './content.ts'

/** Hostile text takes 10 ms per 1,000 characters, a thread about 100 ms to start. */
const LONG = 20_000
/** A longer conversion is aborted, because others wait for the thread. */
const TIMEOUT_MS = 30_000
/** A thread without work ends after this time. */
const IDLE_MS = 10_000
/** Of a page's blocks as JSON: small marks make many blocks of little text. */
const MAX_BLOCKS = 10_000_000

const toBlocks = (content: Content): string => {
  const blocks = JSON.stringify(content)
  return blocks.length <= MAX_BLOCKS ? blocks : ''
}

/** From string to string, because strings are passed between threads quickly; blocks are passed as JSON. */
export const conversions = {
  blocksToMarkdown: (blocks: string): string => markdownOf(JSON.parse(blocks)),
  blocksToHtml: (blocks: string): string => htmlOf(JSON.parse(blocks)),
  markdownToBlocks: (markdown: string): string => toBlocks(contentOf(markdown)),
  htmlToBlocks: (html: string): string => toBlocks(contentOfHtml(html)),
  /** several texts at once, as a JSON array */
  markdownsToHtml: (json: string): string => {
    const texts: string[] = JSON.parse(json)
    return JSON.stringify(texts.map(text => htmlOf(contentOf(text))))
  },
}
export type Conversion = keyof typeof conversions

/** One at a time: two threads would occupy both cores of a small machine. */
let last: Promise<unknown> = Promise.resolve()

function converted(conversion: Conversion, input: string): Promise<string> {
  if (input.length < LONG) return Promise.resolve(conversions[conversion](input))
  const work = last.then(() => inThread(conversion, input))
  last = work.catch(() => {})
  return work
}

/** The HTML of what anyone may read; the least recently used entry is removed first. */
const cached = new Map<string, Promise<string>>()
const MAX_CACHED = 100

function cachedHtml(conversion: Conversion, input: string): Promise<string> {
  if (input.length < LONG) return converted(conversion, input)
  const key = createHash('sha256').update(conversion).update(input).digest('base64')
  return cachedBy(key, () => converted(conversion, input))
}

function cachedBy(key: string, convert: () => Promise<string>): Promise<string> {
  const html = cached.get(key) ?? convert()
  cached.delete(key)
  cached.set(key, html)
  html.catch(() => cached.delete(key))
  for (const oldest of cached.keys()) if (cached.size > MAX_CACHED) cached.delete(oldest)
  return html
}

/** Reused by the next conversion, because starting a thread takes longer than most conversions. */
let thread: Worker | undefined
let ending: NodeJS.Timeout | undefined

async function inThread(conversion: Conversion, input: string): Promise<string> {
  clearTimeout(ending)
  const worker = thread ?? newThread()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    worker.ref()
    worker.postMessage({ conversion, input })
    // An error of the thread rejects this.
    const [done] = await once(worker, 'message', { signal })
    ending = setTimeout(endThread, IDLE_MS).unref()
    return done
  } catch (error) {
    await endThread()
    throw signal.aborted ? errors.conversionTooSlow() : error
  } finally {
    // An idle thread must not keep a process alive that wants to exit.
    worker.unref()
  }
}

function newThread(): Worker {
  const worker = new Worker(new URL('./convert-thread.ts', import.meta.url), { execArgv: [] })
  worker.once('exit', () => {
    if (thread === worker) thread = undefined
  })
  thread = worker
  return worker
}

async function endThread(): Promise<void> {
  const worker = thread
  thread = undefined
  await worker?.terminate()
}

export const markdownFrom = (content: Content): Promise<string> =>
  converted('blocksToMarkdown', JSON.stringify(content))

export const htmlFrom = (content: Content): Promise<string> =>
  cachedHtml('blocksToHtml', JSON.stringify(content))

/** `version` names one version of a stored page. The blocks of a hostile page of 90 KB take 170 ms to read and to hash. */
export const htmlOfVersion = (version: string, load: () => Promise<Content>): Promise<string> =>
  cachedBy(version, async () => converted('blocksToHtml', JSON.stringify(await load())))

export const htmlFromMarkdowns = async (texts: readonly string[]): Promise<string[]> =>
  JSON.parse(await cachedHtml('markdownsToHtml', JSON.stringify(texts)))

export const contentFrom = (markdown: string): Promise<Content> =>
  converted('markdownToBlocks', markdown).then(parsed)

export const contentFromHtml = (html: string): Promise<Content> =>
  converted('htmlToBlocks', html).then(parsed)

function parsed(blocks: string): Content {
  if (blocks === '') throw errors.tooLarge(`${MAX_BLOCKS / 1_000_000} MB of blocks`)
  return JSON.parse(blocks)
}
