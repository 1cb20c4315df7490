/** The likeliest words, found by keeping several ways of going on in mind. */
import type ort from 'onnxruntime-node'
import { type Decoder, emptyPast, lastOf, logSum, nextPast, picked, step } from './decoding.ts'

export interface Said {
  tokens: number[]
  /** mean log-probability of the tokens */
  confidence: number
}

/** Below this it is taken for no speech: a guess, not tuned on recordings. */
const DOUBT = -1

export interface Search {
  /** tokens at most */
  most: number
  /** how many ways of going on are kept in mind at a time; with one it is the likeliest token, again and again */
  width?: number
  /** lowers what may not be said */
  bar?: (logits: Float32Array, isFirst: boolean) => void
}

interface Way {
  tokens: number[]
  /** log-probability of all of them */
  sum: number
}

/** By the token, or the shortest would always win. */
const scoreOf = ({ tokens, sum }: Way) => sum / (tokens.length + 1)
const best = (ways: readonly Way[]): Way => ways.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a))

/** The likeliest tokens until the model says that it is done. */
export async function generate(
  decoder: Decoder,
  hidden: ort.Tensor,
  prompt: readonly number[],
  { most, width = 1, bar = () => {} }: Search,
): Promise<Said> {
  let past = emptyPast(decoder)
  let sound = hidden
  let ways: Way[] = [{ tokens: [], sum: 0 }]
  const ended: Way[] = []
  for (let count = 0; count < most; count++) {
    const isFirst = count === 0
    const inputs = isFirst ? [prompt] : ways.map(({ tokens }) => tokens.slice(-1))
    const output = await step(decoder, sound, inputs, past, isFirst)
    const logits = lastOf(output.logits!)
    for (const row of logits) bar(row, isFirst)
    const steps = likeliestSteps(ways, logits, width)
    for (const { way, token, sum } of steps.slice(0, width))
      if (token === decoder.end) ended.push({ tokens: ways[way]!.tokens, sum })
    const onward = steps.filter(({ token }) => token !== decoder.end).slice(0, width)
    ways = onward.map(({ way, token, sum }) => ({ tokens: [...ways[way]!.tokens, token], sum }))
    if (ended.length >= width) break
    if (ended.length > 0 && scoreOf(best(ended)) >= scoreOf(best(ways))) break
    const rows = onward.map(({ way }) => way)
    past = nextPast(decoder, past, output, isFirst, rows)
    if (isFirst) sound = picked(hidden, rows)
  }
  const way = best(ended.length > 0 ? ended : ways)
  return { tokens: way.tokens, confidence: scoreOf(way) }
}

/** The likeliest steps from all ways, best first. */
function likeliestSteps(ways: readonly Way[], logits: readonly Float32Array[], width: number) {
  const steps = logits.flatMap((row, way) => {
    const all = logSum(row)
    // one more than needed: the end may be among them
    return highest(row, width + 1).map(token => ({ way, token, sum: ways[way]!.sum + row[token]! - all }))
  })
  return steps.sort((a, b) => b.sum - a.sum)
}

function highest(row: Float32Array, count: number): number[] {
  const top: number[] = []
  for (let i = 0; i < row.length; i++) {
    if (top.length === count && row[i]! <= row[top.at(-1)!]!) continue
    if (top.length === count) top.pop()
    const place = top.findIndex(other => row[other]! < row[i]!)
    top.splice(place < 0 ? top.length : place, 0, i)
  }
  return top
}

/** What a model says when there is nothing to hear: what it does not believe itself, or the same over and over. */
export function isNoSpeech({ tokens, confidence }: Said): boolean {
  if (tokens.length === 0 || confidence < DOUBT) return true
  if (tokens.length < 12) return false
  const runs = new Set<string>()
  for (let i = 0; i + 3 <= tokens.length; i++) runs.add(tokens.slice(i, i + 3).join())
  return runs.size < (tokens.length - 2) / 3
}
