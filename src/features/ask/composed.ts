/** What the judge says of a question: whether the rules read it rightly, and which composed reading is meant, with its answer. */
import type { Embedder } from '../../ai/embedder.ts'
import { embeddersOf, ModelUnavailable } from '../../ai/embeddings.ts'
import type { Ctx } from '../../kernel/context.ts'
import { HttpError } from '../../kernel/errors.ts'
import { kinds } from '../records/query/kinds.ts'
import type { Words } from './account/words.ts'
import { computedAnswer } from './answer.ts'
import { agreedAnswer, isDoubted, judgedReadings, type Models } from './judge.ts'
import { lexiconOf } from './lexicon/index.ts'
import type { Answer } from './prose/answer.ts'
import type { Reading } from './readings.ts'
import type { Meaning } from './understand/meaning.ts'
import { tokensOf } from './understand/tokens.ts'

export interface Composed {
  answer: Answer
  meaning: Meaning
  isSure: boolean
}

const models = new WeakMap<Embedder, Models>()

/** Undefined without the model. The judge knows English only. */
function modelsFor({ services }: Ctx, question: string): Models | undefined {
  const local = embeddersOf(services).find(({ judge }) => judge)
  const isEnglish = lexiconOf(tokensOf(question)).language === 'en'
  if (!isEnglish || !local?.judge) return undefined
  const own = models.get(local) ?? { judge: local.judge, embed: texts => local.embed(texts, true) }
  models.set(local, own)
  return own
}

/** Undefined without a model that works. */
async function withModels<T>(
  ctx: Ctx,
  question: string,
  use: (models: Models) => Promise<T>,
): Promise<T | undefined> {
  const found = modelsFor(ctx, question)
  try {
    return found && (await use(found))
  } catch (error) {
    if (error instanceof ModelUnavailable) return undefined
    throw error
  }
}

/** Whether the judge takes what the rules read for the reading of another question. */
export const isMisread = async (
  ctx: Ctx,
  question: string,
  words: Words,
  meaning: Meaning,
  answer: Answer | undefined,
): Promise<boolean> =>
  (await withModels(ctx, question, models => isDoubted(question, words, meaning, answer, models))) ?? false

/** Undefined where no reading is likely, or the likeliest cannot be computed. */
export const composedAnswer = (
  ctx: Ctx,
  question: string,
  words: Words,
  types: readonly string[],
): Promise<Composed | undefined> =>
  withModels(ctx, question, async models => {
    const readings = await judgedReadings(question, words, new Date(), models)
    const agreed = await agreedAnswer(readings, async meaning => {
      try {
        return await computedAnswer(ctx, kinds(), words, { meaning, alternatives: [] }, types)
      } catch (error) {
        if (error instanceof HttpError) return undefined
        throw error
      }
    })
    if (!agreed) return undefined
    const { answer, reading, isSure } = agreed
    return { answer: stated(answer, reading, isSure), meaning: reading.meaning, isSure }
  })

/** The reading is part of the answer, so that a person sees what was computed. */
function stated(answer: Answer, reading: Reading, isSure: boolean): Answer {
  const read = `${answer.answer} (Read as: ${reading.text}.)`
  const withReading = { ...answer, answer: read, data: { ...answer.data, reading: reading.text } }
  return isSure ? withReading : possibly(withReading)
}

/** An answer to a reading that only may be meant. */
export const possibly = (answer: Answer): Answer => ({
  ...answer,
  answer: `Possibly: ${answer.answer}`,
  grounded: false,
  confidence: 'low',
})
