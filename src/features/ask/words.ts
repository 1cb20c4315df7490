/** The account's own words for a question: values of its fields, names of records, declared fields. */
import type { Ctx } from '../../kernel/context.ts'
import { fold } from '../search/words.ts'
import { mentionsIn } from './patterns/grammar/mentions.ts'
import { vocabularyOf } from './patterns/grammar/vocabulary.ts'
import type { AccountWords } from './understand/account-words.ts'

export interface Words extends AccountWords {
  /** names of the records that the question mentions, by id */
  nameOf(id: string): string | undefined
  /** what a declared field is called: `cf.care_plan` → Care plan */
  labelOf(field: string): string | undefined
}

export async function wordsFor(ctx: Ctx, question: string, types: readonly string[]): Promise<Words> {
  const vocabulary = await vocabularyOf(ctx)
  const { mentions } = await mentionsIn(ctx, question, vocabulary, types)
  const mentioned = new Map(mentions.map(mention => [mention.said, mention]))
  const names = new Map(
    mentions.flatMap(({ records }) => (records?.ids ?? []).map((id, i) => [id, records?.names[i]] as const)),
  )
  return {
    values: phrase => mentioned.get(phrase)?.values ?? [],
    records: phrase => mentioned.get(phrase)?.records,
    fields: Object.entries(vocabulary.fields).flatMap(([kind, fields]) =>
      fields
        .filter(({ key }) => key.startsWith('cf.'))
        .map(({ key, label, type, flag }) => ({
          kind,
          key,
          words: fold(label),
          type:
            flag !== undefined
              ? ('flag' as const)
              : type === 'number' || type === 'money'
                ? type
                : ('text' as const),
        })),
    ),
    loose: [...vocabulary.values.values()]
      .flat()
      .filter(({ field }) => ['job_title', 'department', 'lost_reason'].includes(field)),
    me: ctx.user,
    nameOf: id => (id === ctx.user ? 'me' : names.get(id)),
    labelOf: field =>
      Object.values(vocabulary.fields)
        .flat()
        .find(({ key }) => key === field && key.startsWith('cf.'))?.label,
  }
}
