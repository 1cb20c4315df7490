/** Beam search for the most likely words. */
import type ort from 'onnxruntime-node'
import { at } from '../../lib/values.ts'
import { type Decoder, emptyPast, lastOf, logSum, nextPast, type Past, step, tensorOf } from './decoding.ts'
import { type Credit, credited, type Expected, NO_CREDIT } from './expected.ts'

export interface Hypothesis {
  tokens: number[]
  /** mean log-probability of the tokens */
  confidence: number
  /** the same with the bonus for expected words; results are compared by this */
  score: number
}

/** A lower confidence means no speech. The value is a guess, not tuned on recordings. */
const DOUBT = -1

export interface Search {
  /** the maximum number of tokens */
  most: number
  /** the beam width; 1 is greedy search */
  width?: number
  /** lowers the logits of tokens that are not allowed */
  bar?: (logits: Float32Array, isFirst: boolean) => void
  expected?: Expected
}

interface Way {
  tokens: number[]
  /** log-probability of all of them */
  sum: number
  credit: Credit
}

/** Per token; otherwise the shortest would always win. */
const confidenceOf = ({ tokens, sum }: Way) => sum / (tokens.length + 1)
const scoreOf = ({ tokens, sum, credit }: Way) => (sum + credit.total - credit.pending) / (tokens.length + 1)
const best = (ways: readonly Way[]): Way => ways.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a))

/**
 * The most likely tokens up to the end token. `sounds` are several variants of the same sound: each gives
 * probabilities for the next token, and their mean is used, so that the others correct an error of one variant before
 * it affects the following tokens.
 */
export async function generate(
  decoder: Decoder,
  sounds: readonly ort.Tensor[],
  prompt: readonly number[],
  { most, width = 1, bar = () => {}, expected }: Search,
): Promise<Hypothesis> {
  let pasts = sounds.map(() => emptyPast(decoder))
  let ways: Way[] = [{ tokens: [], sum: 0, credit: NO_CREDIT }]
  const ended: Way[] = []
  for (let count = 0; count < most; count++) {
    const isFirst = count === 0
    const inputs = isFirst ? [prompt] : ways.map(({ tokens }) => tokens.slice(-1))
    const outputs: Past[] = []
    for (const [i, sound] of sounds.entries())
      outputs.push(await step(decoder, sound, inputs, at(pasts, i), isFirst))
    const logits = outputs.map(output => lastOf(tensorOf(output, 'logits')))
    for (const row of logits.flat()) bar(row, isFirst)
    const steps = likeliestSteps(ways, logits, width, (credit, token) =>
      expected ? credited(credit, token, token === decoder.end, expected) : NO_CREDIT,
    )
    for (const { way, token, sum, credit } of steps.slice(0, width))
      if (token === decoder.end) ended.push({ tokens: at(ways, way).tokens, sum, credit })
    const onward = steps.filter(({ token }) => token !== decoder.end).slice(0, width)
    ways = onward.map(({ way, token, sum, credit }) => ({
      tokens: [...at(ways, way).tokens, token],
      sum,
      credit,
    }))
    if (ended.length >= width) break
    if (ended.length > 0 && scoreOf(best(ended)) >= scoreOf(best(ways))) break
    const rows = onward.map(({ way }) => way)
    pasts = pasts.map((past, i) => nextPast(decoder, past, at(outputs, i), isFirst, rows))
  }
  const way = best(ended.length > 0 ? ended : ways)
  return { tokens: way.tokens, confidence: confidenceOf(way), score: scoreOf(way) }
}

/** The most likely next steps of all beams, best first. `logits`: of each variant for each beam. */
function likeliestSteps(
  ways: readonly Way[],
  logits: readonly Float32Array[][],
  width: number,
  creditFor: (credit: Credit, token: number) => Credit,
) {
  const steps = ways.flatMap(({ sum, credit }, way) => {
    const rows = logits.map(hearing => at(hearing, way))
    const hearings = rows.map(row => ({ row, all: logSum(row) }))
    // one more than needed: the end may be among them
    const tokens = new Set(rows.flatMap(row => highest(row, width + 1)))
    return [...tokens].map(token => {
      const chances = hearings.map(({ row, all }) => Math.exp(row[token]! - all))
      const likelihood = Math.log(chances.reduce((a, b) => a + b) / chances.length)
      return { way, token, sum: sum + likelihood, credit: creditFor(credit, token) }
    })
  })
  return steps.sort((a, b) => b.sum + b.credit.total - a.sum - a.credit.total)
}

function highest(row: Float32Array, count: number): number[] {
  const top: number[] = []
  // tens of thousands are skipped for each that is kept
  let least = Number.NEGATIVE_INFINITY
  for (let i = 0; i < row.length; i++) {
    const logit = row[i]!
    if (logit <= least) continue
    if (top.length === count) top.pop()
    const place = top.findIndex(other => row[other]! < logit)
    top.splice(place < 0 ? top.length : place, 0, i)
    if (top.length === count) least = row[top.at(-1)!]!
  }
  return top
}

/** The output of a model for sound without speech: low confidence, or repetition. */
export function isNoSpeech({ tokens, confidence }: Hypothesis): boolean {
  if (tokens.length === 0 || confidence < DOUBT) return true
  if (tokens.length < 12) return false
  const runs = new Set<string>()
  for (let i = 0; i + 3 <= tokens.length; i++) runs.add(tokens.slice(i, i + 3).join())
  return runs.size < (tokens.length - 2) / 3
}
