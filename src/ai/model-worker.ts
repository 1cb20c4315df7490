/** The thread in which the local model works: each text by itself, so that a vector depends on its text alone. */
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
  /** asks for likenesses to this instead of vectors */
  question?: string
}

export type Answer =
  | { id: number; vectors: Float32Array[] }
  | { id: number; likenesses: number[] }
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

interface Tokens {
  names: string[]
  /** one after the other */
  values: Float32Array
  size: number
}

async function tokensOf({ tokenizer, session }: Model, text: string): Promise<Tokens> {
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

/** Words that every text has. */
const EMPTY = new Set(
  `[CLS] [SEP] a an and are as at be been but by can could did do does for from had has have he her him his how i if in
  into is it its just me my of on or our she so such than that the their them then there these they this those to us was
  we were what when where which while who whom whose why will with would you your ? . , ; ! : " - ' s`.split(
    /\s+/,
  ),
)

/** The words of the latest texts, as unit vectors: a text that was compared once is likely to be again. */
const KEPT_TEXTS = 300
const kept = new Map<string, Float32Array[]>()

async function wordsOf(model: Model, text: string): Promise<Float32Array[]> {
  const known = kept.get(text)
  if (known) return known
  const { values, size } = await tokensOf(model, text)
  const words = Array.from({ length: values.length / size - 2 }, (_, i) =>
    unit(values.slice((i + 1) * size, (i + 2) * size)),
  )
  if (kept.size >= KEPT_TEXTS) kept.delete(kept.keys().next().value!)
  kept.set(text, words)
  return words
}

async function questionWords(model: Model, question: string): Promise<Float32Array[]> {
  const { names, values, size } = await tokensOf(model, question)
  return names.flatMap((name, i) =>
    EMPTY.has(name) || (i + 1) * size > values.length ? [] : [unit(values.slice(i * size, (i + 1) * size))],
  )
}

async function likenessOf(model: Model, question: readonly Float32Array[], text: string): Promise<number> {
  const words = await wordsOf(model, text)
  if (question.length === 0 || words.length === 0) return 0
  let sum = 0
  for (const asked of question) {
    let best = -1
    for (const word of words) {
      let likeness = 0
      for (let i = 0; i < word.length; i++) likeness += word[i]! * asked[i]!
      if (likeness > best) best = likeness
    }
    sum += best
  }
  return sum / question.length
}

const urgent: Job[] = []
const waiting: Job[] = []
const begun = new Map<number, { vectors: Float32Array[]; likenesses: number[]; words?: Float32Array[] }>()
let working = false
let ending = false

/** One text of one job at a time, so that what somebody waits for comes in between two texts of a long job. */
async function work(model: Model): Promise<void> {
  if (working) return
  working = true
  for (let job = urgent[0] ?? waiting[0]; job && !ending; job = urgent[0] ?? waiting[0]) {
    const done = begun.get(job.id) ?? { vectors: [], likenesses: [] }
    begun.set(job.id, done)
    try {
      const text = job.texts[Math.max(done.vectors.length, done.likenesses.length)]
      if (text === undefined)
        finish(job, {
          id: job.id,
          ...(job.question === undefined ? { vectors: done.vectors } : { likenesses: done.likenesses }),
        })
      else if (job.question === undefined) done.vectors.push(await vectorOf(model, text))
      else {
        done.words ??= await questionWords(model, job.question)
        done.likenesses.push(await likenessOf(model, done.words, text))
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
