/** The thread in which the local model works: one text at a time, so that a vector depends on its text alone. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'

export interface Job {
  id: number
  texts: readonly string[]
  urgent: boolean
}

export type Answer =
  | { id: number; vectors: Float32Array[] }
  | { id: number; error: string }
  | { loaded: true }
  | { failed: string }

const MAX_TOKENS = 256
const { dir, hashes } = workerData as { dir: string; hashes: Record<string, string> }

function checked(name: string): Buffer {
  const bytes = readFileSync(join(dir, name))
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

async function vectorOf({ tokenizer, session }: Model, text: string): Promise<Float32Array> {
  const { ids } = tokenizer.encode(text.slice(0, 4000), { add_special_tokens: true })
  const kept = ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!] : ids
  const tensor = (values: readonly number[]) =>
    new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, kept.length])
  const output = await session.run({
    input_ids: tensor(kept),
    attention_mask: tensor(kept.map(() => 1)),
    token_type_ids: tensor(kept.map(() => 0)),
  })
  const hidden = output.last_hidden_state!
  const data = hidden.data as Float32Array
  const size = hidden.dims[2]!
  const mean = new Float32Array(size)
  for (let i = 0; i < data.length; i++) mean[i % size]! += data[i]!
  const norm = Math.hypot(...mean) || 1
  return mean.map(value => value / norm)
}

const urgent: Job[] = []
const waiting: Job[] = []
const done = new Map<number, Float32Array[]>()
let working = false

async function work(model: Model): Promise<void> {
  if (working) return
  working = true
  for (let job = urgent[0] ?? waiting[0]; job; job = urgent[0] ?? waiting[0]) {
    const vectors = done.get(job.id) ?? []
    done.set(job.id, vectors)
    try {
      if (vectors.length < job.texts.length) vectors.push(await vectorOf(model, job.texts[vectors.length]!))
      if (vectors.length === job.texts.length) finish(job, { id: job.id, vectors })
    } catch (error) {
      finish(job, { id: job.id, error: String(error) })
    }
    // lets a message in between two texts, for somebody may be waiting for an answer
    await new Promise(resolve => setImmediate(resolve))
  }
  working = false
}

function finish(job: Job, answer: Answer): void {
  const queue = job.urgent ? urgent : waiting
  queue.splice(queue.indexOf(job), 1)
  done.delete(job.id)
  parentPort!.postMessage(answer)
}

load().then(
  model => {
    parentPort!.on('message', (job: Job) => {
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
