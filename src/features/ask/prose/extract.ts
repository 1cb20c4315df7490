/**
 * Answers from what the records say, in their own words: the passages that are about the question, and where they
 * disagree. The answer has only words of the records.
 */
import { cosine } from '../../../ai/vectors.ts'
import { zip } from '../../../lib/values.ts'
import { sentencesOf } from '../../search/passages.ts'
import type { Found } from '../../search/rank.ts'
import type { Findings } from '../../search/search.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { Unread } from '../understand/unread.ts'
import { isSpokenOf, saysAll } from './about-data.ts'
import { type Answer, citationOf, refusal } from './answer.ts'
import { conflictsAmong, type Statement } from './conflicts.ts'
import { grounded } from './ground.ts'

const MODEL = 'extractive'
const MAX_SENTENCES = 40
const YES_OR_NO = { yes: 'Yes: ', no: 'No: ' }

interface Evidence extends Found {
  sentences: Statement[]
}

export async function extract(
  question: string,
  findings: Findings,
  topK: number,
  { left, namesData }: Unread,
): Promise<Answer> {
  const found = await grounded(question, findings, topK, namesData)
  const { passages, isAll, says } = found
  const [first] = passages
  // the fields of a record answer only what they speak of: not which competitor won the deal
  const isCovered = isAll || !first || first.passage.written || saysAll(first.passage.body, left)
  const isSaid = isAll || !first || isSpokenOf(question, first.passage, says !== undefined)
  const isSure = found.isSure && isCovered && isSaid
  const evidence = await withSentences(isSure ? passages : passages.slice(0, 1), findings)
  const [best] = evidence
  if (!best) return refusal(MODEL)
  const citations = evidence.map((one, i) =>
    citationOf(one.passage, i + 1, snippetOf(one.passage.body, findings.terms), one.score),
  )
  const conflicts = conflictsAmong(
    evidence.map((one, i) => ({ index: i + 1, passage: one.passage, sentences: one.sentences })),
  )
  return {
    answer: isSure
      ? `${says ? YES_OR_NO[says] : ''}${textOf(evidence, conflicts)}`
      : `Possibly: ${best.passage.body} [1]`,
    citations,
    conflicts,
    grounded: isSure,
    confidence: isSure ? 'high' : 'low',
    related: [],
    model: MODEL,
    data: null,
  }
}

async function withSentences(kept: readonly Found[], findings: Findings): Promise<Evidence[]> {
  const sentences = kept.map(({ passage }) => sentencesOf(passage.body))
  const all = sentences.flat().slice(0, MAX_SENTENCES)
  const embedder = findings.meaning?.embedder
  const vectors = embedder ? await embedder.embed(all, true).catch(() => []) : []
  let at = 0
  return zip(kept, sentences).map(([one, texts]) => {
    const own = texts.map(text => {
      const vector = vectors[at++]
      return {
        text,
        vector,
        fit: vector && findings.meaning ? cosine(vector, findings.meaning.vector) : one.share,
      }
    })
    return { ...one, sentences: own }
  })
}

/** The best record speaks in full; others that fit nearly as well are quoted with their best sentence. */
function textOf(evidence: readonly Evidence[], conflicts: Answer['conflicts']): string {
  const [conflict] = conflicts
  if (conflict) {
    const statements = conflict.statements.map(
      ({ index, text, updated_at }) => `${updated_at.slice(0, 10)}: ${text} [${index}]`,
    )
    return `The records disagree. ${statements.join(' ')}`
  }
  const [first, ...rest] = evidence
  const others = rest
    .map((one, i) => ({ one, index: i + 2 }))
    .filter(({ one }) => one.score >= first!.score * 0.85)
    .slice(0, 2)
    .map(({ one, index }) => `${bestSentence(one)} [${index}]`)
  return [`${first!.passage.body} [1]`, ...others].join('\n')
}

const bestSentence = ({ sentences, passage }: Evidence): string =>
  sentences.reduce<Statement | undefined>((a, b) => (a && a.fit >= b.fit ? a : b), undefined)?.text ??
  passage.body
