/**
 * A model that writes what a question asks, token by token. Its first half reads the question and the items that the
 * question may name; its second half writes tokens, each a word of the model or a pointer to an item. Several lines are
 * written side by side and the likeliest are kept (beam search).
 */
import type { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'
import { at, present } from '../lib/values.ts'

export interface Line {
  tokens: string[]
  /** the logarithm of the probability that it is what the question asks */
  logp: number
}

/** As in training (models/parser/train.py). */
const MAX_INPUT = 384
const MAX_QUESTION = 96
const MAX_ITEM = 20
const MAX_LINE = 48
const [BEGIN, END] = [0, 1]
const [FIRST_PIECE, LAST_PIECE] = [101, 102]
const LINES = 12
/** A line that is so much less likely than the best one is given up: e^-8 is 1 in 3,000. */
const MAX_BEHIND = 8

export interface Halves {
  reads: ort.InferenceSession
  writes: ort.InferenceSession
  /** the words of the model, by their numbers */
  words: readonly string[]
}

interface Started {
  line: number[]
  logp: number
}

export async function linesFor(
  tokenizer: Tokenizer,
  { reads, writes, words }: Halves,
  question: string,
  items: readonly string[],
): Promise<Line[]> {
  const { ids, types, spans } = inputOf(tokenizer, question, items)
  const mask = integers(
    ids.map(() => 1),
    [1, ids.length],
  )
  const encoded = await reads.run({
    input_ids: integers(ids, [1, ids.length]),
    token_type_ids: integers(types, [1, ids.length]),
    attention_mask: mask,
    spans: spansOf(spans, ids.length),
  })
  const read = present(encoded.read, 'read')
  const pointed = present(encoded.items, 'items')
  const [layers = 0, , , heads = 0, , size = 0] = read.dims
  let past: ort.Tensor = new ort.Tensor('float32', [], [layers, 2, 1, heads, 0, size])
  let open: Started[] = [{ line: [], logp: 0 }]
  const done: Started[] = []
  for (let place = 0; place < MAX_LINE && open.length > 0; place++) {
    const output = await writes.run({
      written: integers(
        open.map(({ line }) => line.at(-1) ?? BEGIN),
        [open.length, 1],
      ),
      place: integers([place], [1]),
      past,
      read,
      mask,
      items: pointed,
    })
    const next = likeliestNext(open, floatsOf(output.scores, 'scores'))
    for (const { started, token } of next) if (token === END) done.push(started)
    done.sort((a, b) => b.logp - a.logp)
    const best = Math.max(done[0]?.logp ?? -Infinity, next[0]?.started.logp ?? -Infinity)
    const worst = Math.max(best - MAX_BEHIND, done[LINES - 1]?.logp ?? -Infinity)
    const kept = next.filter(({ started, token }) => token !== END && started.logp > worst).slice(0, LINES)
    past = linesOf(
      present(output.after, 'after'),
      kept.map(({ from }) => from),
    )
    open = kept.map(({ started, token }) => ({ ...started, line: [...started.line, token] }))
  }
  return done.slice(0, LINES).map(({ line, logp }) => ({
    tokens: line.map(token => words[token] ?? `@${token - words.length}`),
    logp,
  }))
}

/** The likeliest continuations of all lines, best first: twice as many as lines, as some of them end. */
function likeliestNext(open: readonly Started[], scores: Float32Array) {
  const choices = scores.length / open.length
  const next: { started: Started; from: number; token: number }[] = []
  let least = -Infinity
  for (const [from, { line, logp }] of open.entries()) {
    for (let token = 0; token < choices; token++) {
      const sum = logp + (scores[from * choices + token] ?? -Infinity)
      if (sum <= least) continue
      next.push({ started: { line, logp: sum }, from, token })
      if (next.length < 8 * LINES) continue
      next.sort((a, b) => b.started.logp - a.started.logp).length = 2 * LINES
      least = at(next, -1).started.logp
    }
  }
  return next.sort((a, b) => b.started.logp - a.started.logp).slice(0, 2 * LINES)
}

/** The question, then the items, each with where its pieces are. Items that no longer fit are left out. */
function inputOf(tokenizer: Tokenizer, question: string, items: readonly string[]) {
  const piecesOf = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids
  const ids = [FIRST_PIECE, ...piecesOf(question.slice(0, 400)).slice(0, MAX_QUESTION), LAST_PIECE]
  const types = ids.map(() => 0)
  const spans: [from: number, to: number][] = []
  for (const item of items) {
    const pieces = [...piecesOf(item).slice(0, MAX_ITEM), LAST_PIECE]
    if (ids.length + pieces.length > MAX_INPUT) break
    spans.push([ids.length, ids.length + pieces.length])
    ids.push(...pieces)
    types.push(...pieces.map(() => 1))
  }
  return { ids, types, spans }
}

/** For each item the mean over its pieces. The model needs a first item, also where there is none. */
function spansOf(spans: readonly [from: number, to: number][], length: number): ort.Tensor {
  const count = Math.max(1, spans.length)
  const values = new Float32Array(count * length)
  for (const [i, [from, to]] of spans.entries())
    values.fill(1 / (to - from), i * length + from, i * length + to)
  return new ort.Tensor('float32', values, [1, count, length])
}

/** Of what the model keeps of each line so far, that of these lines. */
function linesOf(after: ort.Tensor, lines: readonly number[]): ort.Tensor {
  const [layers = 0, two = 0, count = 0, ...rest] = after.dims
  const size = rest.reduce((product, dim) => product * dim, 1)
  const values = floatsOf(after, 'after')
  const kept = new Float32Array(layers * two * lines.length * size)
  for (let layer = 0; layer < layers * two; layer++) {
    for (const [i, line] of lines.entries()) {
      const from = (layer * count + line) * size
      kept.set(values.subarray(from, from + size), (layer * lines.length + i) * size)
    }
  }
  return new ort.Tensor('float32', kept, [layers, two, lines.length, ...rest])
}

function floatsOf(tensor: ort.Tensor | undefined, name: string): Float32Array {
  const { data } = present(tensor, name)
  if (!(data instanceof Float32Array)) throw new Error(`${name} of the parser are no numbers`)
  return data
}

const integers = (values: readonly number[], dims: readonly number[]): ort.Tensor =>
  new ort.Tensor('int64', BigInt64Array.from(values, BigInt), dims)
