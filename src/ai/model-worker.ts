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
import { type Halves, type Line, linesFor } from './parser.ts'
import { type Reading, readingOf } from './reader.ts'

/** The result of each task for one text; all but `embed` compare the text with the question. */
export interface Results {
  embed: Float32Array
  match: Match
  read: Reading
  /** of a text that has an item in each line */
  parse: Line[]
}
export type Task = keyof Results

export interface Job {
  id: number
  task: Task
  texts: readonly string[]
  urgent: boolean
  question: string
}

export type Answer =
  | { id: number; results: Results[Task][] }
  | { id: number; error: string }
  | { loaded: true }
  | { failed: string }

const MAX_TOKENS = 256
/** The longest text that the reader was trained with, together with its question. */
const MAX_READ = 320
export interface Files {
  dir: string
  /** SHA-256 by name of file */
  hashes: Readonly<Record<string, string>>
}
const { embedder, reader, parser }: Record<'embedder' | 'reader' | 'parser', Files> = workerData
const port = present(parentPort, 'the port to the main thread')

function checked({ dir, hashes }: Files, name: string): Buffer {
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
  const json = (name: string) => JSON.parse(checked(embedder, name).toString())
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'))
  return { tokenizer, session: await open(checked(embedder, 'onnx/model_quantized.onnx')) }
}

const open = (bytes: Buffer) =>
  ort.InferenceSession.create(bytes, {
    // the other cores serve requests
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
    // x86-64 without VNNI adds products of int8 in 16 bits, which overflow: texts got a sure yes there that have none
    extra: { session: { x64quantprecision: '1' } },
  })

const opened = new Map<string, Promise<ort.InferenceSession>>()
/** Opened by the first question: a service without questions does not need it. */
function openOnce(files: Files, name: string): Promise<ort.InferenceSession> {
  const session = opened.get(name) ?? open(checked(files, name))
  opened.set(name, session)
  return session
}

type Model = Awaited<ReturnType<typeof load>>

const tensor = (values: readonly number[]) =>
  new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])

async function tokensOf({ tokenizer, session }: Model, text: string) {
  const { ids, tokens } = tokenizer.encode(text.slice(0, 4000), { add_special_tokens: true })
  const truncated = ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ...ids.slice(-1)] : ids
  const output = await session.run({
    input_ids: tensor(truncated),
    attention_mask: tensor(truncated.map(() => 1)),
    token_type_ids: tensor(truncated.map(() => 0)),
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
  const cached = cachedWords.get(text)
  if (cached) return cached
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

/** A question and a text as the models that compare them take them. */
function pairOf({ tokenizer }: Model, question: string, text: string) {
  const { ids, tokens, token_type_ids } = tokenizer.encode(question.slice(0, 300), {
    text_pair: text.slice(0, 4000),
    return_token_type_ids: true,
  })
  const shorten = <T>(values: readonly T[]) =>
    values.length > MAX_READ ? [...values.slice(0, MAX_READ - 1), at(values, -1)] : [...values]
  const inputs = {
    input_ids: tensor(shorten(ids)),
    token_type_ids: tensor(shorten(token_type_ids)),
    attention_mask: tensor(shorten(ids).map(() => 1)),
  }
  return { inputs, pieces: shorten<string>(tokens), first: token_type_ids.indexOf(1) }
}

async function read(model: Model, question: string, text: string): Promise<Reading> {
  const { inputs, pieces, first } = pairOf(model, question, text)
  const output = await (await openOnce(reader, 'reader.int8.onnx')).run(inputs)
  const numbers = (name: string) => Array.from(present(output[name], name).data, Number)
  const [starts, ends, kinds] = [numbers('start'), numbers('end'), numbers('kind')]
  return readingOf(text, { pieces, first, starts, ends, kinds })
}

let parserWords: string[] | undefined

async function parsed({ tokenizer }: Model, question: string, text: string): Promise<Line[]> {
  parserWords ??= JSON.parse(checked(parser, 'words.json').toString()) as string[]
  const halves: Halves = {
    reads: await openOnce(parser, 'reads.int8.onnx'),
    writes: await openOnce(parser, 'writes.int8.onnx'),
    words: parserWords,
  }
  return linesFor(tokenizer, halves, question, text.split('\n'))
}

const TASKS: { [T in Task]: (model: Model, question: string, text: string) => Promise<Results[T]> } = {
  embed: (model, _, text) => vectorOf(model, text),
  match: async (model, question, text) => matchOf(await wordsIn(model, question), await wordsIn(model, text)),
  read,
  parse: parsed,
}

const urgent: Job[] = []
const waiting: Job[] = []
const partialResults = new Map<number, Results[Task][]>()
let working = false
let ending = false

/** One text of one job at a time, so that an urgent text can go between two texts of a long job. */
async function work(model: Model): Promise<void> {
  if (working) return
  working = true
  for (let job = urgent[0] ?? waiting[0]; job && !ending; job = urgent[0] ?? waiting[0]) {
    const results = partialResults.get(job.id) ?? []
    partialResults.set(job.id, results)
    try {
      const text = job.texts[results.length]
      if (text === undefined) finish(job, { id: job.id, results })
      else results.push(await TASKS[job.task](model, job.question, text))
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
  const others = [...opened.values()].map(one => one.then(session => session.release()).catch(() => {}))
  void Promise.all([model.session.release(), ...others]).finally(() => port.close())
}

function finish(job: Job, answer: Answer): void {
  const queue = job.urgent ? urgent : waiting
  queue.splice(queue.indexOf(job), 1)
  partialResults.delete(job.id)
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
