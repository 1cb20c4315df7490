/** The account's own words for a question: values of its fields, names of records, declared fields. */
import type { Ctx } from '../../../kernel/context.ts'
import { lexiconOf } from '../lexicon/index.ts'
import { tokensOf } from '../understand/tokens.ts'
import type { AccountWords } from './account-words.ts'
import { type Mention, mentionsIn } from './mentions.ts'
import { namesIn } from './names.ts'
import { NAMED_COLUMNS, type Vocabulary, vocabularyOf } from './vocabulary.ts'

export interface Words extends AccountWords {
  /** English words of an answer in the language of the question */
  say(words: string): string
  /** names of the records that the question mentions, by id */
  nameOf(id: string): string | undefined
  /** what a declared field is called: `cf.care_plan` → Care plan */
  labelOf(field: string): string | undefined
  mentions: readonly Mention[]
}

export async function wordsFor(ctx: Ctx, question: string, types: readonly string[]): Promise<Words> {
  const vocabulary = await vocabularyOf(ctx)
  const mentions = await mentionsIn(question, vocabulary, namesIn(ctx, types))
  return wordsFrom(question, mentions, vocabulary, ctx.user)
}

export function wordsFrom(
  question: string,
  mentions: readonly Mention[],
  { values, fields, dollar }: Vocabulary,
  me: string,
): Words {
  const { answers } = lexiconOf(tokensOf(question))
  const mentioned = new Map(mentions.map(mention => [mention.said, mention]))
  const names = new Map(
    mentions.flatMap(({ records, near = [] }) =>
      [...(records ? [records] : []), ...near].flatMap(({ ids, names: own }) =>
        ids.map((id, i) => [id, own[i]] as const),
      ),
    ),
  )
  const known = [...values.values()].flat()
  const used = new Set(known.map(({ kind, field }) => `${kind}.${field}`))
  return {
    values: phrase => mentioned.get(phrase)?.values ?? [],
    records: phrase => mentioned.get(phrase)?.records,
    near: word => mentioned.get(word)?.near ?? [],
    fields,
    isUsed: (kind, field) => !NAMED_COLUMNS[kind]?.includes(field) || used.has(`${kind}.${field}`),
    loose: known.filter(({ field }) => ['job_title', 'department', 'lost_reason'].includes(field)),
    known,
    dollar,
    me,
    say: words => (Object.hasOwn(answers, words) ? (answers[words] ?? words) : words),
    nameOf: id => (id === me ? 'me' : names.get(id)),
    labelOf: field => fields.find(({ key }) => key === field)?.label,
    mentions,
  }
}
