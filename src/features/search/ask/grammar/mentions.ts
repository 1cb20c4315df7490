/** What of the account a question names: values of fields, and records by their names. */
import type { Ctx } from '../../../../kernel/context.ts'
import type { Kind } from '../fields/index.ts'
import { addPartial, recordsCalled } from './called.ts'
import { around, GRAMMAR, tidy } from './question.ts'
import type { Known, Vocabulary } from './vocabulary.ts'

export interface Mention {
  said: string
  /** fields that have this value */
  values: Known[]
  /** records that are called so, of the likeliest kind */
  records: { kind: Kind; ids: string[]; names: string[] } | undefined
  negated: boolean
  /** the word before it, which may say what it is: "stage Proposal", "at Acme" */
  before: string
  after: string
  /** it stands after "owned by" or the like: a colleague, never a customer */
  owning: boolean
}

export interface Read {
  /** the question with `¤` for what was understood */
  text: string
  mentions: Mention[]
}

const MAX_WORDS = 7

export async function mentionsIn(
  ctx: Ctx,
  question: string,
  vocabulary: Vocabulary,
  types: readonly string[],
): Promise<Read> {
  const words = tidy(question).trim().split(' ')
  const grams = new Map<string, { from: number; to: number }[]>()
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_WORDS); to++) {
      const gram = words.slice(from, to).join(' ')
      grams.set(gram, [...(grams.get(gram) ?? []), { from, to }])
    }
  }
  const named = await recordsCalled(
    ctx,
    [...grams.keys()].filter(gram => !GRAMMAR.has(gram)),
    types,
  )
  const taken: (Mention | undefined)[] = words.map(() => undefined)
  const mentions: Mention[] = []
  const longestFirst = [...grams].flatMap(([gram, places]) => places.map(place => ({ gram, ...place })))
  longestFirst.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
  for (const { gram, from, to } of longestFirst) {
    if (
      taken.slice(from, to).some(Boolean) ||
      (to - from === 1 && GRAMMAR.has(gram) && !isStageName(words, from, gram, vocabulary))
    )
      continue
    const values = isFieldName(`${gram} ${words[to] ?? ''}`, vocabulary) ? [] : valuesFor(gram, vocabulary)
    const records = named.get(gram)
    if (values.length === 0 && !records) continue
    const mention = { said: gram, values, records, ...around(words, from, to) }
    mentions.push(mention)
    taken.fill(mention, from, to)
  }
  addOwners(words, taken, mentions, vocabulary)
  await addPartial(ctx, words, taken, mentions, types)
  const text = words
    .map((word, i) => (taken[i] ? (taken[i] === taken[i - 1] ? '' : '¤') : word))
    .filter(Boolean)
  return { text: ` ${text.join(' ')} `, mentions }
}

/** In "by lead source" the word lead is no status. */
const isFieldName = (text: string, { fields }: Vocabulary): boolean =>
  / \S/.test(text) &&
  Object.values(fields).some(list => list.some(field => new RegExp(`^(?:${field.said.source})$`).test(text)))

/** "in stage New" names the stage, "new deals" does not. */
const isStageName = (words: string[], at: number, gram: string, vocabulary: Vocabulary): boolean =>
  (/^(?:stage|status|phase)$/.test(words[at - 1] ?? '') && vocabulary.values.has(gram)) ||
  (/^(?:stage|phase)$/.test(words[at + 1] ?? '') && vocabulary.values.has(gram))

function valuesFor(gram: string, { values }: Vocabulary): Known[] {
  const single = gram.replace(/ies$/, 'y').replace(/s$/, '')
  return values.get(gram) ?? (single.length >= 3 ? values.get(single) : undefined) ?? []
}

/** "owned by Ann": the first name is enough for a colleague. */
function addOwners(
  words: readonly string[],
  taken: (Mention | undefined)[],
  mentions: Mention[],
  { values }: Vocabulary,
): void {
  for (const [at, word] of words.entries()) {
    if (taken[at]) continue
    const place = around(words, at, at + 1)
    if (!place.owning) continue
    const known = [...values]
      .filter(([name]) => name.startsWith(`${word} `))
      .flatMap(([, list]) => list)
      .filter(({ field }) => ['owner_id', 'assignee_id', 'user_id'].includes(field))
    if (known.length === 0) continue
    const mention: Mention = { said: word, values: known, records: undefined, ...place }
    mentions.push(mention)
    taken[at] = mention
  }
}
