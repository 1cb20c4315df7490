/**
 * Reads a PDF in its own thread, which pdf.ts ends when it takes too long. Node does not limit the memory of a thread
 * outside its heap, and a few kilobytes of PDF can unpack to gigabytes, so every array is counted before it is
 * created.
 */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface PdfTask {
  path: string
  maxPages: number
  maxCharacters: number
  /** the size of one array, and of all arrays together */
  maxArrayBytes: number
  maxTotalBytes: number
}

export type PdfAnswer =
  | { text: string; is_truncated: boolean }
  | { error: 'password' | 'invalid' | 'too large' }

const task: PdfTask = workerData
const arrays = [
  'ArrayBuffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
] as const
let total = 0
let isTooLarge = false

for (const name of arrays) {
  const original = globalThis[name] as unknown as {
    new (...args: unknown[]): object
    BYTES_PER_ELEMENT?: number
  }
  const counted = new Proxy(original, {
    construct(target, args, newTarget) {
      const [argument] = args
      const length = typeof argument === 'number' ? argument : Array.isArray(argument) ? argument.length : 0
      const bytes = length * (target.BYTES_PER_ELEMENT ?? 1)
      total += bytes
      if (bytes > task.maxArrayBytes || total > task.maxTotalBytes) {
        isTooLarge = true
        throw new RangeError('This PDF unpacks to too much')
      }
      return Reflect.construct(target, args, newTarget)
    },
  })
  Object.defineProperty(globalThis, name, { value: counted, writable: true, configurable: true })
}
// Without it the PDF reader unpacks by its own code, which uses the counted arrays.
Reflect.deleteProperty(globalThis, 'DecompressionStream')

async function read(): Promise<PdfAnswer> {
  const { getDocumentProxy } = await import('unpdf')
  const data = await readFile(task.path)
  const pdf = await getDocumentProxy(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), {
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: true,
    verbosity: 0,
  })
  const pages: string[] = []
  let size = 0
  const last = Math.min(pdf.numPages, task.maxPages)
  for (let number = 1; number <= last && size <= task.maxCharacters; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    let text = ''
    for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '')
    page.cleanup()
    pages.push(text.trim())
    size += text.length
  }
  const is_truncated = pdf.numPages > pages.length || size > task.maxCharacters
  return { text: pages.join('\n\n').trim().slice(0, task.maxCharacters), is_truncated }
}

const answer: PdfAnswer = await read().catch(error => ({
  error: isTooLarge ? 'too large' : error?.name === 'PasswordException' ? 'password' : 'invalid',
}))
parentPort?.postMessage(isTooLarge ? { error: 'too large' } : answer)
