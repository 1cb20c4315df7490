/** "and Globex?", "what about last month?", "and the lost ones?": the question before with one thing exchanged. */
import type { Ctx } from '../../../../kernel/context.ts'
import { isAlike, mentionsIn } from '../grammar/mentions.ts'
import { NOUNS } from '../grammar/nouns.ts'
import { tidy } from '../grammar/question.ts'
import { bounded, leftOver } from '../grammar/reading.ts'
import { timeIn } from '../grammar/times.ts'
import { vocabularyOf } from '../grammar/vocabulary.ts'

const STATES = bounded(
  'open|won|lost|closed|overdue|completed|done|planned|upcoming|cancelled|pending|finished|scheduled',
)

/** The question before with what this one names in the place of its like; undefined when there is nothing like it. */
export async function swapped(
  ctx: Ctx,
  before: string,
  rest: string,
  types: readonly string[],
): Promise<string | undefined> {
  const text = tidy(before)
  const time = timeIn(rest, new Date(), false)
  const timeBefore = time && timeIn(text, new Date(), false)
  if (time && timeBefore && leftOver({ text: time.rest }).length === 0) {
    const said = textOf(rest, time.rest)
    return timeBefore.rest.replace('¤', said).trim()
  }
  return (await swappedName(ctx, text, rest, types)) ?? swappedWord(text, rest)
}

/** What was taken out of a text where `¤` stands now. */
function textOf(text: string, without: string): string {
  const [head, tail] = without.split('¤') as [string, string?]
  return text.slice(head.length, text.length - (tail?.length ?? 0)).trim()
}

async function swappedName(
  ctx: Ctx,
  text: string,
  rest: string,
  types: readonly string[],
): Promise<string | undefined> {
  const vocabulary = await vocabularyOf(ctx)
  const now = await mentionsIn(ctx, rest, vocabulary, types)
  if (now.mentions.length !== 1 || leftOver({ text: now.text }).length > 0) return undefined
  const { mentions } = await mentionsIn(ctx, text, vocabulary, types)
  const [wanted] = now.mentions
  const place = mentions.find(mention => isAlike(mention, wanted!))
  return place && text.replace(` ${place.said} `, ` ${wanted!.said} `).trim()
}

/** One state for another, or one kind of record for another. */
function swappedWord(text: string, rest: string): string | undefined {
  const nouns = bounded(NOUNS.map(([, pattern]) => pattern.source).join('|'))
  for (const words of [STATES, nouns]) {
    const [was, is] = [words.exec(text), words.exec(rest)]
    if (!was || !is || was[0] === is[0]) continue
    const left = rest.replace(is[0], '¤').replace(nouns, '¤')
    if (leftOver({ text: left }).length === 0) return text.replace(` ${was[0]} `, ` ${is[0]} `).trim()
  }
  return undefined
}
