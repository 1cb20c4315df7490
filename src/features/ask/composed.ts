/** A question that no rule reads as a whole → the answer to the reading that the judge takes for meant, with the reading stated. */
import { embeddersOf, ModelUnavailable } from '../../ai/embeddings.ts'
import type { Ctx } from '../../kernel/context.ts'
import { HttpError } from '../../kernel/errors.ts'
import { kinds } from '../records/query/kinds.ts'
import type { Words } from './account/words.ts'
import { computedAnswer } from './answer.ts'
import { type Judged, judgedReading, type Models } from './judge.ts'
import { lexiconOf } from './lexicon/index.ts'
import type { Answer } from './prose/answer.ts'
import type { Meaning } from './understand/meaning.ts'
import { tokensOf } from './understand/tokens.ts'

export interface Composed {
  answer: Answer
  meaning: Meaning
  isSure: boolean
}

/** Undefined without the model. The judge knows English only. */
function modelsFor({ services }: Ctx, question: string): Models | undefined {
  const local = embeddersOf(services).find(({ judge }) => judge)
  const isEnglish = lexiconOf(tokensOf(question)).language === 'en'
  return isEnglish && local?.judge
    ? { judge: local.judge, embed: texts => local.embed(texts, true) }
    : undefined
}

/** Undefined where no reading is likely, or the likeliest cannot be computed. */
export async function composedAnswer(
  ctx: Ctx,
  question: string,
  words: Words,
  types: readonly string[],
): Promise<Composed | undefined> {
  const models = modelsFor(ctx, question)
  if (!models) return undefined
  try {
    const judged = await judgedReading(question, words, new Date(), models)
    if (!judged) return undefined
    const { meaning } = judged.reading
    const answer = await computedAnswer(ctx, kinds(), words, { meaning, alternatives: [] }, types)
    return answer?.grounded ? { answer: stated(answer, judged), meaning, isSure: judged.isSure } : undefined
  } catch (error) {
    if (error instanceof ModelUnavailable || error instanceof HttpError) return undefined
    throw error
  }
}

/** The reading is part of the answer, so that a person sees what was computed. */
function stated(answer: Answer, { reading, isSure }: Judged): Answer {
  const read = `${answer.answer} (Read as: ${reading.text}.)`
  const data = { ...answer.data, reading: reading.text }
  return isSure
    ? { ...answer, answer: read, data }
    : { ...answer, answer: `Possibly: ${read}`, data, grounded: false, confidence: 'low' }
}
