/** The thread in which the local model works: each text by itself, so that a vector depends on its text alone. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'
import type { Match } from './embedder.ts'
import { matchOf, type Words, wordsOf } from './likeness.ts'

export interface Job {
  id: number
  texts: readonly string[]
  urgent: boolean
  /** asks how well the texts match this, instead of vectors */
  question?: string
}

export type Answer =
  | { id: number; vectors: Float32Array[] }
  | { id: number; matches: Match[] }
  | { id: number; error: string }
  | { loaded: true }
  | { failed: string }

const MAX_TOKENS = 256
const { dir, hashes } = workerData as { dir: string; hashes: Record<string, string> }

function checked(name: string): Buffer {
  const path = join(dir, name)
  // whoever asks for the status is told what is wrong, not where things lie on this machine
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
  // One thread: the other cores are for the people who wait for something else.
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
  const kept = ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!] : ids
  const tensor = (values: readonly number[]) =>
    new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, kept.length])
  const output = await session.run({
    input_ids: tensor(kept),
    attention_mask: tensor(kept.map(() => 1)),
    token_type_ids: tensor(kept.map(() => 0)),
  })
  const hidden = output.last_hidden_state!
  return { names: tokens, values: hidden.data as Float32Array, size: hidden.dims[2]! }
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

/** The words of the latest texts: one that was compared once is likely to be again. */
const KEPT_TEXTS = 300
const kept = new Map<string, Words>()

async function wordsIn(model: Model, text: string): Promise<Words> {
  const known = kept.get(text)
  if (known) return known
  const { names, values, size } = await tokensOf(model, text)
  const vectors = Array.from({ length: values.length / size }, (_, i) =>
    unit(values.slice(i * size, (i + 1) * size)),
  )
  const words = wordsOf({ names, vectors })
  if (kept.size >= KEPT_TEXTS) kept.delete(kept.keys().next().value!)
  kept.set(text, words)
  return words
}

const urgent: Job[] = []
const waiting: Job[] = []
const begun = new Map<number, { vectors: Float32Array[]; matches: Match[]; question?: Words }>()
let working = false
let ending = false

/** One text of one job at a time, so that what somebody waits for comes in between two texts of a long job. */
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

/** The runtime must let go before its thread ends: broken off in the middle of a text, it takes the process along. */
function end(model: Model): void {
  void model.session.release().finally(() => parentPort!.close())
}

function finish(job: Job, answer: Answer): void {
  const queue = job.urgent ? urgent : waiting
  queue.splice(queue.indexOf(job), 1)
  begun.delete(job.id)
  parentPort!.postMessage(answer)
}

load().then(
  model => {
    parentPort!.on('message', (job: Job | 'end') => {
      if (job === 'end') {
        ending = true
        if (!working) end(model)
        return
      }
      ;(job.urgent ? urgent : waiting).push(job)
      void work(model)
    })
    parentPort!.postMessage({ loaded: true } satisfies Answer)
  },
  error =>
    parentPort!.postMessage({
      failed: error instanceof Error ? error.message : String(error),
    } satisfies Answer),
)
