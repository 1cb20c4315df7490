/** The thread of the local model. It processes each text separately, so that a vector depends on its text only. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'
import { at, present } from '../lib/values.ts'
import type { Match } from './embedder.ts'
import { matchOf, type Words, wordsOf } from './likeness.ts'

export interface Job {
  id: number
  texts: readonly string[]
  urgent: boolean
  /** requests how well the texts match this, instead of vectors */
  question?: string
}

export type Answer =
  | { id: number; vectors: Float32Array[] }
  | { id: number; matches: Match[] }
  | { id: number; error: string }
  | { loaded: true }
  | { failed: string }

const MAX_TOKENS = 256
const { dir, hashes }: { dir: string; hashes: Record<string, string> } = workerData
const port = present(parentPort, 'the port to the main thread')

function checked(name: string): Buffer {
  const path = join(dir, name)
  // The status names the error without file paths
  if (!existsSync(path)) throw new Error(`${name} is missing: install the packages again`)
  const bytes = readFileSync(path)
  if (createHash('sha256').update(bytes).digest('hex') !== hashes[name]) {
    throw new Error(`${name} is damaged: its SHA-256 is not that of the model`)
  }
  return bytes
}

async function load() {
  const json = (name: string) => JSON.parse(checked(name).toString())
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'))
  // One thread: the other cores serve requests.
  const session = await ort.InferenceSession.create(checked('onnx/model_quantized.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  })
  return { tokenizer, session }
}

type Model = Awaited<ReturnType<typeof load>>

async function tokensOf({ tokenizer, session }: Model, text: string) {
  const { ids, tokens } = tokenizer.encode(text.slice(0, 4000), { add_special_tokens: true })
  const kept = ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ...ids.slice(-1)] : ids
  const tensor = (values: readonly number[]) =>
    new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, kept.length])
  const output = await session.run({
    input_ids: tensor(kept),
    attention_mask: tensor(kept.map(() => 1)),
    token_type_ids: tensor(kept.map(() => 0)),
  })
  const hidden = present(output.last_hidden_state, 'last_hidden_state')
  const { data: values } = hidden
  if (!(values instanceof Float32Array)) throw new Error('the model did not return numbers')
  return { names: tokens, values, size: at(hidden.dims, 2) }
}

async function vectorOf(model: Model, text: string): Promise<Float32Array> {
  const { values, size } = await tokensOf(model, text)
  const mean = new Float32Array(size)
  for (let i = 0; i < values.length; i++) mean[i % size]! += values[i]!
  return unit(mean)
}

function unit(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  const norm = Math.sqrt(sum) || 1
  return vector.map(value => value / norm)
}

/** Caches the words of the latest texts, which are likely to be compared again. */
const MAX_CACHED = 300
const cachedWords = new Map<string, Words>()

async function wordsIn(model: Model, text: string): Promise<Words> {
  const known = cachedWords.get(text)
  if (known) return known
  const { names, values, size } = await tokensOf(model, text)
  const vectors = Array.from({ length: values.length / size }, (_, i) =>
    unit(values.slice(i * size, (i + 1) * size)),
  )
  const words = wordsOf({ names, vectors })
  if (cachedWords.size >= MAX_CACHED) {
    const [oldest] = cachedWords.keys()
    if (oldest !== undefined) cachedWords.delete(oldest)
  }
  cachedWords.set(text, words)
  return words
}

const urgent: Job[] = []
const waiting: Job[] = []
const begun = new Map<number, { vectors: Float32Array[]; matches: Match[]; question?: Words }>()
let working = false
let ending = false

/** One text of one job at a time, so that an urgent text can go between two texts of a long job. */
async function work(model: Model): Promise<void> {
  if (working) return
  working = true
  for (let job = urgent[0] ?? waiting[0]; job && !ending; job = urgent[0] ?? waiting[0]) {
    const done = begun.get(job.id) ?? { vectors: [], matches: [] }
    begun.set(job.id, done)
    try {
      const text = job.texts[Math.max(done.vectors.length, done.matches.length)]
      if (text === undefined)
        finish(job, {
          id: job.id,
          ...(job.question === undefined ? { vectors: done.vectors } : { matches: done.matches }),
        })
      else if (job.question === undefined) done.vectors.push(await vectorOf(model, text))
      else {
        done.question ??= await wordsIn(model, job.question)
        done.matches.push(matchOf(done.question, await wordsIn(model, text)))
      }
    } catch (error) {
      finish(job, { id: job.id, error: String(error) })
    }
    await new Promise(resolve => setImmediate(resolve))
  }
  working = false
  if (ending) end(model)
}

/** The runtime must be released before its thread ends: ending it in the middle of a text crashes the process. */
function end(model: Model): void {
  void model.session.release().finally(() => port.close())
}

function finish(job: Job, answer: Answer): void {
  const queue = job.urgent ? urgent : waiting
  queue.splice(queue.indexOf(job), 1)
  begun.delete(job.id)
  port.postMessage(answer)
}

load().then(
  model => {
    port.on('message', (job: Job | 'end') => {
      if (job === 'end') {
        ending = true
        if (!working) end(model)
        return
      }
      ;(job.urgent ? urgent : waiting).push(job)
      void work(model)
    })
    port.postMessage({ loaded: true } satisfies Answer)
  },
  error =>
    port.postMessage({
      failed: error instanceof Error ? error.message : String(error),
    } satisfies Answer),
)
