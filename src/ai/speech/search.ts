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
  maxTokens: number
  /** the beam width; 1 is greedy search */
  width?: number
  /** lowers the logits of tokens that are not allowed */
  suppress?: (logits: Float32Array, isFirst: boolean) => void
  expected?: Expected
}

interface Beam {
  tokens: number[]
  /** log-probability of all of them */
  sum: number
  credit: Credit
}

/** Per token; otherwise the shortest beam would always win. */
const confidenceOf = ({ tokens, sum }: Beam) => sum / (tokens.length + 1)
const scoreOf = ({ tokens, sum, credit }: Beam) => (sum + credit.total - credit.pending) / (tokens.length + 1)
const best = (beams: readonly Beam[]): Beam => beams.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a))

/**
 * The most likely tokens up to the end token. `sounds` are several variants of the same sound: each gives
 * probabilities for the next token, and their mean is used, so that the others correct an error of one variant before
 * it affects the following tokens.
 */
export async function generate(
  decoder: Decoder,
  sounds: readonly ort.Tensor[],
  prompt: readonly number[],
  { maxTokens, width = 1, suppress = () => {}, expected }: Search,
): Promise<Hypothesis> {
  let pasts = sounds.map(() => emptyPast(decoder))
  let beams: Beam[] = [{ tokens: [], sum: 0, credit: NO_CREDIT }]
  const ended: Beam[] = []
  for (let count = 0; count < maxTokens; count++) {
    const isFirst = count === 0
    const inputs = isFirst ? [prompt] : beams.map(({ tokens }) => tokens.slice(-1))
    const outputs: Past[] = []
    for (const [i, sound] of sounds.entries())
      outputs.push(await step(decoder, sound, inputs, at(pasts, i), isFirst))
    const logits = outputs.map(output => lastOf(tensorOf(output, 'logits')))
    for (const row of logits.flat()) suppress(row, isFirst)
    const steps = likeliestSteps(beams, logits, width, (credit, token) =>
      expected ? credited(credit, token, token === decoder.end, expected) : NO_CREDIT,
    )
    for (const { beam, token, sum, credit } of steps.slice(0, width))
      if (token === decoder.end) ended.push({ tokens: at(beams, beam).tokens, sum, credit })
    const onward = steps.filter(({ token }) => token !== decoder.end).slice(0, width)
    beams = onward.map(({ beam, token, sum, credit }) => ({
      tokens: [...at(beams, beam).tokens, token],
      sum,
      credit,
    }))
    if (ended.length >= width) break
    if (ended.length > 0 && scoreOf(best(ended)) >= scoreOf(best(beams))) break
    const rows = onward.map(({ beam }) => beam)
    pasts = pasts.map((past, i) => nextPast(decoder, past, at(outputs, i), isFirst, rows))
  }
  const beam = best(ended.length > 0 ? ended : beams)
  return { tokens: beam.tokens, confidence: confidenceOf(beam), score: scoreOf(beam) }
}

/** The most likely next steps of all beams, best first. `logits`: of each variant for each beam. */
function likeliestSteps(
  beams: readonly Beam[],
  logits: readonly Float32Array[][],
  width: number,
  creditFor: (credit: Credit, token: number) => Credit,
) {
  const steps = beams.flatMap(({ sum, credit }, beam) => {
    const rows = logits.map(variant => at(variant, beam))
    const variants = rows.map(row => ({ row, all: logSum(row) }))
    // one more than needed: the end may be among them
    const tokens = new Set(rows.flatMap(row => highest(row, width + 1)))
    return [...tokens].map(token => {
      const chances = variants.map(({ row, all }) => Math.exp(row[token]! - all))
      const likelihood = Math.log(chances.reduce((a, b) => a + b) / chances.length)
      return { beam, token, sum: sum + likelihood, credit: creditFor(credit, token) }
    })
  })
  return steps.sort((a, b) => b.sum + b.credit.total - a.sum - a.credit.total)
}

function highest(row: Float32Array, count: number): number[] {
  const top: number[] = []
  // the lowest logit in `top`: tens of thousands of tokens are skipped for each that enters it
  let least = Number.NEGATIVE_INFINITY
  for (let i = 0; i < row.length; i++) {
    const logit = row[i]!
    if (logit <= least) continue
    if (top.length === count) top.pop()
    const position = top.findIndex(other => row[other]! < logit)
    top.splice(position < 0 ? top.length : position, 0, i)
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
