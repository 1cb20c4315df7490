/** What of the account a question names: values of fields, and records by their names. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { rows } from '../../../kernel/statements.ts'
import { loadPassages } from '../load.ts'
import { fold } from '../words.ts'
import type { Kind } from './fields.ts'
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
}

export interface Read {
  /** the question with `¤` for what was understood */
  text: string
  mentions: Mention[]
}

const MAX_WORDS = 7
const KINDS: Kind[] = ['company', 'contact', 'deal', 'activity']

/** Words of the grammar: alone they are never a name. */
export const GRAMMAR = new Set(
  `a an the of in on at by for to from with without and or not no is are was were be been do does did have has had
  how many much what which who whom whose when where why show list give tell me find get count number total sum average
  deal deals opportunity opportunities contact contacts person people company companies account accounts activity
  activities call calls meeting meetings task tasks email emails note notes pipeline stage stages owner status open won
  lost closed close closing closes overdue due completed planned upcoming new latest newest oldest last next first
  this that month week quarter year day days weeks months today tomorrow yesterday top largest biggest smallest highest
  most least more less than over under above below between all any our we i my us you your there each per value worth
  amount created added updated since before after until it its he she they them talk talked speak spoke us`.split(
    /\s+/,
  ),
)

export const tidy = (question: string): string =>
  ` ${fold(question)
    .replace(/(\d)[,'](?=\d{3}\b)/g, '$1')
    .replace(/['’`]s\b/g, ' ')
    .replace(/[^\p{L}\p{N}\p{M}\s$€£¥%@.&+<>=-]/gu, ' ')
    .replace(/\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `

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

function around(words: readonly string[], from: number, to: number) {
  const before = words.slice(Math.max(0, from - 4), from)
  const negated =
    /\b(?:not|except|excluding|outside|other than|isn t|aren t|never)(?: (?:in|at|by|from|the|for|owned|of|based|assigned|to|with))* ?$/.test(
      before.join(' '),
    )
  return { before: before.at(-1) ?? '', after: words[to] ?? '', negated }
}

/** Records whose whole name, address or domain is one of these texts. */
async function recordsCalled(ctx: Ctx, grams: readonly string[], types: readonly string[]) {
  const kinds = KINDS.filter(kind => types.includes(kind))
  const found = await query(
    ctx,
    sql<{ word: string; passage_id: number }>`select w.word, w.passage_id from ${rows(ctx, 'search_words')} w
      where w.word = any(${grams.map(gram => `=${gram}`)}::text[]) and w.entity_type = any(${kinds}::text[]) limit 500`,
  )
  return byWord(
    ctx,
    found.map(row => ({ word: row.word.slice(1), passageId: row.passage_id })),
    kinds,
  )
}

async function byWord(ctx: Ctx, found: { word: string; passageId: number }[], types: readonly Kind[]) {
  const passages = await loadPassages(
    ctx,
    found.map(row => row.passageId),
    types,
  )
  const named = new Map<string, NonNullable<Mention['records']>>()
  for (const [word, hits] of Map.groupBy(found, row => row.word)) {
    const records = hits.flatMap(hit => passages.get(hit.passageId) ?? [])
    const kind = KINDS.find(one => records.some(record => record.entity_type === one))
    if (!kind) continue
    const own = records.filter(record => record.entity_type === kind)
    named.set(word, { kind, ids: own.map(record => record.entity_id), names: own.map(record => record.name) })
  }
  return named
}

/** "Acme" for Acme Corp, "Ann" or "Smith" for Ann Smith: the beginning of a name or a word of it, if few are called so. */
async function addPartial(
  ctx: Ctx,
  words: readonly string[],
  taken: (Mention | undefined)[],
  mentions: Mention[],
  types: readonly string[],
): Promise<void> {
  const open = words.flatMap((word, at) =>
    !taken[at] && !GRAMMAR.has(word) && /^\p{L}[\p{L}\p{N}&.-]{1,}$/u.test(word) ? [{ word, at }] : [],
  )
  if (open.length === 0) return
  const kinds = (['company', 'contact'] as Kind[]).filter(kind => types.includes(kind))
  const found = await query(
    ctx,
    sql<{ word: string; passage_id: number; entity_type: string }>`select t.word, n.passage_id, n.entity_type
      from unnest(${open.map(one => one.word)}::text[]) t (word)
      cross join lateral (select w.passage_id, w.entity_type from ${rows(ctx, 'search_words')} w
        where w.word = t.word and w.weight = 4 and w.entity_type = any(${kinds}::text[]) limit 6) n`,
  )
  const named = await byWord(
    ctx,
    found.map(row => ({ word: row.word, passageId: row.passage_id })),
    kinds,
  )
  for (const run of runsOf(open.filter(({ word }) => named.has(word)))) {
    // "Ann Smith" is neither another Ann nor another Smith
    const all = run.map(({ word }) => named.get(word))
    const [first] = all
    if (!first) continue
    const ids = first.ids.filter(id => all.every(records => records?.ids.includes(id)))
    if (ids.length === 0 || ids.length > 5) continue
    const records = {
      kind: first.kind,
      ids,
      names: first.names.filter((_, i) => ids.includes(first.ids[i]!)),
    }
    const [from, to] = [run[0]!.at, run.at(-1)!.at + 1]
    const mention = { said: words.slice(from, to).join(' '), values: [], records, ...around(words, from, to) }
    mentions.push(mention)
    taken.fill(mention, from, to)
  }
}

/** Words that stand side by side. */
function runsOf(open: readonly { word: string; at: number }[]): { word: string; at: number }[][] {
  const runs: { word: string; at: number }[][] = []
  for (const one of open) {
    const last = runs.at(-1)
    if (last && last.at(-1)!.at === one.at - 1) last.push(one)
    else runs.push([one])
  }
  return runs
}
